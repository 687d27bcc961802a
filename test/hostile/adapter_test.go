package hostile

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"strings"
	"sync"

	godap "github.com/google/go-dap"
)

// O is a JSON object, L a list.
type (
	O = map[string]any
	L = []any
)

// adapter is a debug adapter that does everything right but for one misdeed.
type adapter struct {
	in      *bufio.Reader
	out     io.WriteCloser
	misdeed misdeed
	source  string // the program's file
	done    int    // how often the misdeed was done
	rich    bool   // it answers requests of a language's own, too

	mu   sync.Mutex // guards what follows, and keeps messages whole
	seq  int
	sent int // bytes
}

// request is what the client has asked, with the answer that it should get.
type request struct {
	seq     int
	command string
	args    json.RawMessage
	body    any
	after   []any // events that follow the reply: what the program does
}

func newAdapter(rw io.ReadWriteCloser, m misdeed, source string) *adapter {
	return &adapter{in: bufio.NewReader(rw), out: rw, misdeed: m, source: source}
}

// serve answers until the client has gone.
func (a *adapter) serve() {
	defer a.out.Close()
	for {
		raw, err := godap.ReadBaseMessage(a.in)
		if err != nil {
			return
		}
		var m struct {
			Type, Command string
			Seq           int
			Arguments     json.RawMessage
		}
		if json.Unmarshal(raw, &m) != nil || m.Type != "request" {
			continue
		}
		r := &request{seq: m.Seq, command: m.Command, args: m.Arguments}
		a.answer(r)
		if a.wrong(r.command) {
			a.misdeed.act(a, r)
			continue
		}
		a.honest(r)
	}
}

// own stands for the requests that are no part of the protocol.
const own = "requests of its own"

// wrong says that the misdeed is at a command.
func (a *adapter) wrong(command string) bool {
	return a.misdeed.act != nil && (a.misdeed.at == command || a.misdeed.at == own && strings.HasPrefix(command, "aidb/"))
}

// honest replies as it should.
func (a *adapter) honest(r *request) {
	if r.command == "launch" {
		a.event("initialized", nil)
	}
	a.reply(r, r.body)
	a.follow(r)
}

// follow sends what happens after the reply.
func (a *adapter) follow(r *request) {
	for _, e := range r.after {
		a.send(e)
	}
}

func (a *adapter) reply(r *request, body any) {
	a.send(O{"type": "response", "request_seq": r.seq, "command": r.command, "success": true, "body": body})
}

func (a *adapter) event(name string, body any) { a.send(happens(name, body)) }

func happens(name string, body any) O { return O{"type": "event", "event": name, "body": body} }

// send writes a message with the next number, unless it has one.
func (a *adapter) send(message any) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if m, ok := message.(O); ok && m["seq"] == nil {
		a.seq++
		m["seq"] = a.seq
	}
	raw, err := json.Marshal(message)
	if err != nil {
		panic(err)
	}
	a.write(fmt.Appendf(nil, "Content-Length: %d\r\n\r\n%s", len(raw), raw))
}

// write sends bytes as they are; a client that has gone does not read them.
func (a *adapter) write(bytes []byte) {
	n, _ := a.out.Write(bytes)
	a.sent += n
}

func stopped(reason string, more O) O {
	body := O{"reason": reason, "threadId": 1, "allThreadsStopped": true}
	maps.Copy(body, more)
	return happens("stopped", body)
}

// answer fills in what an adapter of good will would say.
func (a *adapter) answer(r *request) {
	r.body = O{}
	switch r.command {
	case "initialize":
		able := maps.Clone(capabilities)
		able["supportsSetExpression"] = a.misdeed.at != "setVariable" // which is asked where there is nothing better
		r.body = able
	case "setBreakpoints", "setFunctionBreakpoints", "setDataBreakpoints", "setExceptionBreakpoints":
		r.body = O{"breakpoints": bound(r.args)}
	case "configurationDone":
		r.after = L{happens("process", O{"name": "toy", "startMethod": "launch"}), happens("thread", O{"reason": "started", "threadId": 1}),
			happens("output", O{"category": "stdout", "output": "hello\n"}), stopped("breakpoint", O{"hitBreakpointIds": L{12}})}
	case "next", "stepIn":
		r.after = L{stopped("step", nil)}
	case "stepOut":
		r.after = L{stopped("exception", O{"text": "boom"})}
	case "pause":
		r.after = L{stopped("pause", nil)}
	case "goto":
		r.after = L{stopped("goto", nil)}
	case "continue":
		r.body = O{"allThreadsContinued": true}
	case "disconnect":
		r.after = L{happens("exited", O{"exitCode": 0}), happens("terminated", nil)}
	default:
		r.body = a.looking(r)
	}
}

// looking is the answer to what only looks.
func (a *adapter) looking(r *request) any {
	switch r.command {
	case "threads":
		return O{"threads": L{O{"id": 1, "name": "main"}, O{"id": 2, "name": "worker"}}}
	case "stackTrace":
		at := O{"name": filepath.Base(a.source), "path": a.source}
		return O{"totalFrames": 2, "stackFrames": L{
			O{"id": 1001, "name": "main.add", "line": 2, "column": 1, "source": at, "instructionPointerReference": "0x1000"},
			O{"id": 1002, "name": "main.main", "line": 3, "column": 1, "source": at, "instructionPointerReference": "0x1010"}}}
	case "scopes":
		return O{"scopes": L{O{"name": "Locals", "presentationHint": "locals", "variablesReference": 100},
			O{"name": "Globals", "variablesReference": 103}, O{"name": "Registers", "presentationHint": "registers", "variablesReference": 104}}}
	case "variables":
		return O{"variables": variables(r.args)}
	case "evaluate":
		return O{"result": "42", "type": "int", "variablesReference": 101, "memoryReference": "0x1000"}
	case "setVariable", "setExpression":
		return O{"value": "2", "type": "int", "variablesReference": 0}
	case "exceptionInfo":
		return O{"exceptionId": "Error", "description": "boom", "breakMode": "always", "details": O{"message": "boom", "typeName": "Error"}}
	case "readMemory":
		return O{"address": "0x1000", "data": "AAECAw=="}
	case "disassemble":
		return O{"instructions": L{O{"address": "0x1000", "instruction": "nop"}, O{"address": "0x1001", "instruction": "ret"}}}
	case "modules":
		return O{"modules": L{O{"id": 1, "name": "toy", "path": "/lib/toy", "version": "1"}}, "totalModules": 1}
	case "dataBreakpointInfo":
		return O{"dataId": "x", "description": "x", "accessTypes": L{"write"}, "canPersist": true}
	case "gotoTargets":
		return O{"targets": L{O{"id": 1, "label": "here", "line": 3}}}
	}
	if a.rich && strings.HasPrefix(r.command, "aidb/") {
		return a.ownAnswer()
	}
	return O{}
}

// ownAnswer holds what any of our own requests may be answered.
func (a *adapter) ownAnswer() O {
	frame := O{"function": "main.add", "name": "main.add", "file": a.source, "line": 2}
	thread := O{"id": 1, "name": "main", "waiting": "chan receive", "sinceNs": 5, "object": "chan 0x1", "held": true, "labels": O{"a": "b"}, "thread": 7,
		"started": a.source + ":3", "frames": L{frame, frame}}
	x := O{"name": "x", "value": "1", "type": "int", "variablesReference": 101}
	return O{"goroutines": L{thread}, "threads": L{thread}, "total": 2, "lines": L{2, 3}, "functions": L{"main.add"}, "data": "AAECAw==", "names": L{"x"},
		"file": a.source, "line": 3, "function": "main.add", "address": "4096", "done": true, "variables": L{x}, "registers": L{x}, "values": L{x},
		"modules": L{O{"id": "m", "name": "m", "version": "1"}}, "name": "Main", "notes": L{"a note"}, "replaced": "Main"}
}

// bound verifies each breakpoint of a request; the id is 10 and its line.
func bound(args json.RawMessage) L {
	var asked struct{ Breakpoints []struct{ Line int } }
	_ = json.Unmarshal(args, &asked)
	list := L{}
	for i, b := range asked.Breakpoints {
		list = append(list, O{"id": 10 + max(b.Line, 10*i), "verified": true, "line": max(b.Line, 1)})
	}
	return list
}

// variables are the children of a reference; those of 101 hold themselves.
func variables(args json.RawMessage) L {
	var asked struct{ VariablesReference, Start, Count int }
	_ = json.Unmarshal(args, &asked)
	switch asked.VariablesReference {
	case 100, 103:
		return L{
			O{"name": "x", "value": "1", "type": "int", "evaluateName": "x", "variablesReference": 0, "memoryReference": "0x1000"},
			O{"name": "tree", "value": "Tree", "type": "Tree", "evaluateName": "tree", "variablesReference": 101, "namedVariables": 2},
			O{"name": "list", "value": "[1000]", "type": "List", "evaluateName": "list", "variablesReference": 102, "indexedVariables": 1000},
		}
	case 101:
		return L{
			O{"name": "self", "value": "Tree", "type": "Tree", "evaluateName": "tree.self", "variablesReference": 101},
			O{"name": "leaf", "value": "7", "type": "int", "evaluateName": "tree.leaf", "variablesReference": 0},
		}
	case 102:
		list := L{}
		for i := range min(max(asked.Count, 25), 1000) {
			list = append(list, O{"name": fmt.Sprintf("[%d]", asked.Start+i), "value": fmt.Sprint(i), "type": "int", "variablesReference": 0})
		}
		return list
	}
	return L{O{"name": "rip", "value": "0x1000", "type": "uint64", "variablesReference": 0}}
}

// capabilities are all that are used.
var capabilities = O{
	"supportsConfigurationDoneRequest": true, "supportsFunctionBreakpoints": true, "supportsConditionalBreakpoints": true,
	"supportsHitConditionalBreakpoints": true, "supportsLogPoints": true, "supportsSetVariable": true,
	"supportsDataBreakpoints": true, "supportsExceptionInfoRequest": true, "supportsDelayedStackTraceLoading": true,
	"supportsReadMemoryRequest": true, "supportsDisassembleRequest": true, "supportsModulesRequest": true,
	"supportsGotoTargetsRequest": true, "supportsTerminateRequest": true, "supportsSteppingGranularity": true,
	"exceptionBreakpointFilters": L{O{"filter": "uncaught", "label": "Uncaught", "default": true}},
}
