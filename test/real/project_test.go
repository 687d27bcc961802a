//go:build linux

package real

import (
	"slices"
	"testing"

	"aidb-mcp/internal/testkit"
	"aidb-mcp/internal/testkit/registry"
)

// A is the arguments of a call.
type A = testkit.A

// project is a real program, library or both.
type project struct {
	Name     string // in the names of tests, and of its folder in testdata
	Title    string // for people: "Flask 3.1.2"
	Language string // for people: "Python"
	Small    bool   // it runs without -all too
	Long     string // why it is part of the long run then; empty: it is part of both

	Pins  []registry.Pin // its code, each into a folder of the project
	Edits []edit         // what is changed in it
	Build [][]string     // commands, run in the project's folder after all of that

	Journeys []journey
	Again    []string // those left to the long run: the same is asked of another project there, or of programs of the tests
}

// edit replaces a text of a file, once.
type edit struct {
	File, Old, New string
}

// journey is what an agent does there.
type journey struct {
	Name  string // in the names of tests
	Shows string // for people, a clause: "a failing test stops at its assertion"
	Tell  func(s *story)
}

// projects are the rows of the suite, in the order of the documentation. Each
// list stands in the file of its language.
var projects = slices.Concat(golang, python, javascript, native, rust, java, javaServers)

// Every journey through every project shows what the program itself says.
func TestProjects(t *testing.T) {
	t.Parallel()
	testkit.Adapters(t)
	for _, p := range projects {
		if !p.Small && !*all {
			continue
		}
		t.Run(p.Name, func(t *testing.T) {
			t.Parallel()
			if p.Long != "" && !*all {
				testkit.Long(t, p.Long)
			}
			dir := p.prepare(t)
			for _, j := range p.Journeys {
				t.Run(j.Name, func(t *testing.T) {
					if slices.Contains(p.Again, j.Name) && !*all {
						testkit.Long(t, "asked of another project, or by other packages of programs of their own")
					}
					j.Tell(&story{Server: testkit.Start(t, testkit.Options{Dir: dir}), t: t})
				})
			}
		})
	}
}

// Names tell projects, and the journeys of one, apart.
func TestNames(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, p := range projects {
		if seen[p.Name] || len(p.Journeys) == 0 {
			t.Errorf("%s: its name is taken, or it has no journey", p.Name)
		}
		seen[p.Name] = true
		for _, name := range p.Again {
			if !slices.ContainsFunc(p.Journeys, func(j journey) bool { return j.Name == name }) {
				t.Errorf("%s has no journey %q", p.Name, name)
			}
		}
		for _, j := range p.Journeys {
			if name := p.Name + "/" + j.Name; seen[name] || j.Shows == "" {
				t.Errorf("%s: its name is taken, or it shows nothing", name)
			}
			seen[p.Name+"/"+j.Name] = true
		}
	}
}
