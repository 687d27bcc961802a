package dap_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"

	godap "github.com/google/go-dap"

	"aidb-mcp/dap"
	"aidb-mcp/dap/daptest"
)

func TestReverseRequestsAreAnswered(t *testing.T) {
	bubble(t, func(t *testing.T, a *daptest.Adapter) {
		var conn *dap.Conn
		conn = open(t, a.Stream(), dap.Options{
			OnRequest: func(ctx context.Context, command string, arguments json.RawMessage) (any, error) {
				switch command {
				case "runInTerminal":
					// It may use the connection: it is not on the reading goroutine.
					return godap.RunInTerminalResponseBody{ProcessId: 7}, conn.Call(ctx, "threads", nil, nil)
				case "odd":
					return make(chan int), nil
				}
				return nil, errors.New("no terminal here: " + string(arguments))
			},
		})
		a.Answer(nil, "threads")
		if body, err := a.Ask("runInTerminal", nil); err != nil || string(body) != `{"processId":7}` {
			t.Errorf("got %s, %v", body, err)
		}
		if _, err := a.Ask("other", 5); err == nil || err.Error() != "no terminal here: 5" {
			t.Errorf("error is %v", err)
		}
		if _, err := a.Ask("odd", nil); err == nil || !strings.Contains(err.Error(), "encoding the reply") {
			t.Errorf("error is %v", err)
		}
	})
}

func TestWithoutAHandlerReverseRequestsAreRefused(t *testing.T) {
	bubble(t, func(t *testing.T, a *daptest.Adapter) {
		open(t, a.Stream(), dap.Options{})
		if _, err := a.Ask("runInTerminal", nil); err == nil || err.Error() != "runInTerminal is not supported" {
			t.Errorf("error is %v", err)
		}
	})
}

func TestReverseRequestsAreBoundedAndEndWithTheConnection(t *testing.T) {
	bubble(t, func(t *testing.T, a *daptest.Adapter) {
		var running, ended atomic.Int32
		conn := open(t, a.Stream(), dap.Options{
			OnRequest: func(ctx context.Context, _ string, _ json.RawMessage) (any, error) {
				running.Add(1)
				<-ctx.Done()
				ended.Add(1)
				return nil, nil
			},
		})
		var refused atomic.Int32
		var askers sync.WaitGroup
		for range 20 {
			askers.Go(func() {
				if _, err := a.Ask("startDebugging", nil); err != nil && err.Error() == "too many requests at once" {
					refused.Add(1)
				}
			})
		}
		synctest.Wait()
		if running.Load() != 16 || refused.Load() != 4 {
			t.Errorf("%d run, %d were refused", running.Load(), refused.Load())
		}
		conn.Close()
		askers.Wait()
		synctest.Wait()
		if ended.Load() != 16 {
			t.Errorf("%d of 16 have ended", ended.Load())
		}
	})
}
