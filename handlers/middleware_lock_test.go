package handlers

import (
	"context"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"aidb-mcp/internal/fault"
)

// held is the rule of a call that needs a session and its lock.
var held = rule{session: required}

func TestLockFindsTheSession(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		if _, err := b.callChain().lock(fine)(t.Context(), b.decoded("step", "{}", held)); code(err) != fault.SessionNotStarted {
			t.Errorf("without a session: %v", err)
		}
		c := b.decoded("context", "{}", rule{session: optional, passes: true})
		if _, err := b.callChain().lock(fine)(t.Context(), c); err != nil || c.Session != nil {
			t.Errorf("optional, without a session: %v", err)
		}
		first, second := b.open(), b.open()
		defer b.close()
		for args, want := range map[string]string{"{}": second.ID(), `{"session_id":"` + first.ID() + `"}`: first.ID()} {
			c := b.decoded("step", args, held)
			if _, err := b.callChain().lock(fine)(t.Context(), c); err != nil || c.Session.ID() != want || c.subject.Load() != c.Session {
				t.Errorf("%s: session %v, error %v", args, c.Session, err)
			}
		}
		for _, r := range []rule{held, {session: optional, passes: true}} {
			if _, err := b.callChain().lock(fine)(t.Context(), b.decoded("context", `{"session_id":"go-9"}`, r)); code(err) != fault.SessionNotFound {
				t.Errorf("unknown session: %v", err)
			}
		}
	})
}

func TestOneOperationAtATimeOnOneSession(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		b.open()
		defer b.close()
		var inside, most, done atomic.Int64
		handler := b.callChain().lock(func(ctx context.Context, c *Call) (Result, error) {
			most.Store(max(most.Load(), inside.Add(1)))
			time.Sleep(100 * time.Millisecond)
			inside.Add(-1)
			return fine(ctx, c)
		})
		var all sync.WaitGroup
		for range 20 {
			all.Go(func() {
				if _, err := handler(t.Context(), b.decoded("step", "{}", held)); err == nil {
					done.Add(1)
				}
			})
		}
		all.Wait()
		if most.Load() != 1 || done.Load() != 20 {
			t.Errorf("%d at once, %d done", most.Load(), done.Load())
		}
	})
}

// hog holds a session until release is closed.
func hog(t *testing.T, b *bench, args string) (release func()) {
	t.Helper()
	gate := make(chan struct{})
	go func() {
		_, _ = b.callChain().lock(func(ctx context.Context, c *Call) (Result, error) {
			<-gate
			return fine(ctx, c)
		})(t.Context(), b.decoded("execute", args, held))
	}()
	synctest.Wait()
	return func() { close(gate); synctest.Wait() }
}

func TestWhatPassesDoesNotWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		first := b.open()
		b.open()
		defer b.close()
		defer hog(t, b, "{}")()
		begun := time.Now()
		if _, err := b.callChain().lock(fine)(t.Context(), b.decoded("session", "{}", rule{session: required, passes: true})); err != nil {
			t.Error(err)
		}
		if _, err := b.callChain().lock(fine)(t.Context(), b.decoded("step", `{"session_id":"`+first.ID()+`"}`, held)); err != nil {
			t.Errorf("another session had to wait: %v", err)
		}
		if took := time.Since(begun); took != 0 {
			t.Errorf("waited %s", took)
		}
	})
}

func TestQueueSaysWhoHoldsTheSession(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		b.open()
		defer b.close()
		release := hog(t, b, `{"action":"continue"}`)
		begun := time.Now()
		_, err := b.callChain().lock(fine)(t.Context(), b.decoded("step", `{"timeout_ms":3000}`, held))
		var f *fault.Error
		if !errors.As(err, &f) || f.Code != fault.NotPaused || !strings.Contains(f.Message, "execute continue has held it for 3s") || !strings.Contains(f.Hint, "pause") {
			t.Errorf("error is %v", err)
		}
		if took := time.Since(begun); took != 3*time.Second {
			t.Errorf("it took %s", took)
		}
		release()
		if _, err := b.callChain().lock(fine)(t.Context(), b.decoded("step", "{}", held)); err != nil {
			t.Errorf("after the release: %v", err)
		}
	})
}

func TestTimeInTheQueueCounts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		b.open()
		defer b.close()
		release := hog(t, b, "{}")
		go func() {
			time.Sleep(2 * time.Second)
			release()
		}()
		c := b.decoded("step", `{"timeout_ms":5000}`, held)
		if _, err := b.callChain().lock(fine)(t.Context(), c); err != nil {
			t.Fatal(err)
		}
		if left := c.request.Timeout(); left != 3*time.Second {
			t.Errorf("%s of the timeout are left", left)
		}
	})
}

func TestCancelledCallLeavesTheQueue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		b.open()
		defer b.close()
		defer hog(t, b, "{}")()
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Second, cancel)
		if _, err := b.callChain().lock(fine)(ctx, b.decoded("step", "{}", held)); !errors.Is(err, context.Canceled) {
			t.Errorf("error is %v", err)
		}
	})
}

func TestPanicGivesTheLockBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		b.open()
		defer b.close()
		bad := func(context.Context, *Call) (Result, error) { panic("oh dear") }
		_, _ = b.callChain().recover(b.callChain().lock(bad))(t.Context(), b.decoded("step", "{}", held))
		if _, err := b.callChain().lock(fine)(t.Context(), b.decoded("step", `{"timeout_ms":0}`, held)); err != nil {
			t.Error(err)
		}
	})
}

func TestAdoptedSessionIsLocked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		defer b.close()
		begin := b.callChain().lock(func(ctx context.Context, c *Call) (Result, error) {
			s := b.open()
			if err := c.Adopt(ctx, s); err != nil {
				t.Error(err)
			}
			_, err := b.callChain().lock(fine)(ctx, b.decoded("step", `{"timeout_ms":1000}`, held))
			if code(err) != fault.NotPaused || !strings.Contains(err.Error(), "session_start has held it") {
				t.Errorf("a second call got in: %v", err)
			}
			return fine(ctx, c)
		})
		if _, err := begin(t.Context(), b.decoded("session_start", "{}", rule{})); err != nil {
			t.Fatal(err)
		}
		if _, err := b.callChain().lock(fine)(t.Context(), b.decoded("step", "{}", held)); err != nil {
			t.Errorf("the lock was not given back: %v", err)
		}
	})
}
