package attach

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"

	godap "github.com/google/go-dap"

	"aidb-mcp/dap"
)

// looker is a debug adapter that only looks: it answers what a session asks while its program
// runs, and tells when that has ended.
//
// Goroutines: serve reads the client's requests and answers them; watch waits for the end of
// the program, and ends with serve.
type looker struct {
	pid     int    // of the program; 0: on whatever machine
	leave   func() // takes out of the program what is in it
	refusal string // of what only a debugger can

	client net.Conn
	end    *processEnd // nil where pid is 0
	out    *dap.Server
}

// serve returns when the client has gone.
func (l *looker) serve() {
	var watching sync.WaitGroup
	if l.end != nil {
		watching.Go(l.watch)
	}
	defer func() {
		if l.end != nil {
			l.end.close()
		}
		watching.Wait()
		_ = l.client.Close() // a pipe in memory
	}()
	for r := bufio.NewReader(l.client); ; {
		frame, err := godap.ReadBaseMessage(r)
		if err != nil {
			return
		}
		var req dap.Request
		if json.Unmarshal(frame, &req) == nil && !l.answer(req) {
			return
		}
	}
}

// watch tells the end of the program.
func (l *looker) watch() {
	if l.end.wait() {
		_ = l.out.Event("terminated", nil) // a client that has gone is noticed by serve
	}
}

// answer answers a request, and says whether there will be another.
func (l *looker) answer(req dap.Request) (more bool) {
	var err error
	switch req.Command {
	case "initialize":
		err = l.out.Reply(req, godap.Capabilities{SupportsConfigurationDoneRequest: true})
	case "attach":
		err = l.out.Reply(req, nil)
		if l.pid != 0 {
			err = errors.Join(err, l.out.Event("process", godap.ProcessEventBody{Name: strconv.Itoa(l.pid), SystemProcessId: l.pid, StartMethod: "attach"}))
		}
		err = errors.Join(err, l.out.Event("initialized", nil))
	case "configurationDone", "setExceptionBreakpoints":
		err = l.out.Reply(req, nil)
	case "setBreakpoints":
		err = l.out.Reply(req, godap.SetBreakpointsResponseBody{Breakpoints: l.unbound(req.Arguments)})
	case "threads":
		err = l.out.Reply(req, godap.ThreadsResponseBody{Threads: l.threads()})
	case "disconnect":
		l.leave() // before anybody looks how the program was left
		_ = l.out.Reply(req, nil)
		return false
	default:
		err = l.out.Refuse(req, l.refusal, nil)
	}
	return err == nil
}

// neverStops is why a program that is observed is not stopped.
const neverStops = "this session only observes, and stops nothing: trace(arm) records while the program runs; a session without observe has breakpoints"

// unbound says of each breakpoint that it will never stop the program.
func (l *looker) unbound(arguments json.RawMessage) []godap.Breakpoint {
	var asked godap.SetBreakpointsArguments
	list := []godap.Breakpoint{}
	if json.Unmarshal(arguments, &asked) != nil {
		return list
	}
	for _, b := range asked.Breakpoints {
		list = append(list, godap.Breakpoint{Line: b.Line, Message: l.refusal})
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
