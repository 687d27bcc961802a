package languages

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"aidb-mcp/internal/testkit"
)

const parentC = `#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
int work(int n) { return n * 2; }
int main(int argc, char **argv) {
  pid_t p = fork();
  if (p == 0) { if (work(3) == 6) abort(); _exit(0); }
  waitpid(p, 0, 0);
  return system("exit 3") ? 0 : 1;
}
`

const parentJava = `public class Parent {
    static int work(int n) { return n * 2; }
    public static void main(String[] args) throws Exception {
        if (args.length > 0) { if (work(3) == 6) throw new IllegalStateException(); return; }
        String java = System.getProperty("java.home") + "/bin/java";
        new ProcessBuilder(java, "-cp", System.getProperty("java.class.path"), "Parent", "child").start().waitFor();
    }
}
`

const parentGo = `package main

import (
	"os"
	"os/exec"
	"time"
)

func work(n int) int {
	return n * 2
}

func main() {
	if len(os.Args) > 1 {
		if work(3) == 6 {
			panic("the child fails")
		}
		return
	}
	self, _ := os.Executable()
	_ = exec.Command(self, "child").Run()
	time.Sleep(300 * time.Millisecond) // so that it is seen to have waited
}
`

// What a child has done that nobody follows is not said to have happened never, and a parent
// that runs to its end is not said to have had no failing child.
func TestChildrenThatNobodyFollows(t *testing.T) {
	t.Parallel()
	testkit.Adapters(t)
	for _, p := range []struct {
		name, file, text, target string
		line                     int
		options                  A
		env                      []string
		ends                     []string // of its child processes
		follow                   bool     // the first of them is debugged by the next call of the reply
	}{
		{"c-lldb", "parent.c", parentC, "parent.c", 4, A{"debugger": "codelldb"}, nil, []string{"ended by signal SIGABRT", "sh (process", "ended with exit code 3"}, true},
		{"c-gdb", "parent.c", parentC, "parent.c", 4, A{"debugger": "gdb"}, withGDB(), []string{"ended by signal SIGABRT", "ended with exit code 3"}, true},
		{"java", "Parent.java", parentJava, "Parent.java", 2, nil, nil, []string{"java (process", "ended with exit code 1"}, false},
		{"go", "main.go", parentGo, ".", 10, nil, nil, []string{"ended with exit code 2"}, false},
	} {
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			if p.name == "c-lldb" || p.name == "java" {
				testkit.Long(t, "the kernel tells of all children in the same way: gdb's follow more, and Go's less")
			}
			dir := t.TempDir()
			write(t, filepath.Join(dir, p.file), p.text, 0o644)
			if p.name == "go" {
				write(t, filepath.Join(dir, "go.mod"), "module parent\n\ngo 1.22\n", 0o644)
			}
			s := testkit.Start(t, testkit.Options{Dir: dir, Env: p.env})
			with := func(more A) A {
				more["target"], more["timeout_ms"] = p.target, startLimit
				if p.options != nil {
					more["start"] = A{"adapter_options": p.options}
				}
				return more
			}
			start := A{"target": p.target, "timeout_ms": startLimit, "breakpoints": []A{{"file": p.file, "line": p.line}}}
			if p.options != nil {
				start["adapter_options"] = p.options
			}
			s.OK("session_start", start).Want("terminated", "data", "execution_state", "status").Contains([]string{"data", "warnings"}, "not followed", "child process")
			s.OK("trace", with(A{"what": "calls", "functions": []string{"work"}})).Has("is not all", "started child processes")
			told := s.OK("diagnose", with(A{})).Want("ok", "data", "verdict")
			told.Contains([]string{"data", "warnings"}, "not followed", "child process")
			if os.Getuid() == 0 { // whom the kernel tells how they ended
				told.Contains([]string{"data", "warnings"}, p.ends...).Contains([]string{"summary"}, "child process")
			} else {
				told.Contains([]string{"data", "warnings"}, "whether one of those failed was not seen")
			}
			if p.follow && os.Getuid() == 0 { // the reply's own next call finds the fault in the child
				var next []struct {
					Tool   string
					Params A
				}
				told.Decode(&next, "next_steps")
				if len(next) == 0 || next[0].Tool != "diagnose" {
					t.Fatalf("no next call in %s", told)
				}
				next[0].Params["timeout_ms"] = startLimit
				s.OK("diagnose", next[0].Params).Want("SIGABRT", "data", "signal").Has(p.file + ":7")
			}
			if p.name != "go" {
				return
			}
			start["adapter_options"] = A{"followExec": true}
			s.OK("session_start", start).Stopped("stopped_at_breakpoint", "main.go:10").Want("3", "data", "locals", "n", "v")
			s.OK("execute", nil).Want("stopped_at_exception", "data", "execution_state", "status").Has("the child fails")
			s.OK("execute", nil).Want("terminated", "data", "execution_state", "status").Lacks("not followed")
		})
	}
}

const twoC = `#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
int main(void) {
  pid_t first = fork();
  if (first == 0) { system("exit 3"); _exit(0); }
  if (fork() == 0) for (;;) pause();
  waitpid(first, 0, 0);
  return 0;
}
`

// A child process that outlives its program has neither failed, for it is us who end it, nor is it
// taken for ended because another one had a child of its own.
func TestChildrenThatOutlive(t *testing.T) {
	t.Parallel()
	testkit.Adapters(t)
	if os.Getuid() != 0 {
		t.Skip("the kernel tells only root how they ended")
	}
	dir := t.TempDir()
	write(t, filepath.Join(dir, "two.c"), twoC, 0o644)
	s := testkit.Start(t, testkit.Options{Dir: dir, Env: withGDB()})
	for _, debugger := range []string{"codelldb", "gdb"} {
		told := s.OK("diagnose", A{"target": "two.c", "timeout_ms": startLimit, "start": A{"adapter_options": A{"debugger": debugger}}})
		told.Want("ok", "data", "verdict").Contains([]string{"data", "warnings"},
			"started 2 child processes (and these 1 more), of which 1 had not ended when it did; sh (process", "ended with exit code 3").Lacks("SIGKILL")
	}
}

const poolPython = `import multiprocessing
import sys
from concurrent.futures import ProcessPoolExecutor

def work(n):
    return n * 2

if __name__ == "__main__":
    with ProcessPoolExecutor(int(sys.argv[1]), multiprocessing.get_context("fork")) as pool:
        total = sum(pool.map(work, range(4)))
    work(total)
`

// What the processes of a pool do is recorded, and is not compared where it may be shared out anew.
func TestForkedProcessesAreRecorded(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "pool.py"), poolPython, 0o644)
	s := testkit.Start(t, testkit.Options{Dir: dir})
	calls := func(processes string, more A) testkit.Reply {
		more["target"], more["start"] = "pool.py", A{"args": []string{processes}}
		more["what"], more["functions"] = "calls", []string{"work"}
		return s.OK("trace", more)
	}
	calls("2", A{}).Want("5", "data", "hits").Has("work(n=12)").Has("work(n=3)").Has("child ") // either may have done it all
	calls("2", A{"against": A{"env": A{"X": "1"}}}).Has("not all of the runs was compared").Lacks("part at")
	calls("1", A{"against": A{"env": A{"X": "1"}}}).Has("both runs are the same in all 5 hits")
}

const parentJS = `const { Worker } = require('worker_threads');
const { execFileSync } = require('child_process');
const child = require('path').join(__dirname, 'child.js');
if (process.argv[2] === 'thread') new Worker(child);
else execFileSync(process.execPath, [child]);
`

const childJS = "function work(n) {\n  return n * 2;\n}\nwork(3);\n"

const parentRuby = "system(\"ruby\", File.join(__dir__, \"child.rb\"))\n"

// What a worker thread does is recorded, and judged by itself.
func TestWorkerThreadsAreRecorded(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "parent.js"), parentJS, 0o644)
	write(t, filepath.Join(dir, "child.js"), childJS, 0o644)
	s := testkit.Start(t, testkit.Options{Dir: dir})
	ask := A{"target": "parent.js", "start": A{"args": []string{"thread"}}}
	ask["what"], ask["functions"] = "calls", []string{"work"}
	s.OK("trace", ask).Want("1", "data", "hits").Has("work(n=3)", "worker 1")
	delete(ask, "functions")
	ask["what"], ask["condition"], ask["scope"] = "first", "n > 2", []string{"work"}
	s.OK("trace", ask).Contains([]string{"summary"}, "n > 2 holds already as a call begins, at child.js:1 in work, in worker 1")
	ask["condition"] = "n > 3"
	s.OK("trace", ask).Contains([]string{"summary"}, "held at none of").Lacks("not all")
}

// A function that only a child process is not said to be none of the program's:
// that is said where all of a run was seen.
func TestFunctionsThatOnlyChildrenLoad(t *testing.T) {
	t.Parallel()
	for _, p := range []struct {
		parent, child, text, work string
		args                      []string
	}{
		{"parent.js", "child.js", parentJS, childJS, []string{"process"}},
		{"parent.rb", "child.rb", parentRuby, "def work(n)\n  n * 2\nend\nwork(3)\n", nil},
		{"parent.py", "child.py", "import subprocess, sys\nsubprocess.run([sys.executable, 'child.py'])\n", "def work(n):\n    return n * 2\nwork(3)\n", nil},
	} {
		t.Run(strings.Join(append([]string{p.parent}, p.args...), " "), func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			write(t, filepath.Join(dir, p.parent), p.text, 0o644)
			write(t, filepath.Join(dir, p.child), p.work, 0o644)
			s := testkit.Start(t, testkit.Options{Dir: dir})
			start := A{"args": p.args}
			s.OK("trace", A{"target": p.parent, "start": start, "what": "calls", "functions": []string{"work"}}).
				Has("no call of work was seen in what was noted", "which is not all").Lacks("never called")
			s.Fail("VALIDATION_INVALID_PARAM", "trace", A{"target": p.child, "what": "calls", "functions": []string{"works"}}).Has("is called works")
		})
	}
}
