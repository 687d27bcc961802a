package delve

import "aidb-mcp/adapters"

// sample is the program with which an installation is tried.
var sample = adapters.Sample{
	Files: map[string]string{
		"go.mod":  "module example.com/tiny\n\ngo 1.21\n",
		"main.go": "package main\n\nfunc main() {\n\tprintln(42)\n}\n",
	},
	Target:   ".",
	Function: "main.main",
}
