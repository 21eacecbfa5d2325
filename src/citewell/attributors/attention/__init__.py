"""Attribution from attention: where a model looks when it reads a question or writes an answer."""
