package debugpy

import "aidb-mcp/adapters"

// sample is the program with which an installation is tried.
var sample = adapters.SingleFile("tiny.py", "answer = 42\nprint(answer)\n", 2)
