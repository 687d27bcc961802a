//go:build linux

package benchmarks

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"aidb-mcp/internal/testkit"
	"aidb-mcp/internal/testkit/registry"
)

// nightmare are the programs of debug-gym whose faults are rarely found by reading. Two
// of the ten are left out: one reads a table from the web, of one a file is missing.
var nightmare = set{
	Name: "python-nightmare", By: []string{"nightmare_test.go"}, Language: "Python", Title: "mini_nightmare of debug-gym 1.3.0",
	Make: func(m *maker) []program {
		dir := filepath.Join(m.fetch(registry.Pin{
			From: registry.Wheel, Name: "debug-gym==1.3.0", Sum: "8ddc77ca2cb57fc9062b10f3e100f5e4eb39d07e9442a3dab2a583558f20e207",
		}), "data", "mini_nightmare")
		var programs []program
		for _, name := range []string{"config", "counter", "grader", "purr", "scientific_calculator", "shopping_cart", "sum_tree", "tomorrow_date"} {
			if len(programs) == m.limit {
				break
			}
			programs = append(programs, m.nightmare(filepath.Join(dir, name), name))
		}
		return programs
	},
}

// nightmare is one of the programs; pytest, by itself, says how it fails.
func (m *maker) nightmare(dir, name string) program {
	m.t.Helper()
	p := program{Name: name, Fault: "as published", Files: map[string]string{}, Question: testkit.A{"target": "test.py", "start": testkit.A{"mode": "test"}}}
	files, err := filepath.Glob(filepath.Join(dir, "*.py"))
	if err != nil {
		m.t.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			m.t.Fatal(err)
		}
		p.Files[filepath.Base(file)] = string(text)
	}
	out, _, _ := m.runIn(p.Files, "python3", "-m", "pytest", "-p", "no:cacheprovider", "--tb=short", "-q", "test.py")
	p.True = m.pytestSays(name, out)
	return p
}

var (
	pytestPlace  = regexp.MustCompile(`(?m)^(\w+\.py):(\d+): in `)
	pytestRaised = regexp.MustCompile(`(?m)^E\s+(?:\w+\.)*(\w+(?:Error|Exception)\b)?(.*)$`)
	pytestFailed = regexp.MustCompile(`(?m)^FAILED test\.py::(\S+)`)
)

// pytestSays is the truth of the first failure that pytest reports.
func (m *maker) pytestSays(name, out string) truth {
	m.t.Helper()
	if !pytestFailed.MatchString(out) {
		if strings.Contains(out, " passed") {
			return truth{OK: true}
		}
		m.t.Fatalf("pytest says of %s\n%s", name, out)
	}
	_, first, _ := strings.Cut(out, "\n____") // the first failure
	first, _, _ = strings.Cut(first, "\n____")
	places := pytestPlace.FindAllStringSubmatch(first, -1)
	raised := pytestRaised.FindStringSubmatch(first)
	if len(places) == 0 || raised == nil {
		m.t.Fatalf("pytest says of %s\n%s", name, out)
	}
	last := places[len(places)-1]
	t := truth{Places: []string{last[1] + ":" + last[2]}, Verdicts: []string{"exception"}, Raised: raised[1]}
	if raised[1] == "RecursionError" { // how deep it comes depends on who runs it
		for _, at := range places {
			t.Places = append(t.Places, at[1]+":"+at[2])
		}
	}
	if raised[1] == "AssertionError" || raised[1] == "" {
		t.Verdicts, t.Raised = []string{"test_failure"}, ""
	}
	return t
}
