package jsdebug

import "aidb-mcp/adapters"

// sample is the program with which an installation is tried.
var sample = adapters.SingleFile("tiny.js", "const answer = 42\nconsole.log(answer)\n", 2)
