package handlers

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"aidb-mcp/internal/fault"
	"aidb-mcp/responses"
	"aidb-mcp/session"
	"aidb-mcp/tools"
)

// starting is a call about a session whose build never ends.
func starting(t *testing.T, params any) (*bench, *Call) {
	t.Helper()
	b := newBench(t)
	s := b.open()
	t.Cleanup(b.close)
	return b, &Call{Session: s, Params: params}
}

// shown is a reply as the agent reads it.
func shown(t *testing.T, env *responses.Envelope, err error) string {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	for _, step := range env.NextSteps {
		checkCall(t, step.Call)
	}
	reply := responses.Fit(env, 8000, responses.JSON)
	if !json.Valid(reply.JSON) {
		t.Fatalf("not JSON: %s", reply.JSON)
	}
	return string(reply.JSON)
}

func wants(t *testing.T, got string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(got, part) {
			t.Errorf("no %s in %s", part, got)
		}
	}
}

func TestStatusAndList(t *testing.T) {
	b, c := starting(t, &tools.SessionParams{Action: "status"})
	env, err := b.session(t.Context(), c)
	wants(t, shown(t, env, err), `"status":"starting"`, `"language":"go"`, `"current":true`)
	c.Params = &tools.SessionParams{Action: "list"}
	env, err = b.session(t.Context(), c)
	wants(t, shown(t, env, err), `"summary":"1 session"`, `"session_id":"go-1"`)
}

func TestBreakpointsBeforeTheStart(t *testing.T) {
	b, c := starting(t, &tools.BreakpointToolParams{Action: "set", Location: "main.run", Condition: "n > 3"})
	env, err := b.breakpoint(t.Context(), c)
	wants(t, shown(t, env, err), `"id":1`, `"function":"main.run"`, `"verified":false`)

	c.Params = &tools.BreakpointToolParams{Action: "list"}
	env, err = b.breakpoint(t.Context(), c)
	wants(t, shown(t, env, err), `"summary":"1 breakpoint"`, "n > 3")

	c.Params = &tools.BreakpointToolParams{Action: "disable", ID: 1}
	env, err = b.breakpoint(t.Context(), c)
	wants(t, shown(t, env, err), `"disabled":true`)

	c.Params = &tools.BreakpointToolParams{Action: "clear_all"}
	env, err = b.breakpoint(t.Context(), c)
	wants(t, shown(t, env, err), `"removed":[1]`)
	env, err = b.breakpoint(t.Context(), c)
	wants(t, shown(t, env, err), "nothing to remove")
}

// What an action cannot do without is asked for, with an example.
func TestMissingParameters(t *testing.T) {
	b, c := starting(t, nil)
	for _, call := range []struct {
		handler func(context.Context, *Call) (*responses.Envelope, error)
		params  any
		field   string
	}{
		{b.breakpoint, &tools.BreakpointToolParams{Action: "set"}, "location"},
		{b.breakpoint, &tools.BreakpointToolParams{Action: "remove"}, "id"},
		{b.breakpoint, &tools.BreakpointToolParams{Action: "watch"}, "name"},
		{b.execute, &tools.ExecuteParams{Action: "jump"}, "jump_target"},
		{b.inspect, &tools.InspectParams{Target: "expression"}, "expression"},
		{b.inspect, &tools.InspectParams{Target: "object"}, "ref"},
		{b.inspect, &tools.InspectParams{Target: "memory"}, "address"},
		{b.inspect, &tools.InspectParams{Target: "source"}, "location"},
		{b.variable, &tools.VariableParams{Action: "get"}, "expression"},
		{b.variable, &tools.VariableParams{Action: "set"}, "name"},
		{b.variable, &tools.VariableParams{Action: "set", Name: "x"}, "value"},
		{b.session, &tools.SessionParams{Action: "switch"}, "session_id"},
		{b.session, &tools.SessionParams{Action: "input"}, "text"},
		{b.config, &tools.ConfigParams{Action: "get"}, "key"},
		{b.config, &tools.ConfigParams{Action: "set", Key: "max_bytes"}, "value"},
	} {
		c.Params = call.params
		_, err := call.handler(t.Context(), c)
		var f *fault.Error
		if !errors.As(err, &f) || f.Code != fault.MissingParam || f.Field != call.field || !strings.Contains(f.Hint, "for example") && f.Field != "location" {
			t.Errorf("%T %+v: %v", call.params, call.params, err)
		}
	}
}

// context tells the trail and proposes what fits it.
func TestContext(t *testing.T) {
	b, c := starting(t, &tools.ContextParams{DetailLevel: "brief", IncludeSuggestions: true})
	for range manySteps {
		c.Session.Record(session.Operation{Tool: "step", What: "step over", Outcome: "stepped to main.go:7", OK: true})
	}
	c.Session.Record(session.Operation{Tool: "inspect", What: "inspect x", Outcome: "AIDB_EVALUATION_FAILED"})
	env, err := b.context(t.Context(), c)
	wants(t, shown(t, env, err), `"status":"starting"`, `{"n":6,"what":"inspect x","outcome":"AIDB_EVALUATION_FAILED","failed":true}`,
		`"what":"operations","shown":5,"total":6`, `"action":"wait"`)

	st := session.State{Status: session.StoppedStep}
	stepped := &teller{show: b.show(c.Session), state: st}
	if stepped.stepping() {
		t.Error("the last operation was no step")
	}
	for range manySteps {
		c.Session.Record(session.Operation{What: "step over", OK: true})
	}
	steps := stepped.suggestions()
	if len(steps) != 2 || steps[1].Params[0].Value != "out" {
		t.Errorf("after many steps: %+v", steps)
	}

	c.Session = nil
	env, err = b.context(t.Context(), c)
	wants(t, shown(t, env, err), "no session has been started", `"tool":"init"`)
}

// A wait that ends before the start does says what is under way.
func TestViewOfAStart(t *testing.T) {
	b, c := starting(t, &tools.ExecuteParams{Action: "wait"})
	env, err := b.execute(t.Context(), c)
	wants(t, shown(t, env, err), `"status":"starting"`, `"action":"wait"`, `"action":"stop"`)
}
