//go:build linux

package languages

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"aidb-mcp/adapters/install"
	"aidb-mcp/internal/testkit"
)

// shop is a server in a copy of testdata/python/project.
type shop struct {
	*testkit.Server
	*testkit.Program
	t      *testing.T
	python string // which is not the one that is found first
}

func openShop(t *testing.T, env ...string) *shop {
	t.Parallel()
	p := testkit.NewProgramOf(t, "python", "project")
	return &shop{testkit.Start(t, testkit.Options{Dir: p.Dir, Env: env}), p, t, ""}
}

// start starts something of the shop and gives the first stop.
func (s *shop) start(args A) testkit.Reply {
	s.t.Helper()
	args["language"] = "python"
	if s.python != "" {
		args["runtime_path"] = s.python
	}
	if args["timeout_ms"] == nil {
		args["timeout_ms"] = startLimit
	}
	return s.OK("session_start", args)
}

// ends lets the program run to its end.
func (s *shop) ends(code string) testkit.Reply {
	s.t.Helper()
	return s.OK("execute", nil).Want("terminated", "data", "execution_state", "status").Want(code, "data", "execution_state", "exit_code")
}

// withFrameworks gives the workspace an environment with pytest and Django.
func (s *shop) withFrameworks() {
	s.t.Helper()
	if err := os.Symlink(testkit.PythonFrameworks(s.t), filepath.Join(s.Program.Dir, ".venv")); err != nil {
		s.t.Fatal(err)
	}
}

func TestPythonModule(t *testing.T) {
	s := openShop(t)
	s.start(A{"module": "shop", "breakpoints": []A{{"function": "shop.cart.Cart.sum"}}}).
		Stopped("stopped_at_breakpoint", s.At("shop/cart.py", "sum"))
}

func TestPythonEnvironments(t *testing.T) {
	s := openShop(t)
	run(s.t, s.Program.Dir, "python3", "-m", "venv", "--without-pip", "venv")
	s.start(A{"module": "shop", "breakpoints": []A{{"function": "total"}}})
	s.OK("inspect", A{"expression": "__import__('sys').prefix"}).Contains([]string{"data", "result", "v"}, "/venv")
	s.OK("session", A{"action": "stop"})
	s.start(A{"module": "shop", "runtime_path": "/usr/bin/python3", "breakpoints": []A{{"function": "total"}}})
	s.OK("inspect", A{"expression": "__import__('sys').prefix"}).Want("'/usr'", "data", "result", "v")
}

func TestPythonChildren(t *testing.T) {
	s := openShop(t)
	r := s.start(A{"target": "children.py", "breakpoints": []A{
		{"file": "children.py", "line": s.Line("work")}, {"file": "children.py", "line": s.Line("child")},
	}})
	r.Stopped("stopped_at_breakpoint", s.At("children.py", "work")).Want("3", "data", "locals", "n", "v")
	s.OK("inspect", A{"target": "threads"}).Has("2 threads", "the end of a process")
	s.OK("step", nil).Want("9", "data", "locals", "square", "v")
	s.OK("execute", nil).Stopped("stopped_at_breakpoint", s.At("children.py", "child")).Has("worker 9")
	s.ends("0").Has("ended 0 4")
}

func TestPythonChain(t *testing.T) {
	s := openShop(t)
	r := s.start(A{"target": "chain.py"}).Stopped("stopped_at_exception", s.At("chain.py", "raise"))
	r.Want("RuntimeError", "data", "exception", "type").Want("cannot start", "data", "exception", "message")
	r.Want("ValueError", "data", "exception", "inner", "type").Want("KeyError", "data", "exception", "inner", "inner", "type")
	s.ends("1").Lacks("runpy", "debugpy/").Has("RuntimeError: cannot start")
}

// The exceptions of a group are named, and so is what a worker process sends as text;
// an exception that was raised is not undone by new code.
func TestPythonExceptionsOfSeveralTasks(t *testing.T) {
	s := openShop(t)
	s.Write("tasks.py", `import asyncio
import sys
from concurrent.futures import ProcessPoolExecutor


def work(n):
    return 1 // n


async def group():
    async with asyncio.TaskGroup() as tasks:  # @mark taskgroup
        for key in "ab":
            tasks.create_task(fail(key))


async def fail(key):
    raise KeyError(key)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        with ProcessPoolExecutor(1) as pool:
            list(pool.map(work, [1, 0]))  # @mark pooled
    asyncio.run(group())
`)
	r := s.start(A{"target": "tasks.py"}).Stopped("stopped_at_exception", s.At("tasks.py", "taskgroup"))
	r.Contains([]string{"data", "exception", "message"}, "1: KeyError: 'a', at tasks.py:17 in fail", "2: KeyError: 'b'")
	r.Contains([]string{"data", "exception", "stack"}, "async with asyncio.TaskGroup()")
	s.OK("variable", A{"action": "patch", "code": "async def fail(key):\n    return key\n"}).Has("was raised already")
	s.ends("1").Lacks("pydevd")
	r = s.start(A{"target": "tasks.py", "args": []string{"pool"}, "adapter_options": A{"subProcess": false}}).
		Stopped("stopped_at_exception", s.At("tasks.py", "pooled"))
	r.Want("_RemoteTraceback", "data", "exception", "inner", "type").Contains([]string{"data", "exception", "inner", "stack"}, "in work")
}

// What debugpy says in place of a message or a value that is not there is not
// taken for one.
func TestPythonWhatIsNotThere(t *testing.T) {
	s := openShop(t)
	s.Write("lacking.py", "class Shelf:\n    def __dir__(self):\n        return ['top']\n    def __getattr__(self, name):\n        raise KeyError('a \"shelf\"')\n\nshelf = Shelf()\nraise TimeoutError\n")
	r := s.start(A{"target": "lacking.py"}).Stopped("stopped_at_exception", "lacking.py:8")
	r.Want("TimeoutError, at lacking.py:8 in <module>", "summary").Want("", "data", "exception", "message").Lacks("no description")
	r = s.OK("inspect", A{"expression": "shelf", "depth": 1})
	r.Want(`raises KeyError: 'a "shelf"'`, "data", "result", "children", "top", "v").Want("", "data", "result", "children", "top", "t").Lacks("omitted")
	s.OK("inspect", A{"expression": "level = 2"}).Want("done: level = 2", "summary")
	s.OK("inspect", A{"expression": "level"}).Want("2", "data", "result", "v")
}

// An object shows what it holds, and to look at it runs none of its code.
func TestPythonObjects(t *testing.T) {
	s := openShop(t)
	s.Write("objects.py", `class Part:
    __slots__ = ("size", "unset")

    def __init__(self):
        self.size = 2


class Query:
    def __repr__(self):
        asked.append("repr")
        return "rows"


class Writer:
    kind = "text"

    def __init__(self):
        self.parts = [Part(), Part()]
        self.query = Query()
        self.name = "w"

    @property
    def total(self):
        asked.append("total")
        return 1

    def _write(self):
        pass


asked = []
writer = Writer()
text = "ab" * 524288
data = b"\x00" * 100000
raise TimeoutError
`)
	r := s.start(A{"target": "objects.py"}).Stopped("stopped_at_exception", "objects.py:35")
	const shown = "Writer(name='w', parts=[Part(...), Part(...)], query=<Query>)"
	r.Want(shown, "data", "locals", "writer", "v")
	r.Want("1048576", "data", "locals", "text", "len").Want("100000", "data", "locals", "data", "len")
	r = s.OK("inspect", A{"expression": "writer", "depth": 1})
	r.Want("'w'", "data", "result", "children", "name", "v").Want("'text'", "data", "result", "children", "kind", "v")
	r.Lacks("total", "_write", "omitted")
	s.OK("inspect", A{"expression": "writer.parts"}).Want("[Part(size=2), Part(size=2)]", "data", "result", "v")
	s.OK("inspect", A{"expression": "text"}).Want("1048576", "data", "result", "len")
	s.OK("inspect", A{"expression": "asked.count('total')"}).Want("0", "data", "result", "v")
}

// A breakpoint on a function stops once a call, whatever its first line does; one on
// a statement of several lines once each time it is executed.
func TestPythonFunctionEntries(t *testing.T) {
	s := openShop(t)
	s.Write("entries.py", `def loop(xs):
    for x in xs:
        y = x
    return y


def generated(xs):
    return sum(x
               for x in xs)


def listed(xs): return [x for x in xs]


def long(n):
    total = sum(
        loop([n]) for n in
        range(n)
    )
    return total


loop([1, 2, 3])
generated([1, 2, 3])
listed([1, 2])
long(1)
`)
	r := s.start(A{"target": "entries.py", "breakpoints": []A{{"function": "loop"}, {"function": "generated"}, {"function": "listed"}, {"file": "entries.py", "statement": "total = sum("}}})
	for _, function := range []string{"loop", "generated", "listed", "long", "loop"} {
		r.Want(function, "data", "function")
		r = s.OK("execute", nil)
	}
	r.Want("0", "data", "execution_state", "exit_code")
}

// Functions of libraries are found by their dotted name or in a file that is named,
// and breakpoints there stop though code of libraries is passed over.
func TestPythonLibraryBreakpoints(t *testing.T) {
	s := openShop(t)
	s.Write("encode.py", "import json\nimport textwrap\n\nprint(json.dumps([1]))\nprint(textwrap.dedent(' a'))\n")
	s.start(A{"target": "encode.py", "breakpoints": []A{{"function": "json.dumps"}}}).Lacks("excluded").Want("dumps", "data", "function").
		Contains([]string{"data", "location"}, "json/__init__.py")
	s.OK("breakpoint", A{"location": "textwrap.dedent"})
	s.OK("execute", nil).Want("dedent", "data", "function").Contains([]string{"data", "location"}, "textwrap.py")
	s.OK("step", nil).Want("dedent", "data", "function")
	s.ends("0")
}

// Python takes the next line of the function for one that has no code in it.
func TestPythonJumpToALineOfAnotherFunction(t *testing.T) {
	s := openShop(t)
	s.Write("jumps.py", "def f(n):\n    return n\n\n\nfor i in range(3):\n    print(f(i))\n")
	s.start(A{"target": "jumps.py", "breakpoints": []A{{"file": "jumps.py", "line": 6}}})
	s.OK("execute", A{"action": "jump", "jump_target": "2"}).Want("jumps.py:5", "data", "location").
		Contains([]string{"summary"}, "line 2 holds no code of <module>")
	s.OK("execute", A{"action": "jump", "jump_target": "jumps.py:1"}).Want("jumps.py:1", "data", "location").Lacks("no code")
}

// A breakpoint that cannot be bound yet, because the program is still starting,
// needs no attention.
func TestPythonBreakpointsOfAStartUnderWay(t *testing.T) {
	s := openShop(t)
	s.start(A{"target": "chain.py", "timeout_ms": 0, "breakpoints": []A{{"file": "chain.py", "line": s.Line("raise")}}}).Lacks("not bound", "verified")
	s.OK("execute", A{"action": "wait"}).Stopped("stopped_at_breakpoint", s.At("chain.py", "raise"))
}

// Modules of the program that are named like Python's own harm neither the
// debugger nor what looks at the interpreter.
func TestPythonShadows(t *testing.T) {
	s := openShop(t)
	for _, name := range []string{"json", "socket", "ast", "tokenize", "subprocess", "debugpy", "threading"} {
		s.Write(name+".py", "raise ImportError('the wrong "+name+"')\n")
	}
	s.start(A{"target": "chain.py", "breakpoints": []A{{"function": "load"}}}).Stopped("stopped_at_breakpoint", "chain.py:2")
	s.OK("inspect", A{"target": "threads"}).Has("1 thread")
}

func TestPythonEnds(t *testing.T) {
	s := openShop(t)
	s.Write("killed.py", "import os, signal\nprint('now', flush=True)\nos.kill(os.getpid(), signal.SIGKILL)\n")
	s.start(A{"target": "killed.py"}).Want("terminated", "data", "execution_state", "status").
		Contains([]string{"data", "execution_state", "signal"}, "SIGKILL").Has("now")
	s.Write("high.py", "import sys\nsys.exit(200)\n")
	s.start(A{"target": "high.py"}).Want("200", "data", "execution_state", "exit_code").Want("", "data", "execution_state", "signal")
}

func TestPythonAsync(t *testing.T) {
	s := openShop(t)
	s.start(A{"target": "waiting.py", "breakpoints": []A{{"file": "waiting.py", "line": s.Line("answer")}}}).
		Stopped("stopped_at_breakpoint", s.At("waiting.py", "answer"))
	s.OK("breakpoint", A{"action": "clear_all"})
	s.ends("0").Has("both [2, 4]")
}

const loopProgram = `
import asyncio, sys

async def serve():
    lines = asyncio.Queue()
    asyncio.get_running_loop().add_reader(sys.stdin, lambda: lines.put_nowait(sys.stdin.readline()))
    print("ready", flush=True)
    print("got", await lines.get())

asyncio.run(serve())
`

// An event loop that waits is paused at once, though nothing of Python runs in it, and goes on as before.
func TestPythonLoopThatWaits(t *testing.T) {
	eachPython(t, func(t *testing.T, s *shop) {
		s.waitForInput(loopProgram, A{})
		for range 2 {
			s.OK("execute", A{"action": "pause", "timeout_ms": 10_000}).Stopped("paused", "program.py:10")
			s.OK("inspect", A{"target": "waits"}).Has("asyncio.Queue", "program.py:8")
			s.OK("execute", A{"timeout_ms": 300}).Want("running", "data", "execution_state", "status")
		}
		s.OK("session", A{"action": "input", "text": "this\n"})
		s.OK("execute", A{"action": "wait"}).Has("got this")
	})
}

// Threads that all wait outside of Python cannot be paused, but it is told where
// they are, and the pause comes when one of them goes on.
func TestPythonThreadsThatAllWait(t *testing.T) {
	s := openShop(t)
	s.start(A{"target": "locked.py", "stdin_open": true, "timeout_ms": 0})
	s.Running()
	var threads testkit.Reply
	testkit.Eventually(t, testkit.CallLimit, "both threads to wait", func() bool {
		threads = s.OK("inspect", A{"target": "threads"})
		return strings.Contains(threads.Text, s.At("locked.py", "take")) && strings.Contains(threads.Text, s.At("locked.py", "reads"))
	})
	threads.Want("2", "data", "total").Has("taker").Lacks("current")
	r := s.OK("execute", A{"action": "pause", "timeout_ms": 300}).Want("running", "data", "execution_state", "status")
	r.Has("pauses as soon as", s.At("locked.py", "take")+" in ", "waits for a lock").Want("inspect", "next_steps", "0", "tool").Want("threads", "next_steps", "0", "params", "target")
	s.OK("session", A{"action": "input", "text": "\n"})
	s.OK("execute", A{"action": "wait"}).Stopped("paused", s.At("locked.py", "release"))
	s.ends("0").Has("taken")
}

func TestPythonPatch(t *testing.T) {
	s := openShop(t)
	s.start(A{"module": "shop", "breakpoints": []A{{"function": "total"}}})
	s.OK("variable", A{"action": "patch", "name": "Cart.sum", "code": "def sum(self):\n    return len(self.items) * 10\n", "expression": "Cart.of([1]).sum()"}).
		Has("shop.cart.Cart.sum", "10")
	s.OK("variable", A{"action": "patch", "name": "Cart.of", "code": "@staticmethod\ndef of(items):\n    cart = Cart()\n    cart.items = [7, 7, 7]\n    return cart\n", "expression": "Cart.of([]).sum()"}).
		Want("30", "data", "result", "v")
	s.OK("variable", A{"action": "patch", "code": "def total(items, *, tax=5):\n    return tax\n", "expression": "total([])"}).
		Has("shop.cart.total", "under way").Want("5", "data", "result", "v")
	s.Fail("PATCH_FAILED", "variable", A{"action": "patch", "code": "def totl():\n    pass\n"}).Has("totl", "total")
	s.Fail("PATCH_FAILED", "variable", A{"action": "patch", "code": "def total(:\n    pass\n"}).Has("the code cannot be read")
	s.Fail("PATCH_FAILED", "variable", A{"action": "patch", "file": "locked.py", "code": "def total(items):\n    return 1\n"}).Has("no module of", "locked.py is loaded")
	s.Fail("PATCH_FAILED", "variable", A{"action": "patch", "file": "cart.py", "code": "def totl():\n    pass\n"}).Has("it has total")
	s.ends("0").Has("total 30")
}

func TestPythonConditions(t *testing.T) {
	s := openShop(t)
	s.start(A{"target": "service.py", "breakpoints": []A{{"file": "service.py", "line": s.Line("tick"), "condition": "n % 2 == 0", "hit_condition": "3"}}})
	s.OK("inspect", A{"expression": "n"}).Want("4", "data", "result", "v")
	s.OK("breakpoint", A{"action": "clear_all"})
	s.Call("breakpoint", A{"location": s.At("service.py", "tick"), "condition": "n >"})
	s.OK("execute", A{"timeout_ms": startLimit}).Has("failed")
}

func TestPythonBehindAPort(t *testing.T) {
	s := openShop(t)
	port := testkit.Port(t)
	elsewhere := testkit.NewProgramOf(t, "python", "project")
	command := exec.Command("python3", "-Xfrozen_modules=off", "-m", "debugpy", "--listen", fmt.Sprint(port), elsewhere.Dir+"/service.py")
	command.Env = append(os.Environ(), "PYTHONPATH="+install.Store{Home: install.Home()}.Dir("debugpy"))
	out, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = command.Process.Kill()
		_ = command.Wait()
	})
	if line, err := bufio.NewReader(out).ReadString('\n'); err != nil || line != "ready\n" {
		t.Fatal(line, err)
	}
	mapped := []A{{"local": s.Program.Dir, "remote": elsewhere.Dir}}
	for range 2 { // a debugger may leave and come again
		s.start(A{"port": port, "path_mappings": mapped, "breakpoints": []A{{"file": "service.py", "line": s.Line("tick")}}}).
			Stopped("stopped_at_breakpoint", s.At("service.py", "tick"))
		s.Fail("SESSION_START_FAILED", "session_start", A{"port": port}).Has("a debugger is attached already", "session python-")
		s.OK("session", A{"action": "stop"})
	}
	// Of a container that publishes the port the compose file knows where it has the sources.
	published := testkit.Relay(t, port)
	s.Write("compose.yaml", fmt.Sprintf("services:\n  shop:\n    image: shop\n    command: python -m debugpy --listen 0.0.0.0:5678 service.py\n    ports: [\"%d:5678\"]\n    volumes: [\".:%s\"]\n", published, elsewhere.Dir))
	s.start(A{"port": published, "breakpoints": []A{{"file": "service.py", "line": s.Line("tick")}}}).
		Stopped("stopped_at_breakpoint", s.At("service.py", "tick")).Has("compose.yaml")
	s.OK("session", A{"action": "stop"})
	wrong := []A{{"local": s.Program.Dir + "/tests", "remote": "/nowhere"}}
	s.start(A{"port": port, "timeout_ms": 5000, "path_mappings": wrong, "breakpoints": []A{{"file": "tests/test_cart.py", "line": s.Line("wrong")}}}).
		Has("no such file").Contains([]string{"data", "breakpoints"}, "false")
	s.OK("session", A{"action": "stop"})
	s.Fail("VALIDATION_INVALID_PARAM", "session_start", A{"port": port, "language": "python", "path_mappings": []A{{"local": "/no/such/dir", "remote": "/app"}}}).
		Has("/no/such/dir").Want("path_mappings", "error", "field")
}

// The thread that the debugger holds waits for nothing of the program's; one that waits
// for a lock does.
func TestAThreadAtABreakpointWaitsForNothing(t *testing.T) {
	t.Parallel()
	testkit.Adapters(t)
	p := testkit.NewProgramIn(t, "", "work")
	p.Write("held.py", `import threading, time
gate = threading.Lock()
def work():
    return 1
def knock():
    with gate:
        pass
gate.acquire()
threading.Thread(target=knock, name="waiter", daemon=True).start()
time.sleep(0.5)
t = threading.Thread(target=work, name="worker")
t.start()
t.join()
`)
	s := testkit.Start(t, testkit.Options{Dir: p.Dir})
	s.OK("session_start", A{"target": "held.py", "timeout_ms": startLimit, "breakpoints": []A{{"file": "held.py", "line": 4}}}).
		Stopped("stopped_at_breakpoint", "held.py:4")
	var rows []struct {
		Name, Waiting, Object string
		Current               bool
	}
	s.OK("inspect", A{"target": "threads"}).Decode(&rows, "data", "threads")
	for _, r := range rows {
		switch {
		case r.Name == "worker" && (!r.Current || r.Waiting != "" || r.Object != ""):
			t.Errorf("the thread at the breakpoint: %+v", r)
		case r.Name == "waiter" && (r.Waiting != "a lock (threading)" || r.Object != "gate"):
			t.Errorf("the thread that waits: %+v", r)
		}
	}
	if len(rows) != 3 {
		t.Errorf("threads: %+v", rows)
	}
}
