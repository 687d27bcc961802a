package ruby

import "aidb-mcp/adapters"

// sample is the program with which an installation is tried.
var sample = adapters.SingleFile("tiny.rb", "answer = 42\nputs answer\n", 2)
