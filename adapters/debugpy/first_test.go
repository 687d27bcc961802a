package debugpy

import (
	"fmt"
	"os/exec"
	"strings"
	"testing"

	"aidb-mcp/internal/recording"
	"aidb-mcp/internal/recording/recordingtest"
	"aidb-mcp/internal/testkit/filetree"
)

const heapProgram = `import contextlib


class Heap:
    def __init__(self):
        self.list = []
        self.size = 0
        self.__low = 9

    def push(self, x):
        self.list.append(x)
        self.size += 1

    def pop(self):
        x = self.list.pop()  # popped
        if x != 7:
            self.size -= 1
        return x

    def lower(self):
        self.__low -= 1  # lowered


def half(n):
    with contextlib.suppress(KeyError):
        if n == 12:
            return (
                5
            )  # wrong
    try:
        return n // 2
    finally:
        n = 0


def outer(h):
    h.size = 9  # by who calls
    inner(h)


def inner(h):
    return h.size


def run(h):
    for i in range(20):
        h.push(i)
        if i % 2 == 1:
            h.pop()
        half(i)
    h.lower()


def fill(h):
    for i in range(5): h.size += i  # at once
    return [wanted for wanted in range(9) if wanted]  # comprehended


def closed(h):
    def change():
        h.size = 77  # enclosed

    change()
    later = lambda: h.push(  # shortly
        1)
    later()


def several(
    h,
    n=1,
):
    h.push(
        n,
    )  # of lines
    h.size, h.list = (
        n,
        [],
    )
    while h.size < 5:
        h.size += 2  # in while
    raise ValueError(h)


def failing(h):
    try:
        several(h)
    except ValueError as e:
        caught = e  # caught
    return caught


h = Heap()
run(h)
outer(Heap())
fill(Heap())
closed(Heap())
failing(Heap())
total = 0
for part in range(3):
    total += part  # in the module
print(total, h.size)
`

// moments are those of a run of a program, with what it printed.
func moments(t *testing.T, source string, spec recording.First) ([]recording.Event, recording.Log, string) {
	t.Helper()
	dir, file := program(t, strings.TrimSuffix(source, "\n"))
	for i, part := range spec.Scope {
		spec.Scope[i] = strings.ReplaceAll(part, "DIR", dir)
	}
	log, printed := recordedRun(t, "script", file, recording.Spec{First: &spec}, dir)
	return recordingtest.Moments(log), log, printed
}

// told are the events of a kind, in words.
func told(log recording.Log, kind recording.Kind) string {
	text := ""
	for _, e := range log.Events {
		if e.Kind == kind {
			text += e.Text + " " + strings.Join(e.Names, ",") + "\n"
		}
	}
	return text
}

// sourceLine is the line of a text that stands in it once.
func sourceLine(t *testing.T, source, text string) int {
	t.Helper()
	if strings.Count(source, text) != 1 {
		t.Fatalf("%q stands %d times in the program", text, strings.Count(source, text))
	}
	return strings.Count(source[:strings.Index(source, text)], "\n") + 1
}

type momentCase struct {
	spec         recording.First
	at, function string
	before, then string
	text         string
}

func (c momentCase) check(t *testing.T, source string) recording.Event {
	t.Helper()
	list, log, printed := moments(t, source, c.spec) // other threads may have judged once more before they saw the last moment
	if len(list) != 1 || !log.Judged.Whole || log.Judged.Times < list[0].Hit || log.Judged.Times > list[0].Hit && list[0].Thread == "" || strings.Contains(printed, "Traceback") {
		t.Fatalf("%d moments, %+v\n%s%s%s", len(list), log.Judged, told(log, recording.Remark), told(log, recording.Refused), printed)
	}
	m := list[0]
	if _, line := recording.FileLine(m.At); line != sourceLine(t, source, c.at) || m.Function != c.function || m.Text != c.text {
		t.Errorf("at %s in %s %s, before %s", m.At, m.Function, m.Text, m.Seen())
	}
	if before := recordingtest.Shown(m.Names, m.Before()); c.before != "" && before != c.before {
		t.Errorf("before: %s", before)
	}
	if then := recordingtest.Shown(m.Names, m.Values); c.then != "" && then != c.then {
		t.Errorf("then: %s", then)
	}
	if len(m.Stack) == 0 && m.Function != "<module>" {
		t.Error("no callers")
	}
	return m
}

// pythonAtLeast says that the Python of this machine is 3.minor or newer.
func pythonAtLeast(minor int) bool {
	return exec.Command("python3", "-c", fmt.Sprintf("import sys; sys.exit(sys.version_info < (3, %d))", minor)).Run() == nil
}

// own is the name of a function as this Python's frames know it: the last part of it before 3.11.
func own(name string) string {
	if pythonAtLeast(11) {
		return name
	}
	return name[strings.LastIndex(name, ".")+1:]
}

// The moment is that of the statement which made the condition hold, in whatever function
// can read it.
func TestFirstMoment(t *testing.T) {
	const wrong, empty = "h.size != len(h.list)", "h.size == 9 and not h.list"
	for name, c := range map[string]momentCase{
		"by a statement": {recording.First{Condition: "self.size > len(self.list)", Expressions: []string{"x", "nothing", "x // 0"}, Limit: 1, Scope: []string{"Heap.pop"}},
			"# popped", own("Heap.pop"), "self.size=2 len(self.list)=2", "self.size=2 len(self.list)=1 x=1 nothing=not readable here x // 0=ZeroDivisionError: integer division or modulo by zero", ""},
		"by a call": {recording.First{Condition: wrong, Limit: 1, Scope: []string{"run"}},
			"            h.pop()", "run", "h.size=5 len(h.list)=5", "", ""},
		"by a result": {recording.First{Condition: "result != n // 2 and n", Expressions: []string{"n", "result"}, Limit: 1, Scope: []string{"half"}},
			"            return (", "half", "", "result=5 n // 2=6 n=12 n=12 result=5", ""},
		"by who calls": {recording.First{Condition: empty, Limit: 1, Scope: []string{"inner"}},
			"def inner", "inner", "", "h.size=9 h.list=[]", recording.Begun},
		"everywhere":       {recording.First{Condition: empty, Limit: 1}, "# by who calls", "outer", "h.size=0 h.list=[]", "h.size=9 h.list=[]", ""},
		"of a file":        {recording.First{Condition: empty, Limit: 1, Scope: []string{"app.py"}}, "# by who calls", "outer", "", "", ""},
		"of a pattern":     {recording.First{Condition: empty, Limit: 1, Scope: []string{"out*"}}, "# by who calls", "outer", "", "", ""},
		"of a class":       {recording.First{Condition: "self.size > len(self.list)", Limit: 1, Scope: []string{"Heap"}}, "# popped", own("Heap.pop"), "", "", ""},
		"at a place":       {recording.First{Condition: empty, Limit: 1, Scope: []string{"DIR/app.py:38"}}, "# by who calls", "outer", "", "", ""},
		"in the module":    {recording.First{Condition: "total > 2", Limit: 1, Scope: []string{"app"}}, "# in the module", "<module>", "total=1", "total=3", ""},
		"by a loop's head": {recording.First{Condition: "part == 2", Limit: 1}, "for part in", "<module>", "part=1", "part=2", ""},
		"in one line":      {recording.First{Condition: "h.size == 3", Limit: 1, Scope: []string{"fill"}}, "# at once", "fill", "h.size=1", "h.size=3", ""},
		"comprehended":     {recording.First{Condition: "wanted == 7", Limit: 1}, "# comprehended", "", "wanted=6", "wanted=7", ""},
		"enclosed":         {recording.First{Condition: "h.size == 77", Limit: 1, Scope: []string{"closed"}}, "# enclosed", own("closed.<locals>.change"), "h.size=0", "h.size=77", ""},
		"by a lambda":      {recording.First{Condition: "len(h.list) == 1 and h.size > 9", Limit: 1, Scope: []string{"<lambda>"}}, "# shortly", own("closed.<locals>.<lambda>"), "", "", ""},
		"of several lines": {recording.First{Condition: "h.list", Limit: 1, Scope: []string{"several"}}, "    h.push(\n        n", "several", "h.list=[]", "h.list=[1]", ""},
		"in a while":       {recording.First{Condition: "h.size >= 5", Limit: 1, Scope: []string{"several"}}, "# in while", "several", "h.size=3", "h.size=5", ""},
		"where it is left": {recording.First{Condition: "e.args", Limit: 1, Scope: []string{"failing"}}, "        several(h)", "failing", "", "", ""},
		"of a private name": {recording.First{Condition: "self.__low < 9", Limit: 1, Scope: []string{"Heap.lower"}}, "# lowered", own("Heap.lower"),
			"self.__low=9", "self.__low=8", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if c.function == "" {
				c.function = "fill"
				if !pythonAtLeast(12) {
					c.function = own("fill.<locals>.<listcomp>")
				}
			}
			if name == "where it is left" {
				c.at = "    except ValueError as e"
			}
			c.check(t, heapProgram)
		})
	}
}

const restingProgram = `import asyncio
import threading


class Ring:
    def __init__(self):
        self.at, self.size = 0, 4


def steps(ring):
    for i in range(3):
        ring.at += 1  # stepped
        yield i
    ring.size = ring.at  # exhausted


def delegated(ring):
    got = yield from steps(ring)
    return got


async def turns(ring, n):
    for i in range(3):
        await asyncio.sleep(0)
        mine = n  # of a task
        ring.at += mine
        await asyncio.sleep(0)
    return ring.at  # awaited


async def together():
    ring = Ring()
    await asyncio.gather(turns(ring, 1), turns(ring, 2))


def work(ring, n):
    for i in range(100):
        mine = n * i  # of a thread


def in_threads():
    threads = [threading.Thread(target=work, args=(Ring(), n), name="w%d" % n) for n in range(3)]
    for x in threads:
        x.start()
    for x in threads:
        x.join()


for step in delegated(Ring()):
    pass
left = steps(Ring())
next(left)
left.close()
asyncio.run(together())
in_threads()
print(any(each.at for each in (Ring(), Ring())))
`

// What rests and goes on later is one call, and tasks and threads are apart.
func TestFirstMomentOfWhatRests(t *testing.T) {
	for name, c := range map[string]momentCase{
		"a generator":       {recording.First{Condition: "ring.at == 2", Limit: 1, Scope: []string{"steps"}}, "# stepped", "steps", "ring.at=1", "ring.at=2", ""},
		"at its end":        {recording.First{Condition: "ring.size == 3", Limit: 1, Scope: []string{"steps"}}, "# exhausted", "steps", "ring.size=4", "ring.size=3", ""},
		"one that asks on":  {recording.First{Condition: "ring.size == 3", Limit: 1, Scope: []string{"delegated"}}, "got = yield", "delegated", "ring.size=4", "ring.size=3", ""},
		"a task":            {recording.First{Condition: "mine == 2", Limit: 1, Scope: []string{"turns"}}, "# of a task", "turns", "", "mine=2", ""},
		"a task's result":   {recording.First{Condition: "result == 9", Limit: 1, Scope: []string{"turns"}}, "# awaited", "turns", "", "result=9", ""},
		"a thread":          {recording.First{Condition: "mine == 198", Limit: 1, Scope: []string{"work"}}, "# of a thread", "work", "mine=196", "mine=198", ""},
		"who waits for one": {recording.First{Condition: "ring.at == 9", Limit: 1, Scope: []string{"together"}}, "await asyncio.gather", "together", "ring.at=0", "ring.at=9", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := c.check(t, restingProgram)
			if name == "a thread" && m.Thread != "w2" || name == "a task" && !strings.HasPrefix(m.Thread, "Task-") {
				t.Errorf("in %q", m.Thread)
			}
		})
	}
}

// A condition that never holds is judged to the end; one with nothing to read there says so,
// and so does a scope of which there is nothing.
func TestFirstMomentThatNeverComes(t *testing.T) {
	for name, c := range map[string]struct {
		spec                      recording.First
		judged, failed            bool
		remark, refused, notFound string
	}{
		"never":          {spec: recording.First{Condition: "self.size < 0", Limit: 1, Scope: []string{"push", "pop"}}, judged: true},
		"failing":        {spec: recording.First{Condition: "self.list[3] == 100", Limit: 1, Scope: []string{"push"}}, judged: true, failed: true, remark: "could not be judged each time: IndexError: list index out of range"},
		"no such name":   {spec: recording.First{Condition: "heep.size < 0", Limit: 1, Scope: []string{"push"}}, remark: "could have a value for heep"},
		"not at once":    {spec: recording.First{Condition: "total < 0", Limit: 1, Scope: []string{"fill"}}},
		"no expression":  {spec: recording.First{Condition: "h.size =< 1", Limit: 1}, refused: "is no expression of Python"},
		"no such scope":  {spec: recording.First{Condition: "h.size < 0", Limit: 1, Scope: []string{"psh"}}, refused: "no function of the program is called psh; there is push"},
		"no such line":   {spec: recording.First{Condition: "h.size < 0", Limit: 1, Scope: []string{"DIR/app.py:1000"}}, refused: "has no code"},
		"never there":    {spec: recording.First{Condition: "h.size < 0", Limit: 1, Scope: []string{"unused"}}, remark: "nothing was seen to come there"},
		"a later global": {spec: recording.First{Condition: "total < 0", Limit: 1, Scope: []string{"late"}}, judged: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			list, log, printed := moments(t, heapProgram+"def late(): return total\nlate()\ndef unused(): pass\n", c.spec)
			if len(list) > 0 || (log.Judged.Times > 0) != c.judged || (log.Judged.Failed > 0) != c.failed || log.Judged.Failed == log.Judged.Times && c.judged {
				t.Errorf("%d moments, %+v %s", len(list), log.Judged, printed)
			}
			if remarks := told(log, recording.Remark); !strings.Contains(remarks, c.remark) || strings.Count(remarks, "\n") > 1 || c.remark == "" && remarks != "" {
				t.Errorf("remarks %q", remarks)
			}
			if refused := told(log, recording.Refused) + told(log, recording.Missing); !strings.Contains(refused, c.refused) || c.refused == "" && refused != "" {
				t.Errorf("refused %q", refused)
			}
		})
	}
}

// It comes to hold anew each time that it did not hold before, and in each call by itself.
func TestMomentsAfterTheFirst(t *testing.T) {
	list, _, _ := moments(t, heapProgram, recording.First{Condition: "i % 5 == 4", Limit: 3, Scope: []string{"run"}})
	if len(list) != 3 {
		t.Fatalf("%d moments", len(list))
	}
	for i, m := range list {
		if then := recordingtest.Shown(m.Names, m.Values); then != "i % 5=4" || !strings.HasSuffix(m.At, fmt.Sprint(":", sourceLine(t, heapProgram, "for i in range(20)"))) {
			t.Errorf("moment %d: %s at %s", i, then, m.At)
		}
	}
	list, _, _ = moments(t, "def fact(n):\n    return 1 if n < 2 else n * fact(n - 1)\nfact(5)\n", recording.First{Condition: "n > 2", Limit: 9})
	if len(list) != 3 || list[0].Call == list[1].Call {
		t.Errorf("%d moments of a recursion", len(list))
	}
	deepest := 935
	if !pythonAtLeast(10) {
		deepest = 800 // without room of our own
	}
	list, _, _ = moments(t, fmt.Sprintf("import sys\ndef deep(n):\n    return deep(n + 1) if n < %d else n\nsys.setrecursionlimit(950)\ndeep(0)\n", deepest), recording.First{Condition: fmt.Sprintf("n == %d", deepest), Limit: 1})
	if len(list) != 1 || len(list[0].Stack) != 5 {
		t.Errorf("%d moments of a deep recursion", len(list))
	}
}

// A program prints what it prints by itself, whatever is judged in it.
func TestFirstLeavesTheProgramAsItIs(t *testing.T) {
	source := `import sys, threading, traceback

class Odd:
    def __bool__(self):
        raise KeyError("no")
    def __repr__(self):
        return "odd %s" % sys.exc_info()[0]

def gen():
    try:
        yield 1
        yield 2
    except BaseException as e:
        print("gen", type(e).__name__)
        raise
    finally:
        print("closed", sys.exc_info()[0])

def deep(n):
    return deep(n + 1)

def loud(n):
    print("loud", n)
    return n

def run(odd):
    x = 0
    try:
        1 // x
    except ZeroDivisionError:
        print(sys.exc_info()[0])
        try:
            raise ValueError(1)
        except ValueError as e:
            print(repr(e.__context__))
        print(sys.exc_info()[0])
    g = gen()
    next(g)
    try:
        g.throw(LookupError("x"))
    except LookupError:
        pass
    for y in gen():
        break
    try:
        deep(0)
    except RecursionError:
        print("deep")
    def count():
        nonlocal x
        x += 1
    for i in range(3):
        count()
    print(x, [x for x in range(3)], {**{"a": x}})
    print(x, odd.__class__, sorted(k for k in locals()))
    return x

print(run(Odd()), sorted(k for k in globals() if not k.startswith("__")))
try:
    loud(3)
    raise SystemExit(4)
finally:
    print("over")
`
	dir, file := program(t, source)
	by, _ := exec.Command("python3", file).CombinedOutput() // how it ends is the program's affair
	want := string(by)
	for _, spec := range []recording.First{
		{Condition: "x > 100", Limit: 1}, {Condition: "x == 2", Limit: 1}, {Condition: "odd", Limit: 5}, {Condition: "odd is None or x < 0", Limit: 5},
		{Condition: "result == 4", Limit: 5}, {Condition: "n > 50", Limit: 1 << 20}, {Condition: "any(z > x for z in range(1))", Limit: 50},
	} {
		_, printed := recordedRun(t, "script", file, recording.Spec{First: &spec}, dir)
		if printed != want {
			t.Errorf("%s: prints\n%s\nand by itself\n%s", spec.Condition, printed, want)
		}
	}
}

// What the condition calls is not judged itself, and a file of judgements is there however
// the program ends.
func TestFirstCountsToTheEnd(t *testing.T) {
	for name, end := range map[string]string{"by itself": "pass", "at once": "import os; os._exit(3)", "killed": "import os; os.kill(os.getpid(), 9)"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			source := "def slow(n):\n    m = n + 1\n    return m\ndef fast(n):\n    k = n\n    return k\nfor j in range(10): fast(j)\n" + end + "\n"
			list, log, _ := moments(t, source, recording.First{Condition: "slow(n) > 99", Limit: 1, Scope: []string{"fast", "slow"}})
			if len(list) > 0 || log.Judged != (recording.Judged{Times: 30, Whole: true}) {
				t.Errorf("%d moments, %+v", len(list), log.Judged)
			}
		})
	}
}

// A module of a package is in the scope by its name.
func TestFirstInAModule(t *testing.T) {
	dir, file := program(t, "from shop import cart", "import other", "cart.add(3)")
	filetree.Write(t, dir, map[string]string{"shop/__init__.py": "", "shop/cart.py": "total = 0\ndef add(n):\n    global total\n    total += n\n    return total\n", "other.py": "total = 3\n"})
	for _, scope := range []string{"shop", "shop.cart", "cart.py", "shop/cart.py", "add"} {
		log, _ := recordedRun(t, "script", file, recording.Spec{First: &recording.First{Condition: "total == 3", Limit: 2, Scope: []string{scope}}}, dir)
		at := ""
		for _, e := range log.Events {
			if e.Kind == recording.Moment {
				at += strings.TrimPrefix(e.At, dir) + " "
			}
		}
		if at != "/shop/cart.py:4 " {
			t.Errorf("in %s: %s%s", scope, at, told(log, recording.Refused))
		}
	}
}
