"""gdb: values as we read them, the command aidb, and what its adapter lacks."""
