package hostile

import (
	"encoding/json"
	"maps"
	"strings"
)

// unasked sends messages that nobody has asked for, and answers honestly after them.
func unasked(name string, messages ...any) misdeed {
	return before(name, func(a *adapter, _ *request) {
		for _, m := range messages {
			a.send(clone(m))
		}
	})
}

// floods sends a message many times.
func floods(name string, times int, message func(i int) any) misdeed {
	return before(name, func(a *adapter, _ *request) {
		for i := range times {
			a.send(message(i))
		}
	})
}

func clone(m any) any {
	o, ok := m.(O)
	if !ok {
		return m
	}
	out := O{}
	maps.Copy(out, o)
	return out
}

func asks(command string, args any) O {
	return O{"type": "request", "command": command, "arguments": args}
}

var big = json.RawMessage("1e300")

// moments are the commands before whose answers an adapter speaks unasked.
var moments = []string{"initialize", "launch", "configurationDone", "stackTrace", "variables", "evaluate", "continue", "next", "pause", "disconnect"}

// interruptions are what it says then.
var interruptions = []misdeed{
	unasked("stopped without a body", O{"type": "event", "event": "stopped"}),
	unasked("stopped is a list", happens("stopped", L{1})),
	unasked("stopped without a thread", happens("stopped", O{"reason": "breakpoint"})),
	unasked("stopped without a reason", happens("stopped", O{"threadId": 1})),
	unasked("stopped in an unknown thread", stopped("breakpoint", O{"threadId": 999})),
	unasked("stopped in a negative thread", stopped("exception", O{"threadId": -5})),
	unasked("stopped in a huge thread", stopped("step", O{"threadId": big})),
	unasked("stopped at breakpoints unknown", stopped("breakpoint", O{"hitBreakpointIds": L{-1, 0, 1 << 40}})),
	unasked("stopped at breakpoints of texts", stopped("breakpoint", O{"hitBreakpointIds": L{"a", nil, O{}}})),
	unasked("stopped for an odd reason", stopped(escapes, O{"description": escapes, "text": escapes})),
	unasked("stopped for texts of the wrong type", stopped("pause", O{"reason": 7, "description": L{}, "text": O{}})),
	unasked("stopped twice", stopped("pause", nil), stopped("exception", nil)),
	unasked("continued", happens("continued", O{"threadId": 1, "allThreadsContinued": true})),
	unasked("continued without a body", O{"type": "event", "event": "continued"}),
	unasked("continued for nobody", happens("continued", O{"threadId": "x"})),
	unasked("exited without a code", happens("exited", nil)),
	unasked("exited with a text", happens("exited", O{"exitCode": "zero"})),
	unasked("exited without terminated", happens("exited", O{"exitCode": -1e6})),
	unasked("terminated", happens("terminated", nil)),
	unasked("terminated twice", happens("terminated", O{"restart": L{}}), happens("terminated", nil)),
	unasked("terminated to restart", happens("terminated", O{"restart": true})),
	unasked("initialized again", happens("initialized", nil), happens("initialized", L{})),
	unasked("capabilities of the wrong types", happens("capabilities", O{"capabilities": O{"supportsSetVariable": "yes", "exceptionBreakpointFilters": O{}}})),
	unasked("no capabilities any more", happens("capabilities", O{"capabilities": O{"supportsReadMemoryRequest": false, "supportsSetVariable": false}})),
	unasked("capabilities are a list", happens("capabilities", L{})),
	unasked("breakpoints of nobody", happens("breakpoint", O{"reason": "changed", "breakpoint": O{"id": 999, "verified": true}}),
		happens("breakpoint", O{"reason": "new", "breakpoint": O{"id": -1, "line": -1}}), happens("breakpoint", O{"breakpoint": nil}), happens("breakpoint", L{})),
	unasked("a breakpoint that moves away", happens("breakpoint", O{"reason": "changed", "breakpoint": O{"id": 12, "verified": true, "line": 1 << 40, "source": O{"path": "/dev/zero"}}})),
	unasked("a breakpoint of wrong types", happens("breakpoint", O{"reason": 1, "breakpoint": O{"id": "12", "verified": "no", "message": L{}, "source": "x"}})),
	unasked("a breakpoint with words", happens("breakpoint", O{"reason": "changed", "breakpoint": O{"id": 12, "verified": false, "message": escapes}})),
	unasked("a breakpoint that is gone", happens("breakpoint", O{"reason": "removed", "breakpoint": O{"id": 12}})),
	unasked("output of the wrong types", happens("output", O{"category": 1, "output": L{}, "line": "x", "source": 1}), happens("output", nil), happens("output", L{})),
	unasked("output with escape sequences", happens("output", O{"category": "stdout", "output": escapes + "\n"}), happens("output", O{"category": "important", "output": escapes})),
	unasked("one line of a megabyte", happens("output", O{"category": "stderr", "output": strings.Repeat("y", 1<<20)})),
	unasked("a process of the system", happens("process", O{"name": "init", "systemProcessId": 1, "startMethod": "launch"})),
	unasked("a process that cannot be", happens("process", O{"systemProcessId": -1})),
	unasked("a process of the wrong type", happens("process", O{"systemProcessId": "1", "name": L{}})),
	unasked("threads of the wrong type", happens("thread", O{"threadId": "x"}), happens("thread", L{}), happens("thread", O{"reason": "exited", "threadId": 1})),
	unasked("events without a name", O{"type": "event"}, O{"type": "event", "event": 7}, O{"type": "event", "event": nil, "body": L{}}),
	unasked("messages of no type", O{}, O{"type": 7}, O{"type": "song"}, L{}, "x", 7, nil),
	unasked("asks for something unknown", asks("sing", O{}), asks("", nil), O{"type": "request"}),
	unasked("asks for an odd terminal", asks("runInTerminal", nil), asks("runInTerminal", L{}), asks("runInTerminal", O{"args": L{}}), asks("runInTerminal", O{"args": L{""}}),
		asks("runInTerminal", O{"args": "ls"}), asks("runInTerminal", O{"args": L{nil}}), asks("runInTerminal", O{"args": L{7}, "env": L{}, "cwd": 7})),
	unasked("asks for odd children", asks("startDebugging", nil), asks("startDebugging", L{}), asks("startDebugging", O{"request": 7}), asks("startDebugging", O{"configuration": L{}})),
	floods("floods of children", 500, func(int) any { return asks("startDebugging", O{"request": "launch", "configuration": O{}}) }),
	floods("floods of stops", 500, func(i int) any { return stopped("pause", O{"threadId": i}) }),
	floods("floods of stops and goes", 500, func(i int) any {
		if i%2 == 0 {
			return stopped("breakpoint", nil)
		}
		return happens("continued", O{"threadId": 1})
	}),
	floods("floods of threads", 500, func(i int) any { return happens("thread", O{"reason": "started", "threadId": i}) }),
	floods("floods of breakpoints", 500, func(i int) any {
		return happens("breakpoint", O{"reason": "new", "breakpoint": O{"id": i, "verified": i%2 == 0, "line": i, "message": "m"}})
	}),
	floods("floods of progress", 500, func(i int) any { return happens("progressStart", O{"progressId": i, "title": "t"}) }),
	floods("floods of warnings", 500, func(i int) any {
		return happens("output", O{"category": "important", "output": strings.Repeat("w", i)})
	}),
}
