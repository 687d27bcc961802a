package workspace

import (
	"encoding/json"
	"os"
	"path"
	"slices"
	"strings"
	"time"
)

// results are what a test runner left of its last run.
type results struct {
	ran    time.Time
	failed []testName
}

// maxFailing is how many files with tests that failed are looked into.
const maxFailing = 50

// testName is a test as its suite names it.
type testName struct {
	file string // relative to the root
	name string // as in Suite.Names; empty where only the file is known
}

// lastRuns notes which tests failed when they were last run, by what their runners
// keep of that.
func (s *scan) lastRuns() {
	for _, dir := range s.buildDirectories() {
		s.take(s.pytestCache(dir))
		s.take(s.vitestResults(dir))
	}
	if s.frameworks[Framework{"javascript", "jest"}] {
		s.take(s.jestCache())
	}
	for _, r := range s.nativeRuns() {
		s.take(r)
	}
	s.take(s.javaResults())
}

// buildDirectories are those in which something is built, and so where runners
// keep their results; the root among them, and where pytest was run.
func (s *scan) buildDirectories() []string {
	dirs := []string{"."}
	for _, dir := range s.py.caches {
		if dir != "." {
			dirs = append(dirs, dir)
		}
	}
	for _, b := range s.project.Builds {
		if dir := path.Dir(b.Path); !slices.Contains(dirs, dir) {
			dirs = append(dirs, dir)
		}
	}
	return dirs
}

func (s *scan) take(r results) {
	for _, f := range r.failed {
		i := slices.IndexFunc(s.project.Tests, func(t Suite) bool { return t.Target == f.file && slices.Contains(t.Names, f.name) })
		if i < 0 { // one that its suite does not name, as a case
			i = slices.IndexFunc(s.project.Tests, func(t Suite) bool { return t.Target == f.file })
		}
		if i < 0 {
			continue
		}
		suite := &s.project.Tests[i]
		if suite.Failed = append(suite.Failed, f.name); r.ran.After(suite.Ran) {
			suite.Ran = r.ran
		}
	}
}

// pytestCache reads the names of failed tests: {"tests/test_a.py::TestB::test_c[1]": true}.
// Where somebody is at work is found by them too, in a large workspace.
func (s *scan) pytestCache(dir string) results {
	if _, known := s.py.failed[dir]; !known {
		if s.py.failed == nil {
			s.py.failed = map[string]results{}
		}
		s.py.failed[dir] = s.readPytestCache(dir)
	}
	return s.py.failed[dir]
}

func (s *scan) readPytestCache(dir string) (r results) {
	file := join(dir, ".pytest_cache/v/cache/lastfailed")
	info, err := os.Stat(s.abs(file))
	if err != nil {
		return r
	}
	var nodes map[string]bool
	_ = json.Unmarshal([]byte(s.read(file)), &nodes) // one that cannot be read says nothing
	r.ran = info.ModTime()
	texts := map[string]string{}
	for node := range nodes {
		file, name, ok := strings.Cut(node, "::")
		if file = join(dir, file); !ok {
			continue
		}
		if _, known := texts[file]; !known && len(texts) < maxFailing {
			texts[file] = s.read(file)
		}
		if defines(texts[file], name) {
			r.failed = append(r.failed, testName{file, name})
		}
	}
	slices.SortFunc(r.failed, func(a, b testName) int { return strings.Compare(a.name, b.name) })
	return r
}

// defines says that a test which has failed once is still there.
func defines(text, name string) bool {
	name, _, _ = strings.Cut(name, "[")
	return strings.Contains(text, "def "+name[strings.LastIndexByte(name, ':')+1:]+"(")
}
