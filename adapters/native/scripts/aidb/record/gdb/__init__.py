"""The recorder in gdb."""
