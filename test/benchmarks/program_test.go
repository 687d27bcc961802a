//go:build linux

package benchmarks

import (
	"maps"
	"path/filepath"
	"testing"

	"aidb-mcp/internal/testkit"
	"aidb-mcp/internal/testkit/filetree"
)

// program is one that is asked about.
type program struct {
	Name     string
	Fault    string            // what was planted, and where; empty: nothing
	Files    map[string]string // by their paths
	Question testkit.A         // the arguments of diagnose, with paths in the program's folder
	True     truth
	Oracle   string // the Python file in which the values of other expressions can be asked for
}

// set is a number of programs of one kind.
type set struct {
	Name     string
	Language string
	Title    string   // for people
	Few      int      // so many are asked about in the short run, 1 where it does not say
	By       []string // the files by which its programs are made, beside those that are common
	Make     func(m *maker) []program
}

// sets are what is asked about, in the order of the documentation.
var sets = []set{humanEval, nightmare, javascript, goTests, goChecks, java, cpp, rust}

// maker makes the programs of a set.
type maker struct {
	t     *testing.T
	limit int // no more programs than that
}

// write puts a program into a folder.
func (p *program) write(t *testing.T, dir string) {
	t.Helper()
	filetree.Write(t, dir, p.Files)
}

// ask is the question about a program that lies in a folder below the server's.
func (p *program) ask(folder string) testkit.A {
	question := testkit.A{"keep": false, "timeout_ms": 90000}
	maps.Copy(question, p.Question)
	if target, has := question["target"].(string); has {
		question["target"] = filepath.Join(folder, target)
	}
	return question
}
