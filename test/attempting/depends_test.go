//go:build linux

package attempting

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"aidb-mcp/internal/testkit"
)

// alone is a server in a workspace with these files, and nothing of testdata.
func alone(t *testing.T, files map[string]string) *till {
	t.Helper()
	testkit.Adapters(t)
	p := &testkit.Program{Dir: filepath.Join(t.TempDir(), "work")}
	if err := os.Mkdir(p.Dir, 0o755); err != nil {
		t.Fatal(err)
	}
	s := &till{Program: p, t: t}
	for name, text := range files {
		s.put(filepath.Join(p.Dir, name), text)
	}
	s.Server = testkit.Start(t, testkit.Options{Dir: p.Dir, Env: []string{"XDG_CACHE_HOME=" + filepath.Join(filepath.Dir(p.Dir), "cache")}})
	s.before = s.files()
	return s
}

func (s *till) put(path, text string) {
	s.t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		s.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		s.t.Fatal(err)
	}
}

func replaces(hypothesis, file, old, new string) A {
	return A{"hypothesis": hypothesis, "edits": []A{{"file": file, "old": old, "new": new}}}
}

// What one trial builds neither another one sees, nor the workspace, nor a session; the tree
// in which sessions build lies outside of the workspace.
func TestBuildTreesApart(t *testing.T) {
	t.Parallel()
	for tool, c := range map[string]struct{ needs, file, text string }{
		"cmake": {"cmake", "CMakeLists.txt", "cmake_minimum_required(VERSION 3.10)\nproject(digit CXX)\nadd_executable(app main.cpp lib.cpp)\nenable_testing()\nadd_test(NAME app COMMAND app)\n"},
		"meson": {"meson", "meson.build", "project('digit', 'cpp')\napp = executable('app', 'main.cpp', 'lib.cpp')\ntest('app', app)\n"},
		"make":  {"make", "Makefile", "app: main.o lib.o\n\t$(CXX) $(CXXFLAGS) -o $@ main.o lib.o\n"},
	} {
		t.Run(tool, func(t *testing.T) {
			t.Parallel()
			if tool == "meson" {
				testkit.Long(t, "the same as with cmake: a tree outside of the workspace")
			}
			if _, err := exec.LookPath(c.needs); err != nil {
				t.Skip(err)
			}
			s := alone(t, map[string]string{
				c.file: c.text, "digit.h": "const int base = 9;\nint digit();\n", "lib.cpp": "#include \"digit.h\"\nint digit() { return base; }\n",
				"main.cpp": "#include <cstdio>\n#include \"digit.h\"\nint main() {\n  int d = digit();\n  std::printf(\"%d\\n\", d);\n  return d == 10 ? 0 : 1;\n}\n",
			})
			shows := func(want string) {
				t.Helper()
				s.OK("session_start", A{"target": ".", "breakpoints": []A{{"file": "main.cpp", "line": 5, "show": []string{"d"}}}}).Want(want, "data", "show", "d", "v")
				s.OK("session", A{"action": "stop"})
			}
			if tool != "make" { // which builds in the workspace
				shows("9")
			}
			check := A{"check": A{"target": "."}, "timeout_ms": 170_000, "candidates": []A{
				replaces("ten", "digit.h", "= 9", "= 10"), replaces("eleven", "digit.h", "= 9", "= 11"), replaces("ten too", "lib.cpp", "return base", "return base + 1"),
			}}
			r := s.OK("attempt", check)
			wants(t, r, "passed failed passed")
			if strings.Contains(r.String(), "passes without any change") {
				t.Errorf("the check fails:\n%s", r)
			}
			if tool != "make" {
				shows("9")
			}
			s.untouched()
		})
	}
}

// A verdict is not offered again where a file has changed that the program reads outside of
// the workspace, and is where it is as it was.
func TestFilesOutside(t *testing.T) {
	t.Parallel()
	s := alone(t, map[string]string{
		"app.py":  "import os, sys\nsys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'deps'))\nimport dep, mine\nassert mine.X + 1 == dep.LIMIT - 1, (mine.X, dep.LIMIT)\n",
		"mine.py": "X = 1\n",
	})
	dep := filepath.Join(filepath.Dir(s.Program.Dir), "deps", "dep.py")
	s.put(dep, "LIMIT = 4\n")
	try := func() testkit.Reply {
		return s.OK("attempt", A{"check": A{"target": "app.py"}, "timeout_ms": 100_000, "candidates": []A{replaces("two", "mine.py", "X = 1", "X = 2")}})
	}
	wants(t, try(), "passed")
	wants(t, try(), "same_as")
	s.put(dep, "LIMIT = 3\n")
	r := try()
	wants(t, r, "failed")
	r.Want("", "data", "winner").Contains([]string{"summary"}, "passes without any change")
	s.untouched()
}

// Root may change what belongs to others, in a trial as in a shell.
func TestForeignOwner(t *testing.T) {
	t.Parallel()
	if os.Getuid() != 0 {
		t.Skip("only root may give files away")
	}
	s := open(t, python, testkit.Options{})
	err := filepath.WalkDir(s.Program.Dir, func(path string, _ os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return os.Chown(path, 502, 502)
	})
	if err != nil {
		t.Fatal(err)
	}
	wants(t, s.try(s.right()), "passed")
	s.untouched()
}
