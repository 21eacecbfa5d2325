"""Attribution from hidden states."""
