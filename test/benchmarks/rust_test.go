//go:build linux

package benchmarks

import (
	"fmt"
	"regexp"
	"strings"

	"aidb-mcp/internal/testkit"
	"aidb-mcp/internal/testkit/registry"
)

// crate is one of a single file that has its tests in it.
type crate struct {
	Name, Edition string
	Pin           registry.Pin
	Keep          int
}

var crates = []crate{
	{"roman", "2015", registry.Pin{From: registry.Crates, Name: "roman@0.1.6", Sum: "d2c543f0c827ae24df93159810fd4bce2d0abe3785bb4c4d68fae3c467d58d9b"}, 4},
	{"strsim", "2015", registry.Pin{From: registry.Crates, Name: "strsim@0.11.1", Sum: "7da8b5736845d9f2fcb837ea5d9e2628564b3b043a70948a3f0b778838c5fb4f"}, 14},
}

// rust are crates with a fault that their own tests find.
var rust = set{
	Name: "rust", By: []string{"rust_test.go"}, Language: "Rust", Title: "strsim 0.11.1 and roman 0.1.6 with their own tests, with planted faults",
	Make: func(m *maker) []program {
		var programs []program
		for _, c := range crates {
			if programs = append(programs, m.crate(c)...); len(programs) >= m.limit {
				return programs[:m.limit]
			}
		}
		return programs
	},
}

var (
	beforeTests  = regexp.MustCompile(`(?s)^.*?#\[cfg\(test\)\]|(?s)^.*?\n#\[test\]`)
	rustPanicked = regexp.MustCompile(`(?m)^thread '([\w:]+)'(?: \(\d+\))? panicked at (\S+?):(\d+):\d+:\n(.*)`)
	rustSides    = regexp.MustCompile(`(?m)^  left: (.*)\n right: (.*)$`)
)

// crate is a crate with each fault that is kept.
func (m *maker) crate(c crate) []program {
	m.t.Helper()
	lib := m.read(c.Pin, "src/lib.rs")
	run := []string{"sh", "-c", "rustc --edition " + c.Edition + " --cap-lints allow --test --crate-name " + c.Name + " -C debuginfo=0 -o tests src/lib.rs && timeout 20 ./tests --test-threads=1 2>&1"}
	files := func(lib string) map[string]string {
		return map[string]string{"src/lib.rs": lib, "Cargo.toml": fmt.Sprintf("[package]\nname = %q\nversion = \"0.1.0\"\nedition = %q\n", c.Name, c.Edition)}
	}
	if out, code, _ := m.runIn(files(lib), run...); code != 0 {
		m.t.Fatalf("the tests of %s\n%s", c.Name, out)
	}
	keep := min(c.Keep, m.limit)
	var programs []program
	for i, mutant := range mutants(lib, beforeTests) {
		if len(programs) == keep || i > 4*keep {
			break
		}
		out, code, _ := m.runIn(files(mutant.Source), run...)
		test, t := rustSays(out)
		if code != 101 || test == "" {
			continue
		}
		programs = append(programs, program{
			Name: fmt.Sprintf("%s_%d", c.Name, len(programs)), Fault: fmt.Sprintf("%s, line %d of src/lib.rs", mutant.Operator, mutant.Line),
			Files: files(mutant.Source), Question: testkit.A{"target": ".", "test": test}, True: t,
		})
	}
	return programs
}

// rustSays is the first test that failed, and what its panic said.
func rustSays(out string) (test string, t truth) {
	at := rustPanicked.FindStringSubmatch(out)
	if at == nil || !strings.HasPrefix(at[2], "src/") {
		return "", truth{}
	}
	t = truth{Verdicts: []string{"test_failure"}, Places: []string{at[2] + ":" + at[3]}, Message: at[4]}
	if strings.HasPrefix(at[4], "assertion `left == right` failed") {
		t.Message = ""
		if values := rustSides.FindStringSubmatch(out); values != nil {
			t.Sides = &sides{Left: side{Expression: "left", Value: values[1]}, Right: side{Expression: "right", Value: values[2]}}
		}
	} else {
		t.Verdicts = append(t.Verdicts, "panic")
	}
	return at[1], t
}
