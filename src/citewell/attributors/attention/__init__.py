"""Attribution from attention: where a model looks while it reads a question or writes an answer."""
