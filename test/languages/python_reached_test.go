//go:build linux

package languages

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"aidb-mcp/internal/testkit"
)

// eachOldPython runs a test with the Pythons before 3.12 that are there, in the short run with one
// of them.
func eachOldPython(t *testing.T, test func(t *testing.T, s *shop)) {
	t.Helper()
	home, _ := os.UserHomeDir()
	ran := 0
	for _, version := range []string{"3.11", "3.8", "3.10", "3.9"} {
		kept, _ := filepath.Glob(filepath.Join(home, ".pyenv", "versions", version+".*", "bin", "python3"))
		if len(kept) == 0 || ran > 0 && !testkit.IsLong() {
			continue
		}
		ran++
		t.Run(version, func(t *testing.T) {
			s := openShop(t)
			s.python = kept[0]
			test(t, s)
		})
	}
	if ran == 0 {
		t.Skip("there is no Python before 3.12")
	}
}

const reachedModule = `
total = 0


def add(number):
    global total
    total += number
    return total
`

const reachedProgram = `
import sys

import reached

traced = 0


def mix(a, b):
    global traced
    if sys.gettrace() is not None:
        traced += 1
    return (a * 31 + b) % 1000003


def step(total, i):
    if total < 0:
        total = 0  # @mark never
    return mix(total, i)  # @mark each


def work(rounds):
    total = 1
    for i in range(rounds):
        total = step(total, i)
    return total


total = work(20000)
for number in range(5):
    reached.add(number)
# A thread of the debugger that has just begun may have woken this one, which rests at its next call.
print("total", total, reached.total, "traced in", "many calls" if traced > 1 else "none that counts", flush=True)
`

// Up to Python 3.11 the code of a function with a breakpoint says itself that its line is
// reached: nothing is traced where that is not so, or where its condition does not hold.
func TestPythonBreakpointsThatTraceNothing(t *testing.T) {
	eachOldPython(t, func(t *testing.T, s *shop) {
		s.Write("reached.py", reachedModule)
		s.Write("program.py", reachedProgram)
		total := 1
		for i := range 20000 {
			total = (total*31 + i) % 1000003
		}
		s.start(A{"target": "program.py", "breakpoints": []A{
			{"file": "program.py", "line": s.Line("never")},
			{"file": "program.py", "line": s.Line("each"), "condition": "total < 0"},
			{"file": "reached.py", "line": 7, "hit_condition": "4"},
		}}).Stopped("stopped_at_breakpoint", "reached.py:7").Want("3", "data", "locals", "number", "v")
		s.OK("step", A{"action": "over"}).Has("reached.py:8")
		s.OK("execute", nil).Want("terminated", "data", "execution_state", "status")
		s.OK("inspect", A{"target": "output"}).Has(fmt.Sprintf("total %d 10 traced in none that counts", total))
	})
}

// A condition is judged once each time that its line is reached, and what it says is heard:
// where it has no value, and where a count is asked for beside it.
func TestPythonConditionsAreJudgedOnce(t *testing.T) {
	eachOldPython(t, func(t *testing.T, s *shop) {
		s.Write("program.py", `
judged = []


def asked(number):
    judged.append(number)
    return number % 10 == 7


def step(number):
    number += 1  # @mark each
    return number


def other(number):
    number += 2  # @mark fails
    return number


for number in range(40):
    step(number)
other(1)
print("judged", len(judged), judged == list(range(40)), flush=True)
`)
		s.start(A{"target": "program.py", "breakpoints": []A{
			{"file": "program.py", "line": s.Line("each"), "condition": "asked(number)", "hit_condition": "2"},
			{"file": "program.py", "line": s.Line("fails"), "condition": "nobody > 1"},
		}}).Stopped("stopped_at_breakpoint", s.At("program.py", "each")).Want("17", "data", "locals", "number", "v")
		s.OK("execute", nil).Stopped("stopped_at_breakpoint", s.At("program.py", "fails")).Has("nobody")
		s.OK("execute", nil).Want("terminated", "data", "execution_state", "status")
		s.OK("inspect", A{"target": "output"}).Has("judged 40 True")
	})
}

// What is judged by the code of a line itself means there what it would mean to the debugger,
// changes nothing of the function, and stops nowhere.
func TestPythonConditionsThatTheCodeJudges(t *testing.T) {
	eachOldPython(t, func(t *testing.T, s *shop) {
		s.Write("program.py", `
import sys

calls = 0


def asked(number):
    global calls
    calls += 1  # @mark within
    return number == 3


class Box:
    def __init__(self, number):
        self.__kept = number
        self.number = number

    def grow(self, by):
        self.number += by  # @mark grow
        return self.number

    def __eq__(self, other):
        same = self.number == other.number  # @mark equal
        return same


def outer(secret):
    def inner(number):
        number += 1  # @mark inner
        return number
    return inner


def recursive(number):
    number -= 1  # @mark recursive
    return recursive(number) if number > 0 else 0


def handled(number):
    try:
        raise KeyError(number)
    except KeyError:
        kept = sys.exc_info()[1]  # @mark handled
        return kept.args[0] + number


box, inner = Box(1), outer(5)
for number in range(6):
    box.grow(number)
    inner(number)
    handled(number)
recursive(4)
print("equal", box == Box(16), inner.__code__.co_freevars, calls, flush=True)
`)
		s.start(A{"target": "program.py", "breakpoints": []A{
			{"file": "program.py", "line": s.Line("within")},
			{"file": "program.py", "line": s.Line("grow"), "condition": "asked(by)"},
			{"file": "program.py", "line": s.Line("inner"), "condition": "number == 4 and 'secret' not in globals()"},
			{"file": "program.py", "line": s.Line("recursive"), "condition": "recursive(number - 1) == 0 and number == 2"},
			{"file": "program.py", "line": s.Line("handled"), "condition": "number == 5 and nobody"},
			{"file": "program.py", "line": s.Line("equal"), "condition": "self == other"},
		}}).Stopped("stopped_at_breakpoint", s.At("program.py", "grow")).Want("3", "data", "locals", "by", "v")
		s.OK("execute", nil).Stopped("stopped_at_breakpoint", s.At("program.py", "inner")).Want("4", "data", "locals", "number", "v")
		s.OK("execute", nil).Stopped("stopped_at_breakpoint", s.At("program.py", "handled")).Has("nobody")
		s.OK("execute", nil).Stopped("stopped_at_breakpoint", s.At("program.py", "recursive")).Want("2", "data", "locals", "number", "v")
		s.OK("execute", nil).Stopped("stopped_at_breakpoint", s.At("program.py", "equal"))
		s.OK("execute", nil).Want("terminated", "data", "execution_state", "status")
		s.OK("inspect", A{"target": "output"}).Has("equal True () 7") // the session asks once more where it has stopped
	})
}

// The passes of a line count, whoever counts them: its code, or the debugger while the thread is
// traced; and a condition that is changed is the one that holds from then on.
func TestPythonPassesThatTheCodeCounts(t *testing.T) {
	eachOldPython(t, func(t *testing.T, s *shop) {
		s.Write("program.py", `
import sys

traced = 0


def each(number):
    global traced
    if sys.gettrace() is not None:
        traced += 1
    number += 1  # @mark thousands
    return number


def other(number):
    number += 2  # @mark changed
    return number


for number in range(10000):
    each(number)
    other(number)
print("traced", traced, flush=True)
`)
		s.start(A{"target": "program.py", "breakpoints": []A{
			{"file": "program.py", "line": s.Line("thousands"), "hit_condition": "% 3000"},
			{"file": "program.py", "line": s.Line("changed"), "condition": "number == 4000"},
		}}).Stopped("stopped_at_breakpoint", s.At("program.py", "thousands")).Want("2999", "data", "locals", "number", "v")
		s.OK("step", A{"action": "over"}).Has("program.py:12")
		s.OK("execute", nil).Stopped("stopped_at_breakpoint", s.At("program.py", "changed")).Want("4000", "data", "locals", "number", "v")
		s.OK("execute", nil).Stopped("stopped_at_breakpoint", s.At("program.py", "thousands")).Want("5999", "data", "locals", "number", "v")
		s.OK("breakpoint", A{"action": "remove", "location": s.At("program.py", "changed")})
		s.OK("breakpoint", A{"action": "set", "location": s.At("program.py", "changed"), "condition": "number == 7000"})
		s.OK("execute", nil).Stopped("stopped_at_breakpoint", s.At("program.py", "changed")).Want("7000", "data", "locals", "number", "v")
		s.OK("execute", nil).Stopped("stopped_at_breakpoint", s.At("program.py", "thousands")).Want("8999", "data", "locals", "number", "v")
		s.OK("execute", nil).Want("terminated", "data", "execution_state", "status")
	})
}
