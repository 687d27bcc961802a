package pool

import (
	"context"
	"log/slog"
	"strings"
	"testing"
	"time"

	"aidb-mcp/internal/mcp/frame"
)

// slowLog takes its time to write that a worker has started.
type slowLog struct{ slog.Handler }

func (l slowLog) Enabled(context.Context, slog.Level) bool { return true }

func (l slowLog) Handle(_ context.Context, r slog.Record) error {
	if strings.Contains(r.Message, "has started") {
		time.Sleep(300 * time.Millisecond)
	}
	return nil
}

// A worker that has ended before it is anybody's is nobody's.
func TestAWorkerThatEndsWhileItsStartIsLogged(t *testing.T) {
	t.Parallel()
	p := New(Options{Command: []string{"true"}, Log: slog.New(slowLog{slog.DiscardHandler}), Backoff: time.Millisecond})
	defer p.Close(t.Context())
	told := make(chan string, 1)
	c := sit(t, p, "ada")
	go func() {
		refused := c.send("initialize", "{}")
		for ; refused == nil; refused = c.send("initialize", "{}") { // it lived long enough to be asked
			c.answer()
		}
		told <- refused.Message
	}()
	select {
	case message := <-told:
		if !strings.Contains(message, "crashed more than") {
			t.Error(message)
		}
	case <-time.After(patience):
		t.Error("the call never ends")
	}
}

// What a worker asks is bounded, and what is too much is answered at once.
func TestAWorkerThatAsksWithoutEnd(t *testing.T) {
	t.Parallel()
	c := sit(t, newPool(t, Options{}), "ada")
	if refused := c.send("pester", "{}"); refused != nil {
		t.Fatal(refused)
	}
	questions := 0
	for {
		f := <-c.heard
		if f.Kind() == frame.Answer {
			break
		}
		questions++
	}
	if questions != maxAsked {
		t.Errorf("%d questions", questions)
	}
}
