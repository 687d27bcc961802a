package handlers

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/mcp/client"
	"aidb-mcp/responses"
	"aidb-mcp/session"
)

// building is an adapter whose builds never end: its sessions stay in starting.
type building struct{}

func (building) Info() adapters.Info {
	return adapters.Info{Language: "go", Name: "Slow", Modes: []adapters.Mode{adapters.Launch}}
}
func (building) Claims(adapters.Request) int              { return 100 }
func (building) Services() adapters.Services              { return adapters.Services{} }
func (building) Check(context.Context) adapters.Readiness { return adapters.Readiness{Ready: true} }
func (building) Plan(ctx context.Context, _ adapters.Request, progress func(string)) (*adapters.Plan, error) {
	progress("building ./app")
	adapters.Count(ctx, 3, 10)
	<-ctx.Done()
	return nil, context.Cause(ctx)
}

// bench is what a middleware is tried on.
type bench struct {
	*Handlers
	t   *testing.T
	log bytes.Buffer
}

func newBench(t *testing.T) *bench {
	b := &bench{t: t}
	registry := adapters.NewRegistry(building{})
	log := slog.New(slog.NewTextHandler(&b.log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	b.Handlers = &Handlers{
		Deps: Deps{
			Sessions: session.NewManager(session.Options{Registry: registry, Log: log}), Adapters: registry,
			Workspace: t.TempDir(), Settings: &Settings{}, Log: log,
		},
		queue:       queue{holds: map[*session.Session]hold{}},
		subscribers: subscribers{each: map[*session.Session]*subscription{}},
	}
	return b
}

// open starts a session, which stays in starting until the bench is closed.
func (b *bench) open() *session.Session {
	b.t.Helper()
	s, err := b.Sessions.Open(session.StartRequest{Program: adapters.Request{Target: ".", Workspace: b.Workspace}})
	if err != nil {
		b.t.Fatal(err)
	}
	return s
}

func (b *bench) close() { b.Sessions.Close(b.t.Context()) }

// ruled is a tool with a rule of the test's choice.
type ruled struct {
	tool
	rule rule
}

func (r ruled) read(args json.RawMessage) (*request, error) {
	q, err := r.tool.read(args)
	if err == nil {
		q.rule = r.rule
	}
	return q, err
}

// call makes a call of a tool with a rule of the test's choice.
func (b *bench) call(tool, args string, r rule) *Call {
	for _, known := range b.tools(0) {
		if known.definition().Name == tool {
			return &Call{Tool: tool, Args: json.RawMessage(args), Client: client.None{}, tool: ruled{known, r}}
		}
	}
	b.t.Fatalf("no tool %q", tool)
	return nil
}

// decoded makes a call whose arguments have been read.
func (b *bench) decoded(tool, args string, r rule) *Call {
	b.t.Helper()
	c := b.call(tool, args, r)
	var err error
	if c.request, err = c.tool.read(c.Args); err != nil {
		b.t.Fatal(err)
	}
	return c
}

func fine(context.Context, *Call) (Result, error) {
	return Result{Envelope: &responses.Envelope{Success: true, Summary: "done"}}, nil
}

func code(err error) fault.Code {
	var f *fault.Error
	if errors.As(err, &f) {
		return f.Code
	}
	return ""
}

func TestOrderOfTheChain(t *testing.T) {
	var order []string
	for _, l := range newBench(t).callChain().links() {
		order = append(order, l.name)
	}
	want := []string{"account", "recover", "timing", "replied", "respond", "news", "decode", "permit", "progress", "lock", "watched", "session", "capture"}
	if diff := cmp.Diff(want, order); diff != "" {
		t.Error(diff)
	}
	var ran []string
	note := func(name string) namedMiddleware {
		return namedMiddleware{name, func(next Handler) Handler {
			return func(ctx context.Context, c *Call) (Result, error) {
				ran = append(ran, name)
				return next(ctx, c)
			}
		}}
	}
	_, _ = chain([]namedMiddleware{note("outer"), note("inner")}, fine)(t.Context(), &Call{})
	if diff := cmp.Diff([]string{"outer", "inner"}, ran); diff != "" {
		t.Error(diff)
	}
}

func TestRecoverTurnsAPanicIntoAnAnswer(t *testing.T) {
	b := newBench(t)
	c := b.call("step", "{}", rule{})
	res, err := b.callChain().recover(func(context.Context, *Call) (Result, error) { panic("oh dear") })(t.Context(), c)
	if err != nil || res.Envelope.Error.Code != "AIDB_INTERNAL_ERROR" || !res.Reply.IsError || !strings.Contains(string(res.Reply.Text), "oh dear") {
		t.Errorf("answer %s, error %v", res.Reply.Text, err)
	}
	if !strings.Contains(b.log.String(), "middleware_test.go") {
		t.Error("the log has no stack")
	}
}

// book is an account that is read.
type book []Spent

func (b *book) Record(s Spent) { *b = append(*b, s) }

// named is a client with a name.
type named struct{ client.None }

func (named) Name() string { return "claude-code" }

// Each call is accounted for, also one that panics, and what it said is not.
func TestAccountOfCalls(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		var account book
		b.Account = &account
		s := b.open()
		defer b.close()
		for _, answer := range []Handler{
			func(ctx context.Context, c *Call) (Result, error) {
				c.speakOf(s)
				time.Sleep(time.Second)
				return fine(ctx, c)
			},
			func(context.Context, *Call) (Result, error) { panic("oh dear") },
			func(context.Context, *Call) (Result, error) {
				return Result{}, fault.New(fault.NotPaused, "it runs")
			},
		} {
			c := b.call("step", `{"secret":"sesame"}`, rule{})
			c.Client = named{}
			res, _ := b.callChain().account(b.callChain().recover(b.callChain().respond(answer)))(t.Context(), c)
			last := &account[len(account)-1]
			if last.BytesOut != len(res.Reply.Text) || last.BytesOut == 0 {
				t.Errorf("%d bytes are told of %s", last.BytesOut, res.Reply.Text)
			}
			last.BytesOut, last.TokensOut, last.At = 0, 0, time.Time{}
		}
		c := b.call("step", "{}", rule{})
		res, _ := b.callChain().account(b.callChain().respond(refuse(client.ErrAsked)))(t.Context(), c) // it comes again, with the answer
		if !res.Reply.Asked {
			t.Error("the question was not passed on")
		}
		each := Spent{Client: "claude-code", Tool: "step", BytesIn: 19, TokensIn: 4}
		want := book{each, each, each}
		want[0].Took, want[0].Session, want[0].Language = time.Second, "go-1", "go"
		want[1].Code, want[2].Code = "AIDB_INTERNAL_ERROR", "AIDB_STATE_NOT_PAUSED"
		if diff := cmp.Diff(want, account); diff != "" {
			t.Error(diff)
		}
	})
}

// nobody is an account that keeps nothing.
type nobody struct{}

func (nobody) Record(Spent) {}

// BenchmarkAccount is what the chain does for the account in each call.
func BenchmarkAccount(b *testing.B) {
	h := &Handlers{Deps: Deps{Account: nobody{}}}
	c := &Call{Tool: "step", Client: named{}}
	handler := h.callChain().account(fine)
	for b.Loop() {
		_, _ = handler(b.Context(), c)
	}
}

func TestTimingLogsAndWarnsOfSlowCalls(t *testing.T) {
	for _, test := range []struct {
		took  time.Duration
		level string
	}{{time.Second, "DEBUG"}, {3 * time.Second, "DEBUG"}, {8 * time.Second, "WARN"}} {
		synctest.Test(t, func(t *testing.T) {
			b := newBench(t)
			c := b.decoded("step", `{"timeout_ms":5000}`, rule{})
			_, _ = b.callChain().timing(func(ctx context.Context, c *Call) (Result, error) {
				time.Sleep(test.took)
				return Result{Reply: responses.Reply{Text: make([]byte, 400)}}, nil
			})(t.Context(), c)
			want := fmt.Sprintf(`level=%s msg="tool call" what="step over" duration=%s bytes=400 tokens=100 failed=false`, test.level, test.took)
			if !strings.Contains(b.log.String(), want) {
				t.Errorf("log is %swant %s", b.log.String(), want)
			}
		})
	}
}

func TestRespondAlwaysAnswers(t *testing.T) {
	b := newBench(t)
	b.Settings.Replies = responses.Both
	gone, cancel := context.WithCancelCause(t.Context())
	cancel(errors.New("the client closed the connection"))
	cancelled, stop := context.WithCancel(t.Context())
	stop()
	for _, test := range []struct {
		name    string
		ctx     context.Context
		handler Handler
		says    []string
		failed  bool
	}{
		{"success", t.Context(), fine, []string{"done"}, false},
		{"fault", t.Context(), refuse(fault.New(fault.Evaluation, "no such name").WithHint("look")), []string{`AIDB_EVALUATION_FAILED`, "no such name", "look"}, true},
		{"bug", t.Context(), refuse(errors.New("nil map")), []string{"AIDB_INTERNAL_ERROR", "nil map"}, true},
		{"cancelled", cancelled, refuse(fmt.Errorf("waiting: %w", context.Canceled)), []string{"AIDB_OPERATION_CANCELLED"}, true},
		{"client gone", gone, refuse(context.Cause(gone)), []string{"AIDB_OPERATION_CANCELLED", "the client closed the connection"}, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := b.decoded("step", "{}", rule{})
			res, err := b.callChain().respond(test.handler)(test.ctx, c)
			if err != nil {
				t.Fatal(err)
			}
			for _, part := range test.says {
				if !strings.Contains(string(res.Reply.JSON), part) || !strings.Contains(string(res.Reply.Text), part) {
					t.Errorf("%s or %s does not say %s", res.Reply.JSON, res.Reply.Text, part)
				}
			}
			if res.Reply.IsError != test.failed || !json.Valid(res.Reply.JSON) {
				t.Errorf("isError is %v in %s", res.Reply.IsError, res.Reply.JSON)
			}
		})
	}
}

func refuse(err error) Handler {
	return func(context.Context, *Call) (Result, error) { return Result{}, err }
}

func TestRespondKeepsTheBudget(t *testing.T) {
	b := newBench(t)
	long := func(context.Context, *Call) (Result, error) {
		return Result{}, fault.New(fault.BuildFailed, "it does not build").WithDetails(slices.Repeat([]string{"main.go:1:2: undefined: x"}, 2000))
	}
	for _, test := range []struct {
		args  string
		reply int // setting
		max   int
	}{{"{}", 0, 8000}, {`{"max_bytes":1000}`, 0, 1000}, {"{}", 3000, 3000}, {`{"max_bytes":20000}`, 3000, 20000}} {
		b.Settings.ReplyBytes = test.reply
		c := b.decoded("step", test.args, rule{})
		res, _ := b.callChain().respond(long)(t.Context(), c)
		if n := len(res.Reply.Text); n > test.max || !strings.Contains(string(res.Reply.Text), "it does not build") {
			t.Errorf("%s with --max-bytes %d: %d bytes, want at most %d", test.args, test.reply, n, test.max)
		}
	}
}

func TestDecodeFillsInTheCall(t *testing.T) {
	b := newBench(t)
	c := b.call("step", `{"action":"into","timeout_ms":"3000"}`, atStop)
	if _, err := decode(fine)(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	if r := c.request; r.Timeout() != 3*time.Second || r.action != "into" || r.rule != atStop {
		t.Errorf("%+v", r)
	}
	_, err := decode(func(context.Context, *Call) (Result, error) {
		t.Error("bad arguments reached the handler")
		return Result{}, nil
	})(t.Context(), b.call("step", `{"cuont":3}`, atStop))
	if code(err) != fault.UnknownParam {
		t.Errorf("error is %v", err)
	}
}

// listener is a client that keeps what it is told.
type listener struct {
	client.None
	heard []string
}

func (l *listener) Progress(m string, done, total float64) {
	if total > 0 {
		m += fmt.Sprintf(" (%v of %v)", done, total)
	}
	l.heard = append(l.heard, m)
}

func TestProgressIsSentEveryFiveSeconds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		s := b.open()
		defer b.close()
		synctest.Wait()
		var told listener
		c := b.decoded("session_start", "{}", rule{})
		c.Client = &told
		_, _ = progress(func(ctx context.Context, c *Call) (Result, error) {
			time.Sleep(6 * time.Second)
			c.speakOf(s)
			time.Sleep(6 * time.Second)
			return fine(ctx, c)
		})(t.Context(), c)
		time.Sleep(time.Minute) // nothing comes after the answer
		if diff := cmp.Diff([]string{"still working, 5s", "building ./app, 10s (3 of 10)"}, told.heard); diff != "" {
			t.Error(diff)
		}
	})
}

func TestStandingSaysWhatToDo(t *testing.T) {
	three := 3
	for _, test := range []struct {
		want requiredState
		st   session.State
		code fault.Code
		says string
	}{
		{anyState, session.State{Status: session.Terminated}, "", ""},
		{stopped, session.State{Status: session.StoppedBreakpoint}, "", ""},
		{stopped, session.State{Status: session.Paused}, "", ""},
		{alive, session.State{Status: session.Running}, "", ""},
		{alive, session.State{Status: session.Starting}, "", ""},
		{alive, session.State{Status: session.Terminated, ExitCode: &three}, fault.SessionTerminated, "exit code 3"},
		{stopped, session.State{Status: session.Terminated, Signal: "SIGKILL"}, fault.SessionTerminated, "signal SIGKILL"},
		{stopped, session.State{Status: session.Running, Running: 1234 * time.Millisecond}, fault.NotPaused, "running for 1.2s"},
		{stopped, session.State{Status: session.Starting, Doing: "building ./app"}, fault.NotPaused, "building ./app"},
	} {
		err := test.want.check("step over", test.st)
		if code(err) != test.code {
			t.Errorf("%v in %s: %v", test.want, test.st.Status, err)
			continue
		}
		var f *fault.Error
		if errors.As(err, &f) && (!strings.Contains(f.Message, test.says) || !strings.Contains(f.Message, "step over") || f.Hint == "") {
			t.Errorf("%v in %s: %q, hint %q", test.want, test.st.Status, f.Message, f.Hint)
		}
	}
}

func TestSessionIsCheckedUnderTheLock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		s := b.open()
		defer b.close()
		c := b.decoded("step", "{}", atStop)
		c.speakOf(s)
		if _, err := checkState(fine)(t.Context(), c); code(err) != fault.NotPaused {
			t.Errorf("error is %v", err)
		}
	})
}

func TestCaptureWritesTheHistory(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		s := b.open()
		defer b.close()
		try := func(r rule, handler Handler, what string) {
			c := b.decoded("step", `{"action":"into"}`, r)
			c.What = what
			c.speakOf(s)
			sized := func(next Handler) Handler {
				return func(ctx context.Context, c *Call) (Result, error) {
					res, err := next(ctx, c)
					res.Reply.Text = make([]byte, 100)
					return res, err
				}
			}
			_, _ = b.callChain().timing(sized(b.callChain().capture(func(ctx context.Context, c *Call) (Result, error) {
				time.Sleep(time.Second)
				return handler(ctx, c)
			})))(t.Context(), c)
		}
		try(rule{}, fine, "")
		try(rule{}, refuse(fault.New(fault.NotPaused, "no")), "step into add")
		try(rule{quiet: true}, fine, "")
		try(rule{}, func(context.Context, *Call) (Result, error) {
			return Result{Envelope: responses.Failure(fault.New(fault.Evaluation, "no"))}, nil
		}, "")
		want := []session.Operation{
			{N: 1, Tool: "step", What: "step into", Outcome: "done", OK: true, Duration: time.Second, Bytes: 100},
			{N: 2, Tool: "step", What: "step into add", Outcome: "AIDB_STATE_NOT_PAUSED", Found: []string{"no"}, Duration: time.Second, Bytes: 100},
			{N: 3, Tool: "step", What: "step into", Outcome: "AIDB_EVALUATION_FAILED", Found: []string{"no"}, Duration: time.Second, Bytes: 100},
		}
		got := s.History()
		for i := range got {
			if got[i].At.IsZero() || got[i].Args != `{"action":"into"}` {
				t.Errorf("operation %d has the time %v and the arguments %s", i+1, got[i].At, got[i].Args)
			}
			got[i].At, got[i].Args = time.Time{}, ""
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	})
}

func TestRegistryAnswersWhateverComes(t *testing.T) {
	b := newBench(t)
	r := NewRegistry(b.Deps)
	for _, test := range [][3]string{
		{"stpe", "{}", "AIDB_VALIDATION_INVALID_PARAM"},
		{"step", "{}", "AIDB_SESSION_NOT_STARTED"},
		{"step", `{"session_id":"go-9"}`, "AIDB_SESSION_NOT_FOUND"},
		{"step", `{"cuont":1}`, "AIDB_VALIDATION_UNKNOWN_PARAM"},
		{"step", `{`, "AIDB_VALIDATION_INVALID_PARAM"},
		{"session", `{"action":"list"}`, "0 sessions"},
	} {
		for _, form := range []responses.Form{responses.Text, responses.JSON, responses.Both} {
			b.Settings.Replies = form
			reply := r.Call(t.Context(), test[0], json.RawMessage(test[1]), nil)
			if !strings.HasPrefix(string(reply.Text), test[2]) && form != responses.JSON || (reply.Text == nil) != (form == responses.JSON) {
				t.Errorf("%s %s is answered %s", test[0], test[1], reply.Text)
			}
			if !strings.Contains(string(reply.JSON), test[2]) && form != responses.Text || json.Valid(reply.JSON) != (form != responses.Text) {
				t.Errorf("%s %s is answered %s", test[0], test[1], reply.JSON)
			}
		}
	}
}
