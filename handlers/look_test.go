package handlers

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"aidb-mcp/internal/text/secret"
	"aidb-mcp/responses"
	"aidb-mcp/session"
)

// A look waits for no call, is in no history, and leaves news to the agent.
func TestLookDisturbsNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		r := NewRegistry(b.Deps)
		s := b.open()
		defer b.close()
		r.handlers.subscribers.each[s] = &subscription{events: []string{"terminated"}, marks: map[string]int{}}
		unlock, err := s.Lock(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		defer unlock()
		start := time.Now()
		for _, call := range []responses.Call{
			responses.NewCall("config", "action", "show"),
			responses.NewCall("session", "action", "list"),
			responses.NewCall("session", "action", "status"),
			responses.NewCall("context", "detail_level", "detailed"),
			responses.NewCall("breakpoint", "action", "list"),
			responses.NewCall("inspect", "target", "output"),
		} {
			if env, reply := r.Look(t.Context(), call); !env.Success || reply.IsError || !strings.Contains(string(reply.JSON), `"success":true`) {
				t.Errorf("%s is answered %s", call.Tool, reply.JSON)
			}
		}
		env, _ := r.Look(t.Context(), responses.NewCall("inspect", "target", "stack"))
		if env.Error == nil || env.Error.Code != "AIDB_STATE_NOT_PAUSED" {
			t.Errorf("the stack of a program that starts: %+v", env)
		}
		if took := time.Since(start); took > 0 {
			t.Errorf("the looks took %v", took)
		}
		if n := len(s.History()); n != 0 {
			t.Errorf("%d looks are in the history", n)
		}
		for _, call := range []responses.Call{
			responses.NewCall("session", "action", "stop"), responses.NewCall("execute"), responses.NewCall("inspect", "target", "locals"),
			responses.NewCall("config", "action", "set"), responses.NewCall("nobody"),
		} {
			if env, _ := r.Look(t.Context(), call); env.Error == nil || env.Error.Code != "AIDB_INTERNAL_ERROR" {
				t.Errorf("%s is answered %+v", call.Tool, env)
			}
		}
		if st := s.State(); st.Status != session.Starting {
			t.Errorf("it is %s", st.Status)
		}
	})
}

// Secrets are masked in what the history keeps of a call, and all through a transcript.
func TestTranscriptMasks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		b.Mask = secret.New([]string{"API_KEY=known-secret-1"})
		r := NewRegistry(b.Deps)
		s := b.open()
		defer b.close()
		s.Record(session.Operation{
			N: 1, Tool: "session_start", Args: historyArgs(r.handlers.Mask, []byte(`{ "env": {"MY_TOKEN":"hush"}, "target": "." }`)),
			Outcome: "printed known-secret-1", OK: true, At: time.Now(), Found: []string{"key = known-secret-1"},
		})
		text, err := r.Transcript(t.Context(), s.ID())
		if err != nil || strings.Contains(text, "hush") || strings.Contains(text, "known-secret") || strings.Count(text, "‹masked›") != 3 {
			t.Errorf("%v:\n%s", err, text)
		}
		if _, err := r.Transcript(t.Context(), "go-9"); err == nil {
			t.Error("a session that is not there has a transcript")
		}
	})
}
