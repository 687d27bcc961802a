package cpp

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"aidb-mcp/internal/project/workspace"
	"aidb-mcp/internal/text/pattern"
)

var (
	ctestFailed  = pattern.New(`(?m)^\d+:(.+?)\r?$`)
	googleFailed = pattern.New(`(?m)^\[  FAILED  \] ([\w/]+\.[\w/]+)`)
)

// nativeRuns are what CTest and Meson keep of their last runs in the build trees of
// each project.
func (s *scan) nativeRuns() (list []workspace.Results) {
	tops := slices.DeleteFunc(slices.Clone(s.natives.dirs), func(dir string) bool { return s.natives.top(dir) != dir })
	for _, top := range tops[:min(len(tops), maxTrees)] {
		for _, place := range []string{".", "build", "build/*", "build-*", "cmake-build-*", "builddir", "out/*", "out/build/*", "_build"} {
			found, _ := filepath.Glob(filepath.Join(s.Abs(top), filepath.FromSlash(place)))
			for _, tree := range found[:min(len(found), maxTrees)] {
				rel, err := filepath.Rel(s.Project.Root, tree)
				if err != nil {
					continue
				}
				list = append(list, s.ctestLog(top, filepath.ToSlash(rel)), s.mesonLog(top, filepath.ToSlash(rel)))
			}
		}
	}
	return list
}

// maxTrees is how many projects, and of each how many build trees of one kind, are looked into.
const maxTrees = 20

// ctestLog reads which tests failed: a number, a colon and a name on each line. A test
// that is a whole program of GoogleTest's has said itself which of its tests failed.
func (s *scan) ctestLog(top, tree string) (r workspace.Results) {
	file := workspace.Join(tree, "Testing/Temporary/LastTestsFailed.log")
	info, err := os.Stat(s.Abs(file))
	if err != nil {
		return r
	}
	r.Ran = info.ModTime()
	var unknown []string
	for _, name := range workspace.Submatches(ctestFailed, s.Read(file)) {
		if test, known := s.natives.test(top, name); known {
			r.Failed = append(r.Failed, test)
		} else {
			unknown = append(unknown, name)
		}
	}
	if len(unknown) > 0 {
		r.Failed = append(r.Failed, s.natives.googleFailures(top, s.Read(workspace.Join(tree, "Testing/Temporary/LastTest.log")))...)
	}
	return r
}

// mesonLog reads how each test ended, an object on each line.
func (s *scan) mesonLog(top, tree string) (r workspace.Results) {
	file := workspace.Join(tree, "meson-logs/testlog.json")
	info, err := os.Stat(s.Abs(file))
	if err != nil {
		return r
	}
	r.Ran = info.ModTime()
	for line := range strings.Lines(s.Read(file)) {
		var test struct{ Name, Stdout, Result string }
		if json.Unmarshal([]byte(line), &test) != nil || !slices.Contains([]string{"FAIL", "ERROR", "TIMEOUT"}, test.Result) {
			continue
		}
		name := test.Name
		if i := strings.LastIndex(name, " / "); i >= 0 { // "project:suite / name"
			name = name[i+len(" / "):]
		}
		if found, known := s.natives.test(top, name); known {
			r.Failed = append(r.Failed, found)
		} else {
			r.Failed = append(r.Failed, s.natives.googleFailures(top, test.Stdout)...)
		}
	}
	return r
}

// googleFailures are the tests that failed by what GoogleTest has printed.
func (n *nativeFiles) googleFailures(top, output string) (failed []workspace.TestName) {
	for _, name := range workspace.Submatches(googleFailed, output) {
		if test, known := n.test(top, name); known && !slices.Contains(failed, test) {
			failed = append(failed, test)
		}
	}
	return failed
}

// test is where a test of a project is, by its name, also by that of one of its cases:
// "Small/Box.Holds/2" is one of "Box.Holds".
func (n *nativeFiles) test(top, name string) (workspace.TestName, bool) {
	target, known := n.named[nameIn{top, name}]
	if !known {
		suite, test, _ := strings.Cut(name, ".")
		parts := strings.Split(suite, "/")
		test, _, _ = strings.Cut(test, "/")
		for _, part := range parts {
			if target, known = n.named[nameIn{top, part + "." + test}]; known {
				break
			}
		}
	}
	return workspace.TestName{File: target, Name: name}, known
}
