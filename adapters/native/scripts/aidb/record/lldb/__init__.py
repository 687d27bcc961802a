"""The recorder in LLDB."""
