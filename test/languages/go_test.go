//go:build linux

package languages

import "aidb-mcp/internal/testkit"

// golang is Go with the built-in Delve.
var golang = []*language{{
	Name: "go", Title: "Go", Adapter: "Delve",
	File:  "main.go",
	Start: func(*testkit.Program) A { return A{"target": "."} },
	Phrases: map[string]phrase{
		"exception": {Show: "panic"},
	},
}}
