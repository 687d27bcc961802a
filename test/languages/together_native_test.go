//go:build linux

package languages

import (
	"context"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"aidb-mcp/internal/testkit"
)

const steppingAmongThreads = `#include <chrono>
#include <thread>

int work(int n) {
  int total = 0;
  for (int i = 0; i < n; i++) {
    int item = i * 2;
    total += item; // breakpoint
  }
  return total;
}

int main() {
  std::thread([] { std::this_thread::sleep_for(std::chrono::minutes(5)); }).detach();
  return work(5) != 20;
}
`

// A step that ends at a breakpoint stops at the debugger's own breakpoint there,
// too: beside it the user's is found, and that of every other thread.
func TestStepsOntoABreakpointAmongThreads(t *testing.T) {
	t.Parallel()
	testkit.Adapters(t)
	for _, debugger := range debuggers() {
		t.Run(debugger, func(t *testing.T) {
			t.Parallel()
			p := testkit.NewProgram(t, "")
			p.Write("stepping.cpp", steppingAmongThreads)
			s := testkit.Start(t, testkit.Options{Dir: p.Dir, Env: withGDB(), Args: []string{"--log-level", "debug"}})
			s.OK("session_start", A{
				"target": "stepping.cpp", "breakpoints": []A{{"file": "stepping.cpp", "line": 8}}, "timeout_ms": startLimit,
				"adapter_options": A{"debugger": debugger},
			}).Stopped("stopped_at_breakpoint", "stepping.cpp:8")
			s.OK("step", A{}).Stopped("stopped_after_step", "stepping.cpp:6")
			s.OK("step", A{}).Stopped("stopped_after_step", "stepping.cpp:7")
			s.OK("step", A{}).Stopped("stopped_at_breakpoint", "stepping.cpp:8").Want("1", "data", "execution_state", "hit_breakpoints", "0")
			s.OK("session", A{"action": "stop"})
			if log := s.Stderr(); strings.Contains(log, "what the other threads have stopped for") {
				t.Errorf("the debugger could not be asked for the other threads:\n%s", log)
			}
		})
	}
}

const spinning = `int main(int argc, char **argv) {
  volatile int n = 0;
  while (argc) {
    n = n + 1; // breakpoint
  }
}
`

// early puts a breakpoint's trap into the program's memory by hand, as LLDB does
// in the moment before it lists the breakpoint, and lists it when that is hit.
const early = `
import json, sys
sys.path.insert(0, "SCRIPTS")
from aidb.debugger.lldb.stops import stops as stops_of

def run(debugger, command, result, internal):
    debugger.SetAsync(False)
    target = debugger.GetSelectedTarget()
    here = lambda: target.BreakpointCreateByLocation("spinning.c", 4)
    target.BreakpointCreateByName("main").SetOneShot(True)
    process = target.LaunchSimple(None, None, ".")
    probe = here()
    address = probe.GetLocationAtIndex(0).GetLoadAddress()
    target.BreakpointDelete(probe.GetID())
    stops = []
    def hit():
        process.Continue()
        stops.append(stops_of(target)["threads"])
    debugger.HandleCommand("process plugin packet send Z0,%x,1" % address)
    process.Continue()
    debugger.HandleCommand("process plugin packet send z0,%x,1" % address)
    listed = [here().GetID()]
    stops.append(stops_of(target)["threads"])
    hit()
    print("STOPS " + json.dumps([[t["reason"], t["hitBreakpointIds"] == listed] for threads in stops for t in threads]))
    process.Kill()
`

// A breakpoint that is set while the program runs springs before LLDB knows it,
// once in thousands of times: what LLDB then calls a SIGTRAP is its hit.
func TestABreakpointThatSpringsBeforeItIsListed(t *testing.T) {
	t.Parallel()
	p := testkit.NewProgram(t, "")
	p.Write("spinning.c", spinning)
	p.Write("early.py", strings.ReplaceAll(early, "SCRIPTS", filepath.Join(testkit.Root(), "adapters", "native", "scripts")))
	if out, err := exec.Command("gcc", "-g", "-O0", "-o", filepath.Join(p.Dir, "spinning"), filepath.Join(p.Dir, "spinning.c")).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	lldb := exec.CommandContext(ctx, "lldb-19", "-b", "-o", "target create spinning",
		"-o", "command script import ./early.py", "-o", "command script add -f early.run early", "-o", "early")
	lldb.Dir = p.Dir
	out, err := lldb.CombinedOutput()
	if want := `STOPS [["breakpoint", true], ["breakpoint", true]]`; err != nil || !strings.Contains(string(out), want) {
		t.Errorf("%v, no %s in\n%s", err, want, out)
	}
}
