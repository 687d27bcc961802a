package attach

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"

	godap "github.com/google/go-dap"
)

// looker is a debug adapter that only looks: it answers what a session asks while its program
// runs, and tells when that has ended.
//
// Goroutines: serve reads the client's requests and answers them; watch waits for the end of
// the program, and ends with serve. sending guards the client's stream.
type looker struct {
	pid    int
	client net.Conn
	end    *processEnd
	leave  func() // takes out of the program what is in it

	sending sync.Mutex
	seq     int
}

// request is a request as far as it is looked at.
type request struct {
	Seq       int             `json:"seq"`
	Command   string          `json:"command"`
	Arguments json.RawMessage `json:"arguments"`
}

// serve returns when the client has gone.
func (l *looker) serve() {
	var watching sync.WaitGroup
	watching.Go(l.watch)
	defer func() {
		l.end.close()
		watching.Wait()
		_ = l.client.Close() // a pipe in memory
	}()
	for r := bufio.NewReader(l.client); ; {
		frame, err := godap.ReadBaseMessage(r)
		if err != nil {
			return
		}
		var req request
		if json.Unmarshal(frame, &req) == nil && !l.answer(req) {
			return
		}
	}
}

// watch tells the end of the program.
func (l *looker) watch() {
	if l.end.wait() {
		l.event("terminated", nil)
	}
}

// answer answers a request, and says whether there will be another.
func (l *looker) answer(req request) (more bool) {
	switch req.Command {
	case "initialize":
		l.reply(req, godap.Capabilities{SupportsConfigurationDoneRequest: true})
	case "attach":
		l.reply(req, nil)
		l.event("process", godap.ProcessEventBody{Name: strconv.Itoa(l.pid), SystemProcessId: l.pid, StartMethod: "attach"})
		l.event("initialized", nil)
	case "configurationDone", "setExceptionBreakpoints":
		l.reply(req, nil)
	case "setBreakpoints":
		l.reply(req, godap.SetBreakpointsResponseBody{Breakpoints: unbound(req.Arguments)})
	case "threads":
		l.reply(req, godap.ThreadsResponseBody{Threads: l.threads()})
	case "disconnect":
		l.leave() // before anybody looks how the program was left
		l.reply(req, nil)
		return false
	default:
		l.refuse(req)
	}
	return true
}

// neverStops is why a program that is observed is not stopped.
const neverStops = "this session only observes, and stops nothing: trace(arm) records while the program runs; a session without observe has breakpoints"

// unbound says of each breakpoint that it will never stop the program.
func unbound(arguments json.RawMessage) []godap.Breakpoint {
	var asked godap.SetBreakpointsArguments
	list := []godap.Breakpoint{}
	if json.Unmarshal(arguments, &asked) != nil {
		return list
	}
	for _, b := range asked.Breakpoints {
		list = append(list, godap.Breakpoint{Line: b.Line, Message: neverStops})
	}
	return list
}

// threads are those that the system tells.
func (l *looker) threads() []godap.Thread {
	list := []godap.Thread{}
	tasks, err := os.ReadDir(fmt.Sprintf("/proc/%d/task", l.pid))
	if err != nil {
		return list // it has ended
	}
	for _, t := range tasks {
		id, err := strconv.Atoi(t.Name())
		if err != nil {
			continue
		}
		name, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/comm", l.pid, id))
		if err != nil {
			continue // it has ended meanwhile
		}
		list = append(list, godap.Thread{Id: id, Name: strings.TrimSpace(string(name))})
	}
	slices.SortFunc(list, func(a, b godap.Thread) int { return a.Id - b.Id })
	return list
}

// response is a reply of any kind.
type response struct {
	Seq        int    `json:"seq"`
	Type       string `json:"type"`
	RequestSeq int    `json:"request_seq"`
	Success    bool   `json:"success"`
	Command    string `json:"command"`
	Message    string `json:"message,omitempty"`
	Body       any    `json:"body,omitempty"`
}

func (l *looker) reply(req request, body any) {
	l.send(func(seq int) any {
		return response{Seq: seq, Type: "response", RequestSeq: req.Seq, Success: true, Command: req.Command, Body: body}
	})
}

func (l *looker) refuse(req request) {
	l.send(func(seq int) any {
		return response{Seq: seq, Type: "response", RequestSeq: req.Seq, Command: req.Command, Message: neverStops}
	})
}

// event is an event of any kind.
type event struct {
	Seq   int    `json:"seq"`
	Type  string `json:"type"`
	Event string `json:"event"`
	Body  any    `json:"body,omitempty"`
}

func (l *looker) event(name string, body any) {
	l.send(func(seq int) any { return event{Seq: seq, Type: "event", Event: name, Body: body} })
}

// send sends a message; a client that has gone is noticed by who reads.
func (l *looker) send(message func(seq int) any) {
	l.sending.Lock()
	defer l.sending.Unlock()
	l.seq++
	text, err := json.Marshal(message(l.seq))
	if err != nil {
		return
	}
	_ = godap.WriteBaseMessage(l.client, text)
}
