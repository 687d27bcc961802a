//go:build linux

package soak

import (
	"maps"
	"slices"
)

// language is one whose pest, in testdata/FOLDER/pest, is debugged again and
// again.
type language struct {
	folder, target, file string
	mark, expression     string
	options              A
}

var languages = map[string]language{
	"go":         {folder: "go", target: ".", file: "main.go", mark: "stop", expression: "ticks + 1"},
	"python":     {folder: "python", target: "pest.py", file: "pest.py", mark: "stop", expression: "ticks + 1"},
	"javascript": {folder: "javascript", target: "pest.js", file: "pest.js", mark: "stop", expression: "ticks + 1"},
	"c-gdb":      {folder: "cpp", target: "pest.c", file: "pest.c", mark: "stop-c", expression: "ticks + 1", options: A{"debugger": "gdb"}},
	"cpp":        {folder: "cpp", target: "pest.cpp", file: "pest.cpp", mark: "stop", expression: "ticks + 1"},
	"rust":       {folder: "rust", target: ".", file: "src/main.rs", mark: "stop", expression: "ticks + 1"},
	"java":       {folder: "java", target: "Pest.java", file: "Pest.java", mark: "stop", expression: "ticks + 1"},
	"ruby":       {folder: "ruby", target: "pest.rb", file: "pest.rb", mark: "stop", expression: "ticks + 1"},
}

// names are in one order, so that a seed means the same in each run.
var names = slices.Sorted(maps.Keys(languages))
