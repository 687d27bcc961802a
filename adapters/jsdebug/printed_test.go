package jsdebug

import (
	"slices"
	"testing"

	"aidb-mcp/adapters"
)

func TestPrintedFailure(t *testing.T) {
	t.Parallel()
	p := printedFailure("hello\n/w/a.js:3\n  throw new Error('no');\n  ^\n\nError: no\n    at f (/w/a.js:3:9)\n    at Object.<anonymous> (/w/a.js:5:1)\n\nNode.js v20\n")
	want := []adapters.Thrown{{File: "/w/a.js", Line: 3, Function: "f"}, {File: "/w/a.js", Line: 5, Function: "Object.<anonymous>"}}
	if p.Message != "Error: no" || p.Before != "hello\n" || !slices.Equal(p.Frames, want) {
		t.Errorf("printed is %+v", p)
	}
	if p := printedFailure("Error: no\n    at f (/w/a.js:3:9)\n"); p.Message != "" {
		t.Errorf("one that the program logged: %+v", p)
	}
}

func TestLostErrors(t *testing.T) {
	t.Parallel()
	lost := lostErrors("(node:7) UnhandledPromiseRejectionWarning: RangeError: work 2\n    at work (/w/warn.js:3:9)\n    at process.x (node:internal/y:95:5)\n(Use `node --trace-warnings ...`)\n" +
		"(node:7) UnhandledPromiseRejectionWarning: Unhandled promise rejection. This error originated either by\n    at far (/w/other.js:1:1)\n")
	if len(lost) != 1 || lost[0].Message != "RangeError: work 2" || !slices.Equal(lost[0].Frames, []adapters.Thrown{{File: "/w/warn.js", Line: 3, Function: "work"}}) {
		t.Errorf("lost are %+v", lost)
	}
	if lost := lostErrors("Warning: UnhandledPromiseRejectionWarning: x\n"); len(lost) != 0 {
		t.Errorf("what a program said is lost: %+v", lost)
	}
}
