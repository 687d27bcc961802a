package dap_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	godap "github.com/google/go-dap"

	"aidb-mcp/dap"
	"aidb-mcp/dap/daptest"
)

// open connects to a fake adapter. The connection is closed before a bubble
// ends, which then fails if one of its goroutines is left.
func open(t *testing.T, rw io.ReadWriteCloser, o dap.Options) *dap.Conn {
	o.Name, o.Log = "fake-1", slog.New(slog.DiscardHandler)
	conn := dap.New(rw, o)
	t.Cleanup(func() { conn.Close() })
	return conn
}

// bubble runs a test with virtual time, and fails when a goroutine is left.
func bubble(t *testing.T, test func(t *testing.T, a *daptest.Adapter)) {
	synctest.Test(t, func(t *testing.T) { test(t, daptest.New(t)) })
}

func TestRepliesAreMatchedByTheirNumber(t *testing.T) {
	bubble(t, func(t *testing.T, a *daptest.Adapter) {
		conn := open(t, a.Stream(), dap.Options{})
		first, second := conn.Send("evaluate", nil), conn.Send("evaluate", nil)
		one, two := a.Expect("evaluate"), a.Expect("evaluate")
		two.Reply(godap.EvaluateResponseBody{Result: "2"})
		one.Reply(godap.EvaluateResponseBody{Result: "1"})
		for want, p := range map[string]*dap.Pending{"1": first, "2": second} {
			var body godap.EvaluateResponseBody
			if err := p.Wait(t.Context(), &body); err != nil || body.Result != want {
				t.Errorf("got %q, %v; want %q", body.Result, err, want)
			}
		}
	})
}

func TestCarelessRepliesAreUnderstood(t *testing.T) {
	replies := map[string]string{
		"no command":   `{"seq":1,"type":"response","request_seq":1,"success":true,"body":{"result":"x"}}`,
		"no seq":       `{"type":"response","request_seq":1,"success":true,"body":{"result":"x"}}`,
		"null numbers": `{"seq":null,"type":"response","request_seq":1,"success":true,"body":{"result":"x","variablesReference":null}}`,
		"odd command":  `{"seq":1,"type":"response","request_seq":1,"command":"other","success":true,"body":{"result":"x"}}`,
		"odd types":    `{"seq":"1","type":"response","request_seq":1,"message":7,"success":true,"body":{"result":"x"}}`,
	}
	for name, reply := range replies {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T, a *daptest.Adapter) {
				a.Handle("evaluate", func(*daptest.Request) {
					a.Raw([]byte("text of the program"))
					a.Raw(fmt.Appendf(nil, "Content-Length: %d\r\n\r\n%s", len(reply), reply))
				})
				var body godap.EvaluateResponseBody
				err := open(t, a.Stream(), dap.Options{}).Call(t.Context(), "evaluate", nil, &body)
				if err != nil || body.Result != "x" {
					t.Errorf("got %+v, %v", body, err)
				}
			})
		})
	}
}

func TestMessagesThatCannotBeReadAreSkipped(t *testing.T) {
	bubble(t, func(t *testing.T, a *daptest.Adapter) {
		a.Handle("threads", func(r *daptest.Request) {
			a.Raw([]byte("Content-Length: 3\r\n\r\n{x}"))
			a.Raw([]byte("Content-Length: 4\r\n\r\nnull"))
			a.Raw([]byte(`Content-Length: 14` + "\r\n\r\n" + `{"type":"odd"}`))
			r.Reply(nil)
		})
		if err := open(t, a.Stream(), dap.Options{}).Call(t.Context(), "threads", nil, nil); err != nil {
			t.Error(err)
		}
	})
}

func TestASecondReplyIsIgnored(t *testing.T) {
	bubble(t, func(t *testing.T, a *daptest.Adapter) {
		a.Handle("restart", func(r *daptest.Request) {
			r.Reply(nil)
			r.Fail("cannot rebuild a binary")
		})
		a.Answer(nil, "threads")
		conn := open(t, a.Stream(), dap.Options{})
		restart := conn.Send("restart", nil)
		for range 2 { // the outcome stays what it was
			if err := restart.Wait(t.Context(), nil); err != nil {
				t.Error(err)
			}
		}
		if err := conn.Call(t.Context(), "threads", nil, nil); err != nil {
			t.Error(err)
		}
	})
}

func TestAFailedReplyCarriesTheReason(t *testing.T) {
	bubble(t, func(t *testing.T, a *daptest.Adapter) {
		a.Handle("evaluate", func(r *daptest.Request) { r.Fail("could not find symbol value for %s", "x") })
		err := open(t, a.Stream(), dap.Options{}).Call(t.Context(), "evaluate", nil, nil)
		var refused *dap.RequestError
		if !errors.As(err, &refused) {
			t.Fatalf("error is %v", err)
		}
		want := dap.RequestError{Command: "evaluate", ID: 1, Message: "could not find symbol value for x"}
		if *refused != want || err.Error() != "evaluate: "+want.Message {
			t.Errorf("got %+v: %v", refused, err)
		}
	})
}

func TestArgumentsGoOutAsTheyAre(t *testing.T) {
	bubble(t, func(t *testing.T, a *daptest.Adapter) {
		conn := open(t, a.Stream(), dap.Options{})
		cases := map[string]any{
			`{"breakpoints":[]}`: struct {
				Breakpoints []int `json:"breakpoints"`
			}{[]int{}},
			`{"breakpoints":null}`: struct {
				Breakpoints []int `json:"breakpoints"`
			}{},
			`{"id":9007199254740993}`: json.RawMessage(`{"id":9007199254740993}`),
			``:                        nil,
		}
		for want, arguments := range cases {
			conn.Send("any", arguments)
			if got := a.Expect("any").Arguments; string(got) != want {
				t.Errorf("sent %s, want %s", got, want)
			}
		}
		if err := conn.Call(t.Context(), "any", make(chan int), nil); err == nil || !strings.Contains(err.Error(), "any: encoding the arguments") {
			t.Errorf("what cannot be encoded gives %v", err)
		}
	})
}

func TestABodyOfTheWrongShapeIsAnError(t *testing.T) {
	bubble(t, func(t *testing.T, a *daptest.Adapter) {
		a.Answer(json.RawMessage(`{"threads":"none"}`), "threads")
		var body godap.ThreadsResponseBody
		err := open(t, a.Stream(), dap.Options{}).Call(t.Context(), "threads", nil, &body)
		if !errors.Is(err, dap.ErrUnreadable) || !strings.HasPrefix(err.Error(), "threads: ") {
			t.Errorf("error is %v", err)
		}
	})
}

func TestEventsComeInOrderAndUnchanged(t *testing.T) {
	bubble(t, func(t *testing.T, a *daptest.Adapter) {
		var events []string
		conn := open(t, a.Stream(), dap.Options{OnEvent: func(e dap.Event) {
			events = append(events, e.Name+string(e.Body))
		}})
		var want []string
		a.Handle("threads", func(r *daptest.Request) {
			for i := range 100 {
				a.Event("debugpySockets", map[string]int{"n": i})
				want = append(want, fmt.Sprintf(`debugpySockets{"n":%d}`, i))
			}
			a.Event("initialized", nil)
			want = append(want, "initialized")
			r.Reply(nil)
		})
		if err := conn.Call(t.Context(), "threads", nil, nil); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(events, want) { // all before the reply, as on the wire
			t.Errorf("events were %q", events)
		}
	})
}

// A fault of ours in handling a message ends that connection, and nothing else.
func TestAPanicCostsTheConnection(t *testing.T) {
	bubble(t, func(t *testing.T, a *daptest.Adapter) {
		conn := open(t, a.Stream(), dap.Options{OnEvent: func(dap.Event) { panic("on purpose") }})
		a.Handle("threads", func(r *daptest.Request) { a.Event("stopped", nil) })
		err := conn.Call(t.Context(), "threads", nil, nil)
		<-conn.Done()
		if !errors.Is(err, dap.ErrClosed) || !errors.Is(conn.Err(), dap.ErrPanic) {
			t.Errorf("the call: %v; the connection: %v", err, conn.Err())
		}
	})
}

func TestASilentAdapterCostsTheLimitAndNoMore(t *testing.T) {
	for limit, o := range map[time.Duration]dap.Options{
		10 * time.Second: {},
		3 * time.Second:  {Timeout: 3 * time.Second},
	} {
		bubble(t, func(t *testing.T, a *daptest.Adapter) {
			a.Answer(nil, "pause")
			conn := open(t, a.Stream(), o)
			start := time.Now()
			err := conn.Call(t.Context(), "threads", nil, nil)
			if !errors.Is(err, dap.ErrTimeout) || !strings.HasPrefix(err.Error(), "threads: ") {
				t.Errorf("error is %v", err)
			}
			if took := time.Since(start); took != limit {
				t.Errorf("it took %v", took)
			}
			a.Expect("threads").Reply(nil) // too late, and dropped
			if err := conn.Call(t.Context(), "pause", nil, nil); err != nil {
				t.Errorf("the next call: %v", err)
			}
		})
	}
}

func TestTheLimitRunsFromTheSending(t *testing.T) {
	bubble(t, func(t *testing.T, a *daptest.Adapter) {
		conn := open(t, a.Stream(), dap.Options{})
		p := conn.Send("threads", nil)
		time.Sleep(8 * time.Second)
		start := time.Now()
		if err := p.Wait(t.Context(), nil); !errors.Is(err, dap.ErrTimeout) || time.Since(start) != 2*time.Second {
			t.Errorf("after %v: %v", time.Since(start), err)
		}
		a.Expect("threads").Reply(nil)
		synctest.Wait()
		if err := p.Wait(t.Context(), nil); err != nil {
			t.Errorf("a reply that is there: %v", err)
		}
	})
}

func TestTheContextEndsAWait(t *testing.T) {
	bubble(t, func(t *testing.T, a *daptest.Adapter) {
		conn := open(t, a.Stream(), dap.Options{})
		reason := errors.New("the user went away")
		ctx, cancel := context.WithTimeoutCause(t.Context(), time.Minute, reason)
		defer cancel()
		p := conn.Send("launch", nil)
		start := time.Now()
		if err := p.WaitOpen(ctx, nil); !errors.Is(err, reason) || time.Since(start) != time.Minute {
			t.Errorf("after %v: %v", time.Since(start), err)
		}
		go func() {
			time.Sleep(time.Hour)
			a.Expect("launch").Reply(nil)
		}()
		if err := p.WaitOpen(t.Context(), nil); err != nil {
			t.Errorf("a second wait: %v", err)
		}
		if err := p.Wait(ctx, nil); err != nil {
			t.Errorf("a reply that is there, under an ended context: %v", err)
		}
	})
}

func TestAnAdapterThatDoesNotReadNeverBlocksUs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client, server := net.Pipe()
		defer server.Close()
		conn := open(t, client, dap.Options{})
		start := time.Now()
		first := conn.Send("threads", nil)
		for range 1000 {
			conn.Send("threads", nil)
		}
		err := conn.Call(t.Context(), "threads", nil, nil)
		if !errors.Is(err, dap.ErrTimeout) || !strings.Contains(err.Error(), "does not read") || time.Since(start) != 0 {
			t.Errorf("with a full queue, after %v: %v", time.Since(start), err)
		}
		if err := first.Wait(t.Context(), nil); !errors.Is(err, dap.ErrTimeout) {
			t.Errorf("the stuck one: %v", err)
		}
		conn.Close() // ends the stuck write
	})
}

func TestTheEndOfTheAdapterFailsWhatIsPending(t *testing.T) {
	bubble(t, func(t *testing.T, a *daptest.Adapter) {
		last := ""
		conn := open(t, a.Stream(), dap.Options{OnEvent: func(e dap.Event) { last = e.Name }})
		p := conn.Send("launch", nil)
		a.Expect("launch")
		a.Event("terminated", nil)
		a.Close()
		if err := p.WaitOpen(t.Context(), nil); !errors.Is(err, dap.ErrClosed) || err.Error() != "launch: "+dap.ErrClosed.Error() {
			t.Errorf("error is %v", err)
		}
		<-conn.Done()
		if !errors.Is(conn.Err(), io.EOF) || last != "terminated" {
			t.Errorf("ended with %v after %q", conn.Err(), last)
		}
		if err := conn.Call(t.Context(), "threads", nil, nil); !errors.Is(err, dap.ErrClosed) {
			t.Errorf("a call afterwards: %v", err)
		}
	})
}

func TestABrokenStreamSaysHow(t *testing.T) {
	bubble(t, func(t *testing.T, a *daptest.Adapter) {
		conn := open(t, a.Stream(), dap.Options{})
		a.Raw([]byte("Content-Length: 100\r\n\r\n{"))
		a.Close()
		<-conn.Done()
		err := conn.Call(t.Context(), "threads", nil, nil)
		if !errors.Is(err, dap.ErrClosed) || !errors.Is(err, io.ErrUnexpectedEOF) || !errors.Is(conn.Err(), io.ErrUnexpectedEOF) {
			t.Errorf("errors are %v and %v", err, conn.Err())
		}
	})
}

func TestCloseFailsWhatIsPending(t *testing.T) {
	bubble(t, func(t *testing.T, a *daptest.Adapter) {
		conn := open(t, a.Stream(), dap.Options{})
		if conn.Err() != nil {
			t.Errorf("open, and yet %v", conn.Err())
		}
		var waiters sync.WaitGroup
		for range 10 {
			p := conn.Send("threads", nil)
			waiters.Go(func() {
				if err := p.Wait(t.Context(), nil); !errors.Is(err, dap.ErrClosed) {
					t.Errorf("error is %v", err)
				}
			})
		}
		synctest.Wait()
		for range 2 {
			if err := conn.Close(); err != nil {
				t.Error(err)
			}
		}
		waiters.Wait()
		<-conn.Done()
		if !errors.Is(conn.Err(), dap.ErrClosed) {
			t.Errorf("ended with %v", conn.Err())
		}
	})
}

// halfDead is an adapter that takes no more input but has something left to say.
type halfDead struct {
	io.Reader
	written bytes.Buffer
	closed  chan struct{}
	once    sync.Once
}

func (h *halfDead) Write(p []byte) (int, error) {
	h.written.Write(p)
	return 0, io.ErrClosedPipe
}

func (h *halfDead) Close() error {
	h.once.Do(func() { close(h.closed) })
	return nil
}

func TestAFailedWriteFailsItsRequestAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		lastWords, w := io.Pipe()
		h := &halfDead{Reader: lastWords, closed: make(chan struct{})}
		var events []string
		conn := open(t, h, dap.Options{OnEvent: func(e dap.Event) { events = append(events, e.Name) }})
		for range 2 {
			start := time.Now()
			err := conn.Call(t.Context(), "threads", nil, nil)
			if !errors.Is(err, dap.ErrClosed) || !errors.Is(err, io.ErrClosedPipe) || time.Since(start) != 0 {
				t.Errorf("after %v: %v", time.Since(start), err)
			}
		}
		io.WriteString(w, "Content-Length: 36\r\n\r\n"+`{"type":"event","event":"exited"}   `)
		w.Close()
		<-conn.Done()
		if !slices.Equal(events, []string{"exited"}) {
			t.Errorf("events were %v", events)
		}
		<-h.closed // the stream is closed when it has ended
		if got := h.written.String(); got != "Content-Length: 46\r\n\r\n"+`{"seq":1,"type":"request","command":"threads"}` {
			t.Errorf("the first write was %q", got) // header and body at once, and no second one
		}
	})
}

func TestConcurrentCalls(t *testing.T) {
	a := daptest.New(t)
	a.Handle("evaluate", func(r *daptest.Request) {
		var arguments godap.EvaluateArguments
		r.Bind(&arguments)
		a.Event("output", nil)
		r.Reply(godap.EvaluateResponseBody{Result: arguments.Expression})
	})
	conn := open(t, a.Stream(), dap.Options{OnEvent: func(dap.Event) {}})
	var callers sync.WaitGroup
	for i := range 100 {
		callers.Go(func() {
			var body godap.EvaluateResponseBody
			want := fmt.Sprint(i)
			err := conn.Call(t.Context(), "evaluate", godap.EvaluateArguments{Expression: want}, &body)
			if err != nil || body.Result != want {
				t.Errorf("got %q, %v; want %q", body.Result, err, want)
			}
		})
	}
	callers.Wait()
}
