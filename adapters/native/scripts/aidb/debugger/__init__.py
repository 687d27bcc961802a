"""What stands between our reading of programs and a debugger's own interface."""
