//go:build linux

package languages

import "aidb-mcp/internal/testkit"

// ruby is Ruby with rdbg.
var ruby = []*language{{
	Name: "ruby", Title: "Ruby", Adapter: "rdbg",
	File: "tour.rb", Comment: "#",
	Start: func(*testkit.Program) A { return A{"target": "tour.rb"} },
	Phrases: map[string]phrase{
		"main":      {Show: `<main>`},
		"part":      {Show: `.*\b(calls|loop_part)\b.*`},
		"log":       {Say: "at {i} total {total}"},
		"watch":     {Say: "$counter"},
		"name":      {Show: `"gr.*e .*"`},
		"ages":      {Show: `.*"one"=>1.*"two"=>2.*`},
		"exception": {Show: "RuntimeError"},
		"fail":      {Show: `.*\bfail_with\b`},
		"patch":     {Say: "def twice(n)\n  result = n * 3\n  result\nend\n"},
	},
	Cannot: map[string]cannot{
		"attach":              {Why: "for now", Check: func(*subject) {}},
		"step back":           {Why: "rdbg steps back only in recordings"},
		"watchpoint":          {Why: "rdbg has no data breakpoints"},
		"jump":                {Why: "Ruby cannot change the next line to run"},
		"step by instruction": {Why: "rdbg steps by line"},
		"memory":              {Why: "Ruby values have no address"},
		"registers":           {Why: "Ruby code has no registers"},
		"disassembly":         {Why: "Ruby code has no machine instructions"},
	},
}}
