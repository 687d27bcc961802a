package dap_test

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"regexp"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	godap "github.com/google/go-dap"

	"aidb-mcp/dap"
	"aidb-mcp/dap/daptest"
)

func TestATraceIsOneReadableLineAMessage(t *testing.T) {
	bubble(t, func(t *testing.T, a *daptest.Adapter) {
		var out bytes.Buffer
		conn := open(t, a.Stream(), dap.Options{
			Trace: dap.NewTracer(&out, nil),
			OnRequest: func(context.Context, string, json.RawMessage) (any, error) {
				return godap.RunInTerminalResponseBody{ProcessId: 7}, nil
			},
		})
		a.Handle("evaluate", func(r *daptest.Request) {
			time.Sleep(1500 * time.Microsecond)
			r.Fail("no\nsuch name")
		})
		a.Answer(godap.EvaluateResponseBody{Result: strings.Repeat("é", 200)}, "long")
		conn.Call(t.Context(), "evaluate", godap.EvaluateArguments{Expression: "a b"}, nil)
		conn.Call(t.Context(), "long", nil, nil)
		a.Event("stopped", json.RawMessage(`{"reason":"step"}`))
		a.Ask("runInTerminal", struct{}{})
		synctest.Wait()

		got := regexp.MustCompile(`(?m)^\d\d:\d\d:\d\d\.\d{6}`).ReplaceAllString(out.String(), "TIME")
		want := `TIME fake-1 → request  evaluate #1 {"expression":"a b"}
TIME fake-1 ← refused  evaluate #1 1.5ms no such name
TIME fake-1 → request  long #2
TIME fake-1 ← reply    long #2 0.0ms {"result":"` + strings.Repeat("é", 144) + `… (436 bytes)
TIME fake-1 ← event    stopped {"reason":"step"}
TIME fake-1 ← reverse  runInTerminal #4 {}
TIME fake-1 → answer   runInTerminal #4 {"processId":7}
`
		if got != want {
			t.Errorf("the trace is\n%s\nwant\n%s", got, want)
		}
	})
}

// lineChecker fails when a write is not one whole line.
type lineChecker struct {
	t     *testing.T
	lines int
}

func (l *lineChecker) Write(p []byte) (int, error) {
	if bytes.Count(p, []byte("\n")) != 1 || !bytes.HasSuffix(p, []byte("\n")) {
		l.t.Errorf("%q is not one line", p)
	}
	l.lines++
	return len(p), nil
}

func TestConnectionsShareATrace(t *testing.T) {
	lines := &lineChecker{t: t}
	tracer := dap.NewTracer(lines, nil)
	var all sync.WaitGroup
	for range 5 {
		a := daptest.New(t)
		a.Answer(nil, "threads")
		conn := dap.New(a.Stream(), dap.Options{Name: "x", Log: slog.New(slog.DiscardHandler), Trace: tracer})
		all.Go(func() {
			defer conn.Close()
			for range 20 {
				conn.Call(t.Context(), "threads", nil, nil)
			}
		})
	}
	all.Wait()
	if lines.lines != 5*20*2 {
		t.Errorf("%d lines", lines.lines)
	}
}
