package mcpserver

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"aidb-mcp/handlers"
	"aidb-mcp/internal/mcp/client"
	"aidb-mcp/responses"
)

// At the end of input what is nearly done is answered; what waits is given up
// at once, and nobody is told.
func TestEndOfInputAnswersWhatIsQuick(t *testing.T) {
	slow := callerFunc(func(ctx context.Context, tool string, args json.RawMessage, by client.Client) responses.Reply {
		if tool == "execute" {
			return waiting(ctx, tool, args, by)
		}
		select {
		case <-time.After(defaultQuiet / 2):
			return echo(ctx, tool, args, by)
		case <-ctx.Done():
			return waiting(ctx, tool, args, by)
		}
	})
	bubble(t, Options{Calls: slow}, func(p *peer) {
		p.initialize()
		const n = 300
		for i := range n {
			tool := "inspect"
			if i%3 == 0 {
				tool = "execute"
			}
			p.send(call(i, tool, "{}"))
		}
		p.in.Close()
		begun := time.Now()
		all := p.rest()
		for i := range n {
			m, answered := all[fmt.Sprint(i)]
			if answered != (i%3 != 0) || m.Result.IsError {
				t.Fatalf("request %d was answered %s", i, m.raw)
			}
		}
		if took := time.Since(begun); took > 2*defaultQuiet {
			t.Errorf("the end took %s", took)
		}
	})
}

// A client that reads nothing is given up, and holds no more than it may.
func TestDeafClient(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		inR, inW := io.Pipe()
		outR, outW := io.Pipe()
		var cancelled atomic.Bool
		calls := callerFunc(func(ctx context.Context, tool string, args json.RawMessage, by client.Client) responses.Reply {
			if tool == "execute" {
				defer cancelled.Store(true)
				return waiting(ctx, tool, args, by)
			}
			return responses.Reply{JSON: fmt.Appendf(nil, `{"success":true,"data":"%s"}`, strings.Repeat("x", 10_000))}
		})
		done := make(chan error, 1)
		go func() {
			done <- Serve(t.Context(), Options{Tools: handlers.Definitions(0), Calls: calls, Log: slog.New(slog.DiscardHandler)}, inR, outW)
			inR.Close()
		}()
		begun := time.Now()
		lines := []string{`{"jsonrpc":"2.0","id":"init","method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`,
			`{"jsonrpc":"2.0","method":"notifications/initialized"}`, call(-1, "execute", "{}")}
		for i := range 3000 {
			lines = append(lines, call(i, "inspect", "{}"))
		}
		for _, line := range lines {
			if _, err := io.WriteString(inW, line+"\n"); err != nil {
				break // it reads no more
			}
		}
		if err := <-done; err != nil {
			t.Error(err)
		}
		if took := time.Since(begun); took > defaultWriteLimit+time.Second || !cancelled.Load() {
			t.Errorf("it ended after %s, cancelled what waited: %v", took, cancelled.Load())
		}
		outR.Close() // ends the write that nobody took
	})
}

func TestEndOfInputWithNothingPendingIsAtOnce(t *testing.T) {
	bubble(t, Options{Calls: callerFunc(echo)}, func(p *peer) {
		p.initialize()
		begun := time.Now()
		p.in.Close()
		p.rest()
		if took := time.Since(begun); took != 0 {
			t.Errorf("it took %s", took)
		}
	})
}

func TestSignalAnswersWaitingCalls(t *testing.T) {
	bubble(t, Options{Calls: callerFunc(waiting)}, func(p *peer) {
		p.initialize()
		for i := range 20 {
			p.send(call(i, "execute", "{}"))
		}
		synctest.Wait()
		begun := time.Now()
		p.stop()
		all := p.rest()
		if len(all) != 20 || !strings.Contains(all["7"].raw, ErrShutdown.Error()) {
			t.Errorf("%d answers, one is %s", len(all), all["7"].raw)
		}
		if took := time.Since(begun); took != 0 {
			t.Errorf("it took %s", took)
		}
	})
}

// A handler may wait for the system, and hear nothing of its end.
func TestNothingWaitsForADeafHandler(t *testing.T) {
	for name, ends := range map[string]func(*peer){
		"a signal":         func(p *peer) { p.stop() },
		"the end of input": func(p *peer) { p.in.Close() },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				release := make(chan struct{})
				p := start(t, Options{Calls: callerFunc(func(context.Context, string, json.RawMessage, client.Client) responses.Reply {
					<-release
					return responses.Reply{JSON: []byte(`{}`)}
				})})
				p.initialize()
				p.send(call(1, "execute", "{}"))
				synctest.Wait()
				begun := time.Now()
				go func() { // else the wait would be for ever
					time.Sleep(time.Minute)
					close(release)
				}()
				ends(p)
				p.rest()
				if took := time.Since(begun); took > 2*time.Second {
					t.Errorf("it took %s", took)
				}
				<-release
				p.in.Close()
			})
		})
	}
}

func TestBrokenOutputEndsTheServer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		inR, inW := io.Pipe()
		outR, outW := io.Pipe()
		outR.Close()
		done := make(chan error, 1)
		go func() {
			done <- Serve(t.Context(), Options{Tools: handlers.Definitions(0), Calls: callerFunc(echo), Log: slog.New(slog.DiscardHandler)}, inR, outW)
			inR.Close()
		}()
		io.WriteString(inW, ping(1)+"\n")
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
}
