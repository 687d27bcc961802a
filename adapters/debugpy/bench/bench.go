// Package bench is what the benchmark measures of Python.
package bench

import (
	"context"
	"embed"
	"fmt"
	"os/exec"
	"path/filepath"

	"aidb-mcp/internal/commands/bench/debuggee"
)

//go:embed _program
var programs embed.FS

// Set is what is measured of Python.
func Set() debuggee.Set {
	return debuggee.Set{
		Sessions: []debuggee.Session{{
			Name: "Python (debugpy)", File: "average.py", First: "total = 0", Ratio: debuggee.GainedRatio,
			Adapter: func(*debuggee.Program) (debuggee.Command, error) {
				dir, err := debuggee.Component("debugpy", "debugpy")
				if err != nil {
					return debuggee.Command{}, err
				}
				python, err := exec.LookPath("python3")
				return debuggee.Command{ID: "debugpy", Path: python, Args: []string{filepath.Join(dir, "debugpy", "adapter")}}, err
			},
			Launch: func(p *debuggee.Program) debuggee.Object {
				return debuggee.Object{
					"type": "python", "request": "launch", "program": p.File, "cwd": p.Dir,
					"console": "internalConsole", "justMyCode": false, "redirectOutput": true, "subProcess": true,
				}
			},
			Files: programs,
		}},
		Rates: []debuggee.Rate{
			{Session: debuggee.Session{Name: "Python, in the interpreter", File: "rate.py", Files: programs, First: debuggee.Counted}, Few: 5_000, Many: 105_000, Logged: 8_000, Least: 20_000},
		},
		Wides: []debuggee.Wide{{
			Name: "Python, wide", Module: widePython, Main: widePythonMain, Pattern: "m*", Noted: debuggee.WideNoted,
			Plain: func(ctx context.Context, _ string) *exec.Cmd { return exec.CommandContext(ctx, "python3", "main.py") },
		}},
		Paces: []debuggee.Pace{{
			Name: "Python, at work", File: "main.py", Rounds: 1_000_000, Diagnose: 4, Writes: 10, Plain: debuggee.Runs("python3", "main.py"),
			Text: atWork,
		}},
		Armed:    []debuggee.Armed{{Name: "Python, armed", File: "armed.py", Text: armed, Value: "total", Plain: debuggee.Runs("python3", "armed.py"), Start: debuggee.Object{"language": "python"}}},
		Holdings: []debuggee.Holding{{Name: "Python, a list of 10,000,000", File: "held.py", Count: 10_000_000, Text: heldList}},
	}
}

func widePython(n int) (file, text string) {
	return fmt.Sprintf("m%d.py", n), debuggee.EachFunction(`
def f#(total, name):
    """Counts the letters of a name."""
    for i, c in enumerate(name):
        if c == "e" and i > #:
            total += ord(c) * i
    if total < 0:
        return 0
    return total + len(name) - #

`) + "\ndef run(total):\n" + debuggee.EachCalled("    total = f#(total, \"measured\")\n") + "    return total\n"
}

func widePythonMain() (file, text string) {
	return "main.py", debuggee.EachModule("import m#\n") + "\ntotal = 0\n" + debuggee.EachModule("total = m#.run(total)\n") + "print(total)\n"
}

const heldList = `import sys


def main():
    numbers = list(range(int(sys.argv[1])))
    x = len(numbers)  # held
    x += 1
    x += 2
    x += 3
    x += 4
    x += 5
    x += 6
    print(x)


main()
`

const atWork = `import sys


def mix(a, b):
    return (a * 31 + b) % 1000003


def step(total, i):
    if i % 3 == 0:
        return mix(total, i)
    return mix(i, total)


def work(rounds):
    total = 1
    for i in range(rounds):
        total = step(total, i)
        if total < 0:
            total = 0  # never
    return total


table = [1, 2, 3]
total = work(int(sys.argv[1]))
print(table[total + 3])
`

const armed = `import sys
import time

rate, now = int(sys.argv[1]) / 1000, lambda: time.monotonic() * 1000
total = 1


def step(number):
    global total
    total = (total * 31 + number) % 1000003  # armed
    return total


calls, gap, behind = 0, 0, 0
since = began = told = now()
while True:
    at = now()
    gap = max(gap, at - since)
    due = min((at - began) * rate - calls - behind, 50)
    behind = max((at - began) * rate - calls - 50, behind)
    for _ in range(int(due)):
        step(calls)
        calls += 1
    since = now()
    if since - told > 500:
        print("calls %d gap %.1f" % (calls, gap), flush=True)
        told, gap = since, 0
    time.sleep(0.001)
`
