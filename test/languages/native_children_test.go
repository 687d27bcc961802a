package languages

import (
	"path/filepath"
	"slices"
	"testing"

	"aidb-mcp/internal/testkit"
)

const familyC = `#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
static int work(int n) {
  int twice = n * 2;
  return twice;
}
int main(void) {
  pid_t all[3];
  for (int i = 0; i < 3; i++) {
    if ((all[i] = fork()) == 0) {
      if (work(i + 1) == 6) abort();
      _exit(i);
    }
  }
  int sum = 0, status = 0;
  for (int i = 0; i < 3; i++) {
    waitpid(all[i], &status, 0);
    sum += WIFSIGNALED(status) ? 100 : WEXITSTATUS(status);
  }
  sum += WEXITSTATUS(system("exit 3"));
  printf("sum %d\n", sum);
  return sum;
}
`

// Under gdb all processes that a program starts are parts of its session: several at once, each with its
// own values, and the end and its code are the program's own.
func TestNativeChildrenAreFollowed(t *testing.T) {
	t.Parallel()
	testkit.Adapters(t)
	dir := t.TempDir()
	write(t, filepath.Join(dir, "family.c"), familyC, 0o644)
	s := testkit.Start(t, testkit.Options{Dir: dir, Env: withGDB()})
	follow := A{"debugger": "gdb", "followChildren": true}
	r := s.OK("session_start", A{"target": "family.c", "timeout_ms": startLimit, "adapter_options": follow, "breakpoints": []A{{"file": "family.c", "line": 7}}})
	s.OK("inspect", A{"target": "threads"}).Has(", process ")
	var seen []string
	aborted := 0
	for range 4 {
		switch r.Status() {
		case "stopped_at_breakpoint":
			seen = append(seen, r.At("data", "locals", "n", "v")+":"+r.At("data", "locals", "twice", "v"))
		case "stopped_at_exception":
			aborted++
			r.Has("SIGABRT", "family.c:13")
		}
		r = s.OK("execute", A{"timeout_ms": startLimit})
	}
	slices.Sort(seen)
	if !slices.Equal(seen, []string{"1:2", "2:4", "3:6"}) || aborted != 1 {
		t.Errorf("the children stopped with %q, and %d aborted", seen, aborted)
	}
	r.Want("terminated", "data", "execution_state", "status").Has("sum 104", "code 104").Lacks("not followed")

	s.OK("diagnose", A{"target": "family.c", "timeout_ms": startLimit, "start": A{"adapter_options": follow}}).Want("SIGABRT", "data", "signal").Has("family.c:13")
	s.Fail("CAPABILITY_NOT_SUPPORTED", "session_start", A{"target": "family.c", "adapter_options": A{"debugger": "codelldb", "followChildren": true}})
}

// A debugger that goes with a child finds its threads, and says that the program's own end is not told.
func TestADebuggerThatGoesWithAChild(t *testing.T) {
	t.Parallel()
	testkit.Adapters(t)
	dir := t.TempDir()
	write(t, filepath.Join(dir, "family.c"), familyC, 0o644)
	s := testkit.Start(t, testkit.Options{Dir: dir, Env: withGDB()})
	for debugger, command := range map[string]string{"gdb": "set follow-fork-mode child", "codelldb": "settings set target.process.follow-fork-mode child"} {
		r := s.OK("session_start", A{
			"target": "family.c", "timeout_ms": startLimit, "breakpoints": []A{{"file": "family.c", "line": 7}},
			"adapter_options": A{"debugger": debugger, "initCommands": []string{command}},
		})
		r.Stopped("stopped_at_breakpoint", "family.c:7").Want("1", "data", "locals", "n", "v").Contains([]string{"data", "warnings"}, "its exit code")
		s.OK("inspect", A{"target": "stack"}).Has("main", "family.c:13")
		s.OK("execute", A{"timeout_ms": startLimit}).Want("terminated", "data", "execution_state", "status").Lacks("settings set")
	}
}
