package workspace

import (
	"path"
	"slices"
	"time"
)

// Results are what a test runner left of its last run.
type Results struct {
	Ran    time.Time
	Failed []TestName
}

// TestName is a test as its suite names it.
type TestName struct {
	File string // relative to the root
	Name string // as in Suite.Names; empty where only the file is known
}

// lastRuns notes which tests failed when they were last run, by what their runners
// keep of that.
func (s *Look) lastRuns() {
	for _, d := range s.detectors {
		if d.LastRuns == nil {
			continue
		}
		for _, r := range d.LastRuns() {
			s.take(r)
		}
	}
}

// BuildDirectories are those in which something is built, and so where runners
// keep their Results; the root among them.
func (s *Look) BuildDirectories() []string {
	dirs := []string{"."}
	for _, b := range s.Project.Builds {
		if dir := path.Dir(b.Path); !slices.Contains(dirs, dir) {
			dirs = append(dirs, dir)
		}
	}
	return dirs
}

func (s *Look) take(r Results) {
	for _, f := range r.Failed {
		i := slices.IndexFunc(s.Project.Tests, func(t Suite) bool { return t.Target == f.File && slices.Contains(t.Names, f.Name) })
		if i < 0 { // one that its suite does not name, as a case
			i = slices.IndexFunc(s.Project.Tests, func(t Suite) bool { return t.Target == f.File })
		}
		if i < 0 {
			continue
		}
		suite := &s.Project.Tests[i]
		if suite.Failed = append(suite.Failed, f.Name); r.Ran.After(suite.Ran) {
			suite.Ran = r.Ran
		}
	}
}
