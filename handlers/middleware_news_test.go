package handlers

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"

	"aidb-mcp/internal/fault"
	"aidb-mcp/tools"
)

func TestNewsOfOtherSessionsAreToldOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		left, own := b.open(), b.open()
		defer b.close()
		synctest.Wait()

		c := b.decoded("session", `{"action":"subscribe","events":["terminated"]}`, rule{})
		c.speakOf(left)
		env, err := b.subscribe(t.Context(), c, &tools.SessionParams{Events: []string{"terminated"}})
		if err != nil || !strings.Contains(env.Summary, "terminated") {
			t.Fatalf("%+v, %v", env, err)
		}
		told := func() []string {
			c := b.decoded("step", "{}", rule{})
			c.speakOf(own)
			res, err := b.callChain().news(fine)(t.Context(), c)
			if err != nil {
				t.Fatal(err)
			}
			return res.Envelope.Events
		}
		if events := told(); events != nil {
			t.Errorf("nothing has happened, but %v", events)
		}
		if _, err := left.Stop(t.Context(), true); err != nil {
			t.Fatal(err)
		}
		if events := told(); len(events) != 1 || !strings.HasPrefix(events[0], left.ID()+": ") {
			t.Errorf("events are %q", events)
		}
		if events := told(); events != nil {
			t.Errorf("told again: %v", events)
		}
	})
}

func TestNewsAreKeptWhileCallsFail(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		left := b.open()
		defer b.close()
		synctest.Wait()
		b.subscribers.set(left, []string{"terminated"})
		if _, err := left.Stop(t.Context(), true); err != nil {
			t.Fatal(err)
		}
		_, _ = b.callChain().news(refuse(fault.New(fault.Evaluation, "no")))(t.Context(), b.decoded("step", "{}", rule{}))
		res, err := b.callChain().news(fine)(t.Context(), b.decoded("step", "{}", rule{}))
		if err != nil || len(res.Envelope.Events) != 1 {
			t.Errorf("events are %v, error %v", res.Envelope.Events, err)
		}
	})
}

// What happens to the call's own session is told too, unless the reply shows it:
// a call that lets the program run may be overtaken by the next stop.
func TestNewsOfTheOwnSession(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		own := b.open()
		defer b.close()
		synctest.Wait()
		b.subscribers.set(own, []string{"terminated"})
		told := func(ctx context.Context, shows bool) []string {
			c := b.decoded("step", "{}", rule{})
			c.speakOf(own)
			res, err := b.callChain().news(func(ctx context.Context, c *Call) (Result, error) {
				if shows {
					c.shownEpoch, _ = own.Moment()
				}
				return fine(ctx, c)
			})(ctx, c)
			if err != nil {
				t.Fatal(err)
			}
			return res.Envelope.Events
		}
		if _, err := own.Stop(t.Context(), true); err != nil {
			t.Fatal(err)
		}
		cancelled, cancel := context.WithCancel(t.Context())
		cancel()
		if events := told(cancelled, false); events != nil {
			t.Errorf("told to nobody: %v", events)
		}
		if events := told(t.Context(), false); len(events) != 1 {
			t.Errorf("events are %v", events)
		}
		if events := told(t.Context(), false); events != nil {
			t.Errorf("told again: %v", events)
		}
		b.subscribers.each[own].epoch = 0
		if events := told(t.Context(), true); events != nil {
			t.Errorf("shown and told: %v", events)
		}
	})
}

func TestUnsubscribedSessionsAreSilent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		left := b.open()
		defer b.close()
		synctest.Wait()
		b.subscribers.set(left, []string{"output", "breakpoint"})
		if _, err := left.Stop(t.Context(), true); err != nil {
			t.Fatal(err)
		}
		res, _ := b.callChain().news(fine)(t.Context(), b.decoded("step", "{}", rule{}))
		if res.Envelope.Events != nil {
			t.Errorf("not asked for: %v", res.Envelope.Events)
		}
		b.subscribers.set(left, nil)
		if len(b.subscribers.each) != 0 {
			t.Error("the subscription was kept")
		}
	})
}
