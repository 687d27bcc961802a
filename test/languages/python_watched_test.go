//go:build linux

package languages

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"aidb-mcp/internal/testkit"
)

// eachPython runs a test with the Python that is found first, and with newer ones that
// stand beside it, whose debugger works in another way; in the short run with one newer one
// alone, where there is one.
func eachPython(t *testing.T, test func(t *testing.T, s *shop)) {
	t.Helper()
	found := map[string]string{"python3": ""}
	home, _ := os.UserHomeDir()
	for _, version := range []string{"3.12", "3.13", "3.14"} {
		kept, _ := filepath.Glob(filepath.Join(home, ".pyenv", "versions", version+".*", "bin", "python3"))
		if path, err := exec.LookPath("python" + version); err == nil {
			kept = append(kept, path)
		}
		if len(kept) > 0 {
			found[version] = kept[0]
		}
		if len(found) > 1 && !testkit.IsLong() {
			break
		}
	}
	if len(found) > 1 && !testkit.IsLong() { // TestLanguages and eachOldPython have the other way
		delete(found, "python3")
	}
	for name, path := range found {
		t.Run(name, func(t *testing.T) {
			s := openShop(t)
			s.python = path
			test(t, s)
		})
	}
}

// waitForInput runs a program until it waits for a line.
func (s *shop) waitForInput(program string, args A) {
	s.t.Helper()
	s.Write("program.py", program)
	args["target"], args["stdin_open"], args["timeout_ms"] = "program.py", true, 0
	s.start(args)
	s.Running()
	testkit.Eventually(s.t, testkit.CallLimit, "the program to wait", func() bool {
		return strings.Contains(s.OK("session", A{"action": "output"}).Text, "ready")
	})
}

const restingProgram = `
class Turn:
    def __await__(self):
        yield


async def poll(turns):
    while turns:
        try:
            await Turn()
        except KeyError:
            turns += 1  # @mark thrown
        turns -= 1  # @mark awaited


def numbers():
    number = 0
    while True:
        yield number
        number += 1  # @mark resumed


some, polling, thrown = numbers(), poll(2), poll(2)
next(some), polling.send(None), thrown.send(None)
print("ready", flush=True)
input()
next(some)
polling.send(None)
thrown.throw(KeyError())
`

// What rests when a breakpoint is set in it stops there when it goes on.
func TestPythonBreakpointsInWhatRests(t *testing.T) {
	eachPython(t, func(t *testing.T, s *shop) {
		s.waitForInput(restingProgram, A{})
		for _, place := range []string{"thrown", "awaited", "resumed"} {
			s.OK("breakpoint", A{"location": s.At("program.py", place)})
		}
		s.OK("session", A{"action": "input", "text": "\n"})
		s.OK("execute", A{"action": "wait"}).Stopped("stopped_at_breakpoint", s.At("program.py", "resumed"))
		s.OK("execute", nil).Stopped("stopped_at_breakpoint", s.At("program.py", "awaited"))
		s.OK("execute", nil).Stopped("stopped_at_breakpoint", s.At("program.py", "thrown"))
	})
}

// countedProgram counts how often the debugger has to look at something, from 3.12 on and before.
const countedProgram = `
import sys

asked = 0
monitoring = sys.modules.get("_pydevd_sys_monitoring._pydevd_sys_monitoring")


def count():
    if sys.version_info >= (3, 12):
        original = monitoring._get_func_code_info

        def counted(code, frame):
            global asked
            asked += 1
            return original(code, monitoring._getframe(frame + 1) if isinstance(frame, int) else frame)

        monitoring._get_func_code_info = counted
        return
    names = sys.modules["_pydevd_bundle.pydevd_frame"].PyDBFrame.trace_dispatch.__globals__
    for name in ("called", "line_of"):
        def counted(*args, original=names[name]):
            global asked
            asked += 1
            return original(*args)

        names[name] = counted


def busy(number):
    number += 1
    if number < 0:
        number = 0  # @mark never
    return number


def numbers(most):
    for number in range(most):
        if number < 0:
            number = 0  # @mark nowhere
        yield number


def work(most):
    for number in numbers(most):
        busy(number)
        busy(number)


work(10)
count()
work(10)
work(20000)
print("asked", asked < 500, flush=True)
`

// A breakpoint that is not hit costs nothing once its function has been through: the
// debugger is not called any more. What is set later, and steps, are heard all the same.
func TestPythonBreakpointsThatAreNotHit(t *testing.T) {
	eachPython(t, func(t *testing.T, s *shop) {
		s.Write("program.py", countedProgram)
		places := []A{}
		for _, place := range []string{"never", "nowhere"} {
			places = append(places, A{"file": "program.py", "line": s.Line(place)})
		}
		s.start(A{"target": "program.py", "breakpoints": places}).Want("terminated", "data", "execution_state", "status").Has("asked True")
	})
}

const bareProgram = `
import _thread

def work(number):
    number += 1  # @mark bare
    lock.release()


lock = _thread.allocate_lock()
lock.acquire()
_thread.start_new_thread(work, (1,))
lock.acquire()
`

// A thread of which module threading knows nothing stops at a breakpoint.
func TestPythonBreakpointInABareThread(t *testing.T) {
	eachPython(t, func(t *testing.T, s *shop) {
		s.Write("program.py", bareProgram)
		s.start(A{"target": "program.py", "breakpoints": []A{{"file": "program.py", "line": s.Line("bare")}}}).
			Stopped("stopped_at_breakpoint", s.At("program.py", "bare"))
	})
}

const busyProgram = `
import threading

seen = []
EACH = 400


def passed(number):
    number += 1  # @mark pass
    if number < 0:
        number = 0  # @mark never
    return number


def work():
    for number in range(2000):
        passed(0)
    ready.wait()
    go.wait()
    for number in range(EACH):
        passed(number)


ready, go = threading.Barrier(6), threading.Event()
threads = [threading.Thread(target=work) for _ in range(5)]
for thread in threads:
    thread.start()
ready.wait()
print("ready", flush=True)
input()
go.set()
for thread in threads:
    thread.join()
print("seen", sorted(seen) == sorted(list(range(EACH)) * 5), len(seen), flush=True)
`

// A line that threads had passed often is heard in each of them from when a breakpoint is
// set at it.
func TestPythonHitsOfSeveralThreads(t *testing.T) {
	eachPython(t, func(t *testing.T, s *shop) {
		s.Write("program.py", busyProgram)
		s.waitForInput(busyProgram, A{})
		s.OK("breakpoint", A{"location": s.At("program.py", "pass"), "log_message": "{seen.append(number)}"})
		s.OK("breakpoint", A{"location": s.At("program.py", "never")})
		s.OK("session", A{"action": "input", "text": "\n"})
		s.OK("execute", A{"action": "wait", "timeout_ms": startLimit}).Want("terminated", "data", "execution_state", "status").Has("seen True 2000")
		s.OK("breakpoint", A{"action": "list"}).Want("2000", "data", "breakpoints", "0", "hits")
	})
}

// What a log point has to say is said to its end, however much of it there is when a
// process ends.
func TestPythonSaysAllAtTheEnd(t *testing.T) {
	times := strconv.Itoa(testkit.Rounds(500, 1500)) // messages, which a pipe does not hold
	program := `
import os

for number in range(` + times + `):
    last = number  # @mark in-parent
if os.fork() == 0:
    for number in range(` + times + `):
        last = number  # @mark in-child
    os._exit(0)
os.wait()
`
	eachPython(t, func(t *testing.T, s *shop) {
		s.Write("program.py", program)
		s.start(A{"target": "program.py", "breakpoints": []A{
			{"file": "program.py", "line": s.Line("in-parent"), "log_message": "{number}"},
			{"file": "program.py", "line": s.Line("in-child"), "log_message": "{number}"},
		}}).Want("terminated", "data", "execution_state", "status")
		s.OK("breakpoint", A{"action": "list"}).Want(times, "data", "breakpoints", "0", "hits").Want(times, "data", "breakpoints", "1", "hits")
	})
}

const ownProgram = `
import sys

heard = []


def called():
    pass


def own(frame, event, arg):
    heard.append(event)


called()
if hasattr(sys, "monitoring"):
    for tool in (3, 4):
        sys.monitoring.use_tool_id(tool, "own")
    sys.monitoring.register_callback(4, sys.monitoring.events.PY_START, lambda code, offset: heard.append("call"))
    sys.monitoring.set_local_events(4, called.__code__, sys.monitoring.events.PY_START)
else:
    sys.settrace(own)
called()
raise ValueError("heard %s" % heard)
`

// TestDiagnosedProgramMayWatchItself: what notes the calls of the run that is looked at
// gives its place to the program, and another run shows them as far as it can.
func TestDiagnosedProgramMayWatchItself(t *testing.T) {
	t.Parallel()
	eachPython(t, func(t *testing.T, s *shop) {
		s.Write("program.py", ownProgram)
		start := A{}
		if s.python != "" {
			start["runtime_path"] = s.python
		}
		s.OK("diagnose", A{"target": "program.py", "language": "python", "start": start, "timeout_ms": startLimit}).
			Has("ValueError: heard ['call']", "the program was run a second time")
	})
}
