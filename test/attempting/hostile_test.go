//go:build linux

package attempting

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"aidb-mcp/internal/testkit"
)

// A shortens what a candidate has the program do, in place of the wrong statement.
func (s *till) does(lines ...string) A {
	return s.edit(strings.Join(append(lines, "sum -= 0"), "\n    "))
}

// What the tried program does to its workspace, its machine and its time stays in its box.
func TestHostile(t *testing.T) {
	t.Parallel()
	for name, args := range map[string][]string{"overlay": nil, "copy": {"--copies"}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			limit := 10_000
			if name == "copy" { // where nobody sees what the check reads, it is made in each call
				limit = 60_000
			}
			s := open(t, python, testkit.Options{Args: args})
			candidates := []A{
				s.does("import os", `open("new.txt", "w").write("x")`, `os.remove("test_till.py")`, `open("till.py", "a").write("# written")`),
				s.does("import os", "if os.fork() == 0:", "    os.setsid()", "    if os.fork() == 0:", "        import time; time.sleep(1000)", "    os._exit(0)"),
				s.does("import os", "os._exit(7)"),
			}
			if name == "copy" && !testkit.IsLong() { // how a check ends is told in the same way
				r := s.try(candidates[:2]...)
				wants(t, r, "passed passed")
				if r.At("data", "workspace") == "" {
					t.Errorf("where it was tried is not told in\n%s", r)
				}
				s.untouched()
				return
			}
			if name == "overlay" { // what fills the disk fills the box, and goes with it
				candidates = append(candidates, s.does("import os", `f = open("big", "wb")`, "for n in range(1 << 16):", "    os.posix_fallocate(f.fileno(), n << 26, 1 << 26)"))
			}
			r := s.OK("attempt", s.args(A{"candidates": candidates, "parallel": 2}))
			wants(t, r, strings.Join([]string{"passed", "passed", "failed", "failed"}[:len(candidates)], " "))
			r.Want("exited with code 7", "data", "candidates", "2", "failure", "message")
			if name == "overlay" {
				r.Contains([]string{"data", "candidates", "3"}, "No space left")
			}
			hang := s.OK("attempt", s.args(A{"candidates": []A{s.does("import time", "time.sleep(1000)")}, "timeout_ms": limit}))
			wants(t, hang, "timed_out")
			hang.Want(r.At("data", "before"), "data", "before")
			if copied := r.At("data", "workspace"); (copied != "") != (name == "copy") {
				t.Errorf("it was tried in %q", copied)
			}
			s.untouched()
		})
	}
}

// The workspace may be edited while something is tried: what was tried then is not
// written over it, and the reply says what has changed.
func TestEditedMeanwhile(t *testing.T) {
	t.Parallel()
	s := open(t, python, testkit.Options{})
	done := make(chan testkit.Reply)
	go func() {
		done <- s.Call("attempt", s.args(A{"candidates": []A{s.does("import time", "time.sleep(8)")}}))
	}()
	s.tries()
	s.Write("other.py", "x = 1\n")
	r := <-done
	r.Has("other.py", "edited while this was tried")
	s.Fail("PATCH_FAILED", "attempt", s.args(A{"action": "apply", "n": 1}))
}

// tries waits until a process in a box runs the program.
func (s *till) tries() {
	s.t.Helper()
	testkit.Eventually(s.t, time.Minute, "a trial that runs", func() bool {
		for _, p := range testkit.Marked(s.Mark) {
			if strings.Contains(p.Command, "debugpy") || strings.Contains(p.Command, "unittest") || strings.Contains(p.Command, "pytest") {
				return true
			}
		}
		return false
	})
}

// boxed are the mounts of our boxes that this process sees: none, ever.
func boxed(t *testing.T, dir string) string {
	t.Helper()
	mounts, err := os.ReadFile("/proc/self/mounts")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(mounts)) {
		if strings.Contains(line, dir) {
			return line
		}
	}
	return ""
}

// However a trial is broken off, nothing of it is left, and the workspace is as it was.
func TestBrokenOff(t *testing.T) {
	t.Parallel()
	for name, args := range map[string][]string{"overlay": nil, "copy": {"--copies"}} {
		for how, end := range map[string]func(s *till, cancel func()){
			"cancelled": func(_ *till, cancel func()) { cancel() },
			"killed":    func(s *till, _ func()) { s.Kill() },
			"ended":     func(s *till, _ func()) { s.Signal(syscall.SIGTERM) },
		} {
			t.Run(name+" "+how, func(t *testing.T) {
				t.Parallel()
				if name == "copy" && how != "killed" {
					testkit.Long(t, "a copy that outlives a server that was killed is taken away as well where it could be told")
				}
				s := open(t, python, testkit.Options{Args: args})
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				done := make(chan struct{})
				go func() {
					defer close(done)
					_, _ = s.CallContext(ctx, "attempt", s.args(A{"candidates": []A{
						s.does("import os, time", `open("new.txt", "w").write("x")`, "os.fork()", "time.sleep(1000)"), s.does("import time", "time.sleep(1000)"),
					}}))
				}()
				s.tries()
				end(s, cancel)
				<-done
				s.untouched()
				if line := boxed(t, filepath.Base(filepath.Dir(s.Program.Dir))); line != "" {
					t.Errorf("mounted is %s", line)
				}
				if how == "cancelled" {
					wants(t, s.OK("attempt", s.args(A{"action": "list"})), "")
					wants(t, s.try(s.right()), "passed")
				}
			})
		}
	}
}

// In a copy the paths of the start mean the copy.
func TestPathsOfACopy(t *testing.T) {
	t.Parallel()
	s := open(t, python, testkit.Options{Args: []string{"--copies"}})
	s.Write("main.py", "import os, sys\nfrom till import total\nassert open(sys.argv[1]).read() == open(os.environ['MORE'].split(':')[0]).read()\nassert __file__.startswith(os.getcwd()), __file__\nassert total([3, 4, 5]) == 12, __file__\n")
	s.before = s.files()
	dir := s.Program.Dir
	check := A{"target": filepath.Join(dir, "main.py"), "args": []string{filepath.Join(dir, "till.py")}, "cwd": dir, "env": A{"MORE": filepath.Join(dir, "till.py") + ":/tmp"}}
	r := s.OK("attempt", A{"check": check, "timeout_ms": 100_000, "candidates": []A{
		s.right(), s.wrong(), {"at": A{"location": filepath.Join(dir, s.At(s.File, "off")), "skip": true}},
	}})
	wants(t, r, "passed failed passed")
	r.Want("AssertionError: "+check["target"].(string), "data", "candidates", "1", "failure", "message")
	if r.At("data", "workspace") == "" || strings.Contains(r.At("data", "candidates"), r.At("data", "workspace")) {
		t.Errorf("the copy is not named, or its path is where the workspace's should be: %s", r)
	}
	s.untouched()
}

// The tasks of a configuration run in the copy too, also where the check names the
// workspace, absolute or relative.
func TestTasksOfACopy(t *testing.T) {
	t.Parallel()
	for name, args := range map[string][]string{"overlay": nil, "copy": {"--copies"}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if name == "overlay" {
				testkit.Long(t, "there the paths are those of the workspace")
			}
			testkit.Adapters(t)
			p := testkit.NewProgramOf(t, "python", "till")
			p.Write("checked.py", "import os\nfrom till import total\nassert open('made.txt').read().strip() == os.getcwd()\nassert total([3, 4, 5]) == 12\n")
			p.Write(".vscode/launch.json", `{"configurations": [{"name": "Check", "type": "debugpy", "request": "launch",
				"program": "${workspaceFolder}/checked.py", "cwd": "${workspaceFolder}", "preLaunchTask": "make"}]}`)
			p.Write(".vscode/tasks.json", `{"tasks": [{"label": "make", "type": "shell", "command": "pwd > made.txt"}]}`)
			s := &till{Server: testkit.Start(t, testkit.Options{Dir: filepath.Dir(p.Dir), Args: args}), Program: p, tongue: python, t: t}
			s.before = s.files()
			check := A{"launch_config_name": "Check", "workspace_root": p.Dir}
			if name == "overlay" {
				check["workspace_root"] = filepath.Base(p.Dir)
			}
			wants(t, s.OK("attempt", A{"check": check, "timeout_ms": 100_000, "candidates": []A{s.right()}}), "passed")
			s.untouched()
		})
	}
}

// What an ordinary user may do, a trial may.
func TestOrdinaryUser(t *testing.T) {
	t.Parallel()
	if os.Getuid() != 0 {
		t.Skip("all other tests are that of an ordinary user")
	}
	testkit.Adapters(t)
	base, err := os.MkdirTemp("", "aidb-user-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(base) })
	dir, tmp, home := filepath.Join(base, "work"), filepath.Join(base, "tmp"), filepath.Join(base, "home")
	p := testkit.NewProgramOf(t, "python", "till")
	if err := os.CopyFS(dir, os.DirFS(p.Dir)); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(tmp, 0o755); err != nil {
		t.Fatal(err)
	}
	debugpy := filepath.Join("adapters", "debugpy") // those of who runs the tests may be closed to others
	if err := os.CopyFS(filepath.Join(home, debugpy), os.DirFS(filepath.Join(os.Getenv("AIDB_HOME"), debugpy))); err != nil {
		t.Fatal(err)
	}
	err = filepath.WalkDir(base, func(path string, _ os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return os.Chown(path, 65534, 65534)
	})
	if err != nil {
		t.Fatal(err)
	}
	p.Dir = dir
	s := reopen(t, python, p, testkit.Options{
		Tmp: tmp, Through: []string{"setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"}, Env: []string{"HOME=" + tmp, "AIDB_HOME=" + home},
	})
	r := s.try(s.right(), s.at(A{"skip": true}))
	wants(t, r, "passed passed")
	t.Logf("tried in %q", r.At("data", "workspace"))
	s.untouched()
	s.OK("attempt", s.args(A{"action": "apply"}))
}
