package dapdoor

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"net"
	"strings"
	"sync"
	"time"

	godap "github.com/google/go-dap"

	"aidb-mcp/dap"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/hub"
	"aidb-mcp/persons"
)

// greetLimit is how long who connects may take to show the token.
const greetLimit = 10 * time.Second

// mostRequests is how many requests of one editor are answered at the same time.
const mostRequests = 16

// client is one editor. The goroutine that reads its requests starts one for each that
// may take time; one more tells it what happens.
type client struct {
	door *Door
	out  *out
	ctx  context.Context
	work sync.WaitGroup
	busy chan struct{} // has room for a token of each request that is answered

	name   string // what the editor calls itself
	seat   *persons.Seat
	begun  bool // it is told what happens
	frames frames
	scopes scopes
	points points

	resuming sync.Mutex // held until a resume is answered, which must come before its stop
}

// Serve serves one connection until its end.
func (d *Door) Serve(conn net.Conn) {
	ctx, cancel := context.WithCancel(d.ctx)
	c := &client{door: d, out: &out{dap.NewServer(patient{conn})}, ctx: ctx, busy: make(chan struct{}, mostRequests)}
	stop := context.AfterFunc(ctx, func() { _ = conn.Close() })
	defer func() {
		cancel()
		stop()
		_ = conn.Close()
		c.work.Wait()
		if c.seat != nil {
			c.seat.Leave()
		}
	}()
	if err := conn.SetReadDeadline(time.Now().Add(greetLimit)); err != nil {
		return
	}
	in := bufio.NewReaderSize(conn, 4<<10)
	for {
		most := longestGreeting
		if c.seat != nil {
			most = longestMessage
		}
		body, err := readMessage(in, most)
		if err != nil {
			return
		}
		var r request
		if json.Unmarshal(body, &r) != nil || r.Type != "request" {
			continue
		}
		if goes := c.take(conn, r); !goes {
			return
		}
	}
}

// take takes a request on; false: the connection ends.
func (c *client) take(conn net.Conn, r request) (goes bool) {
	switch r.Command {
	case "initialize":
		return c.out.respond(r, c.initialize(r), nil) == nil
	case "attach", "launch":
		err := c.attach(r)
		if c.out.respond(r, nil, err) != nil || err != nil {
			return false
		}
		_ = conn.SetReadDeadline(time.Time{})
		return c.out.Event("initialized", struct{}{}) == nil
	case reportRequest:
		body, err := c.report(r)
		return c.out.respond(r, body, err) == nil && c.seat != nil
	case "disconnect":
		_ = c.out.respond(r, nil, nil)
		return false
	}
	if c.seat == nil {
		return c.out.respond(r, nil, fault.New(fault.InvalidParam, "attach first, with the token of the session")) == nil
	}
	if r.Command == "configurationDone" {
		err := c.begin(r)
		return err == nil
	}
	select {
	case c.busy <- struct{}{}:
	case <-c.ctx.Done():
		return false
	}
	// It owns the request, and ends with its answer or the connection.
	c.work.Go(func() {
		defer func() { <-c.busy }()
		c.answer(r)
	})
	return true
}

func (c *client) initialize(r request) godap.Capabilities {
	var args godap.InitializeRequestArguments
	if r.decode(&args) == nil {
		c.name = cmp.Or(args.ClientName, args.ClientID)
	}
	changes := !c.door.Desk.Policy.ReadOnly
	return godap.Capabilities{
		SupportsConfigurationDoneRequest: true, SupportsEvaluateForHovers: true,
		SupportsConditionalBreakpoints: true, SupportsFunctionBreakpoints: true, SupportsHitConditionalBreakpoints: true, SupportsLogPoints: true,
		SupportsSetVariable: changes, SupportsSetExpression: changes, SupportsDelayedStackTraceLoading: true,
	}
}

// attachArguments are what an editor's configuration says.
type attachArguments struct {
	Token  string `json:"aidbToken"`
	Person string `json:"aidbPerson"` // how the person wants to be called
}

func (c *client) attach(r request) error {
	if c.seat != nil {
		return fault.New(fault.InvalidParam, "this connection has joined a session already")
	}
	var args attachArguments
	if err := r.decode(&args); err != nil {
		return err
	}
	s := c.door.sessionOf(args.Token)
	if s == nil {
		return errNoSuchToken()
	}
	seat, err := c.door.Desk.Sit(s.ID(), cmp.Or(args.Person, c.name, "an editor"), "")
	if err != nil {
		return err
	}
	if seat.Session != s {
		seat.Leave()
		return fault.New(fault.SessionNotFound, "the session has gone")
	}
	c.seat = seat
	return nil
}

// begin begins to tell the editor what happens: at a program that stands still it begins
// with that stop.
func (c *client) begin(r request) error {
	if c.begun {
		return c.out.respond(r, nil, nil)
	}
	observer, now, err := c.seat.Watch(c.ctx)
	if e := c.out.respond(r, nil, err); err != nil || e != nil {
		return cmp.Or(err, e)
	}
	c.begun = true
	// It owns the observer, and ends with the connection.
	c.work.Go(func() {
		defer observer.End()
		c.tell(observer, now)
	})
	return nil
}

// answer answers a request.
func (c *client) answer(r request) {
	defer func() {
		if p := recover(); p != nil {
			c.door.Log.Error("panic", "doing", "answering an editor", "command", r.Command, "panic", p)
			_ = c.out.respond(r, nil, fault.New(fault.Internal, "%s failed inside aidb-mcp: %v", r.Command, p))
		}
	}()
	if drive, drives := drives[r.Command]; drives {
		c.drive(r, drive)
		return
	}
	body, err := c.ask(r)
	_ = c.out.respond(r, body, err)
}

// ask answers a request that shows something, or changes something beside the program's course.
func (c *client) ask(r request) (any, error) {
	switch r.Command {
	case "threads":
		return c.threads()
	case "stackTrace":
		return c.stackTrace(r)
	case "scopes":
		return c.scopesOf(r)
	case "variables":
		return c.variables(r)
	case "source":
		return c.source(r)
	case "evaluate":
		return c.evaluate(r)
	case "setVariable":
		return c.setVariable(r)
	case "setExpression":
		return c.setExpression(r)
	case "setBreakpoints":
		return c.setBreakpoints(r)
	case "setFunctionBreakpoints":
		return c.setFunctionBreakpoints(r)
	case "setExceptionBreakpoints", "setInstructionBreakpoints", "setDataBreakpoints":
		return breakpointsBody{[]godap.Breakpoint{}}, nil // the capabilities offer none
	case "aidb/take":
		return c.act(persons.Act{Kind: persons.Take})
	case "aidb/give":
		return c.act(persons.Act{Kind: persons.Give})
	case "aidb/note", "aidb/answer":
		var args struct {
			Text string `json:"text"`
			ID   int    `json:"id"`
		}
		if err := r.decode(&args); err != nil {
			return nil, err
		}
		kind := persons.Note
		if r.Command == "aidb/answer" {
			kind = persons.Answer
		}
		return c.act(persons.Act{Kind: kind, Text: args.Text, ID: args.ID})
	case "terminate", "restart":
		return nil, fault.New(fault.NotSupported, "%s is the agent's: who joins does not end its program", r.Command).
			WithHint("disconnect, and the program stays as it is")
	}
	return nil, fault.New(fault.NotSupported, "%s is not served here", r.Command)
}

// saidBody is what an act has come to.
type saidBody struct {
	Said string `json:"said"`
}

func (c *client) act(a persons.Act) (any, error) {
	outcome, err := c.seat.Act(c.ctx, a)
	if err != nil {
		return nil, err
	}
	return saidBody{outcome.Said}, nil
}

// drives are the requests that move the program.
var drives = map[string]persons.Kind{
	"continue": persons.Continue, "next": persons.StepOver, "stepIn": persons.StepIn, "stepOut": persons.StepOut, "pause": persons.Pause,
}

// drive moves the program. Its answer comes before whatever is told of that.
func (c *client) drive(r request, kind persons.Kind) {
	if kind != persons.Pause {
		c.resuming.Lock()
		defer c.resuming.Unlock()
	}
	var args struct {
		ThreadID int `json:"threadId"`
	}
	err := r.decode(&args)
	if err == nil {
		if kind == persons.Pause { // the whole program: a thread of one that runs is not known
			args.ThreadID = 0
		}
		_, err = c.seat.Act(c.ctx, persons.Act{Kind: kind, Thread: args.ThreadID})
	}
	var body any
	if kind == persons.Continue {
		body = godap.ContinueResponseBody{AllThreadsContinued: true}
	}
	_ = c.out.respond(r, body, err)
}

// sayError is an error in plain words for a person.
func sayError(err error) string {
	var f *fault.Error
	if !errors.As(err, &f) {
		return err.Error()
	}
	said := f.Message
	if f.Code == fault.HeldByPerson {
		return "AIDB_" + string(f.Code) + ": " + said
	}
	if f.Hint != "" {
		said += ": " + f.Hint
	}
	return said
}

// authored is who has done something, for a line in the console.
func authored(by hub.Author) string {
	switch by.Kind {
	case hub.ByPerson:
		return by.Name
	case hub.ByAgent:
		return "the agent"
	}
	return "the program"
}

// command is what a line of the debug console asks for beside expressions: ":take".
func command(line string) (word, rest string, is bool) {
	line = strings.TrimSpace(line)
	if !strings.HasPrefix(line, ":") {
		return "", "", false
	}
	word, rest, _ = strings.Cut(line[1:], " ")
	return word, strings.TrimSpace(rest), true
}
