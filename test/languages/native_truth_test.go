//go:build linux && amd64

package languages

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"aidb-mcp/internal/testkit"
)

const truths = `#include <cstdio>
#include <queue>
#include <string>
struct Shape { virtual ~Shape() = default; virtual int area() { return 1; } int n() { return 50; } };
struct Named { int pad = 9; virtual ~Named() = default; virtual int n() { return 1; } int own() { return pad; } };
struct Ring : Shape, Named { int n() override { return 20; } int area() override { return 8; } };
struct Plan { virtual ~Plan() = default; virtual int cost() = 0; int fixed() { return 4; } };
struct Both : Shape, Plan { int k = 3; int cost() override { return k; } int fixed() { return 6; } };
static int drain(int *n) {
  for (;;) { if (--*n <= 0) return *n; }
}
static int one() { int a = 1; a += 1; return a; }
static int two() { int b = 5; b += 2; return b; }
static int guard(int n) { if (n) return 1;
  return 0; }
int main() {
  Ring r; Named *named = &r; Shape *shape = &r; Both both; Plan *plan = &both;
  std::priority_queue<int> heap; heap.push(3); heap.push(8); heap.push(5);
  std::string bytes = "a\xff" "b", text = "a\\xffb";
  int Ring::*first = (int Ring::*)&Named::pad; int Ring::*none = nullptr;
  int left = 4;
  std::printf("%d %d %d %d %d %d\n", named->n(), named->own(), shape->n(), shape->area(), plan->cost(), plan->fixed()); //@shown
  return drain(&left) + one() + two() + guard(1) - 10 + (first == none) + (bytes == text);
}
`

// TestNativeTruths: values, calls and breakpoints are what the program itself would say
// of them, where something else is nearer at hand.
func TestNativeTruths(t *testing.T) {
	t.Parallel()
	testkit.Adapters(t)
	dir := t.TempDir()
	write(t, filepath.Join(dir, "truths.cpp"), truths, 0o644)
	line := 1 + strings.Count(truths[:strings.Index(truths, "//@shown")], "\n")
	for _, debugger := range []string{"codelldb", "gdb"} {
		t.Run(debugger, func(t *testing.T) {
			t.Parallel()
			s := testkit.Start(t, testkit.Options{Dir: dir, Env: withGDB()})
			start := A{
				"target": "truths.cpp", "adapter_options": A{"debugger": debugger}, "timeout_ms": startLimit,
				"breakpoints": []A{{"file": "truths.cpp", "line": line}, {"function": "drain"}, {"function": "one"}, {"function": "guard"}},
			}
			s.OK("session_start", start).Stopped("stopped_at_breakpoint", fmt.Sprintf("truths.cpp:%d", line))
			for expression, want := range map[string]string{
				"named->n()": "20", "shape->n()": "50", "shape->area()": "8", "named->own()": "9", // by the second base, and what is not virtual
				"plan->cost()": "3", "plan->fixed()": "4",
				"heap.top()": "8", "heap.top() == 5": "false",
				"bytes": `"a\xffb"`, "text": `"a\\xffb"`, // a byte that is no text, and a backslash
				"none": "nullptr",
			} {
				s.OK("inspect", A{"expression": expression}).Want(want, "data", "result", "v")
			}
			s.OK("execute", nil).Contains([]string{"data", "function"}, "drain")
			s.OK("execute", nil).Contains([]string{"data", "function"}, "one") // and no round of drain's loop before it
			if debugger != "gdb" {                                             // which has no watchpoints in its adapter
				s.OK("breakpoint", A{"action": "watch", "name": "a"})
			}
			guarded := 0 // a call whose first statement stands beside the function's name, and is its last
			for range 5 {
				r := s.OK("execute", nil)
				if strings.Contains(r.At("data", "function"), "two") {
					t.Fatalf("the watch of one's variable stops in two:\n%s", r)
				}
				if strings.Contains(r.At("data", "function"), "guard") {
					guarded++
				}
				if r.Status() == "terminated" {
					if guarded != 1 {
						t.Errorf("the breakpoint on guard has stopped %d times", guarded)
					}
					return
				}
			}
			t.Error("the program does not end")
		})
	}
}

const forking = `#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
static int serve(int n) {
  return n * 2;
}
int main(int argc, char **argv) {
  if (argc > 1) return serve(0);
  for (int i = 0; i < 3; i++) {
    pid_t p = fork();
    if (p == 0) _exit(serve(i));
    waitpid(p, 0, 0);
  }
  return 0;
}
`

// TestForkIsSaid: a breakpoint that only children come to is not simply never hit.
func TestForkIsSaid(t *testing.T) {
	t.Parallel()
	testkit.Adapters(t)
	dir := t.TempDir()
	write(t, filepath.Join(dir, "forking.c"), forking, 0o644)
	for _, debugger := range []string{"codelldb", "gdb"} {
		t.Run(debugger, func(t *testing.T) {
			t.Parallel()
			s := testkit.Start(t, testkit.Options{Dir: dir, Env: withGDB()})
			start := A{
				"target": "forking.c", "adapter_options": A{"debugger": debugger}, "timeout_ms": startLimit,
				"breakpoints": []A{{"file": "forking.c", "line": 5}},
			}
			r := s.OK("session_start", start)
			r.Want("terminated", "data", "execution_state", "status").Contains([]string{"data", "warnings"}, "not followed")
			start["args"] = []string{"here"}
			s.OK("session_start", start).Stopped("stopped_at_breakpoint", "forking.c:5")
		})
	}
}
