package project

import (
	"encoding/json"
	"os"
	"path"
	"slices"
	"strings"

	"aidb-mcp/internal/project/workspace"
)

// maxFailing is how many files with tests that failed are looked into.
const maxFailing = 50

// failedIn are the directories whose tests failed when they were last run at the root.
func (s *scan) failedIn() (dirs []string) {
	for _, failed := range s.pytestCache(".").Failed {
		dirs = append(dirs, path.Dir(failed.File))
	}
	return dirs
}

// lastRuns are the results that pytest has kept: where something is built, and where it was run.
func (s *scan) lastRuns() (list []workspace.Results) {
	dirs := s.BuildDirectories()
	for _, dir := range s.py.caches {
		if !slices.Contains(dirs, dir) {
			dirs = append(dirs, dir)
		}
	}
	for _, dir := range dirs {
		list = append(list, s.pytestCache(dir))
	}
	return list
}

// pytestCache reads the names of failed tests: {"tests/test_a.py::TestB::test_c[1]": true}.
// Where somebody is at work is found by them too, in a large workspace.
func (s *scan) pytestCache(dir string) workspace.Results {
	if _, known := s.py.failed[dir]; !known {
		if s.py.failed == nil {
			s.py.failed = map[string]workspace.Results{}
		}
		s.py.failed[dir] = s.readPytestCache(dir)
	}
	return s.py.failed[dir]
}

func (s *scan) readPytestCache(dir string) (r workspace.Results) {
	file := workspace.Join(dir, ".pytest_cache/v/cache/lastfailed")
	info, err := os.Stat(s.Abs(file))
	if err != nil {
		return r
	}
	var nodes map[string]bool
	_ = json.Unmarshal([]byte(s.Read(file)), &nodes) // one that cannot be read says nothing
	r.Ran = info.ModTime()
	texts := map[string]string{}
	for node := range nodes {
		file, name, ok := strings.Cut(node, "::")
		if file = workspace.Join(dir, file); !ok {
			continue
		}
		if _, known := texts[file]; !known && len(texts) < maxFailing {
			texts[file] = s.Read(file)
		}
		if defines(texts[file], name) {
			r.Failed = append(r.Failed, workspace.TestName{File: file, Name: name})
		}
	}
	slices.SortFunc(r.Failed, func(a, b workspace.TestName) int { return strings.Compare(a.Name, b.Name) })
	return r
}

// defines says that a test which has failed once is still there.
func defines(text, name string) bool {
	name, _, _ = strings.Cut(name, "[")
	return strings.Contains(text, "def "+name[strings.LastIndexByte(name, ':')+1:]+"(")
}
