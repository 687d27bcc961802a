package handlers

import (
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
func starting(t *testing.T) (*bench, *Call) {
	t.Helper()
	b := newBench(t)
	s := b.open()
	t.Cleanup(b.close)
	return b, &Call{Session: s}
}

// do has a tool do what the parameters ask for.
func do[In tools.Params](t *testing.T, c *Call, tool Tool[In], p In) (*responses.Envelope, error) {
	t.Helper()
	r, err := tool.request(p)
	if err != nil {
		t.Fatal(err)
	}
	c.request = r
	return r.handle(t.Context(), c)
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
	b, c := starting(t)
	env, err := do(t, c, b.session(), &tools.SessionParams{Action: "status"})
	wants(t, shown(t, env, err), `"status":"starting"`, `"language":"go"`, `"current":true`)
	env, err = do(t, c, b.session(), &tools.SessionParams{Action: "list"})
	wants(t, shown(t, env, err), `"summary":"1 session"`, `"session_id":"go-1"`)
}

func TestBreakpointsBeforeTheStart(t *testing.T) {
	b, c := starting(t)
	env, err := do(t, c, b.breakpoint(), &tools.BreakpointToolParams{Action: "set", Location: "main.run", Condition: "n > 3"})
	wants(t, shown(t, env, err), `"id":1`, `"function":"main.run"`, `"verified":false`)

	env, err = do(t, c, b.breakpoint(), &tools.BreakpointToolParams{Action: "list"})
	wants(t, shown(t, env, err), `"summary":"1 breakpoint"`, "n > 3")

	env, err = do(t, c, b.breakpoint(), &tools.BreakpointToolParams{Action: "disable", ID: 1})
	wants(t, shown(t, env, err), `"disabled":true`)

	env, err = do(t, c, b.breakpoint(), &tools.BreakpointToolParams{Action: "clear_all"})
	wants(t, shown(t, env, err), `"removed":[1]`)
	env, err = do(t, c, b.breakpoint(), &tools.BreakpointToolParams{Action: "clear_all"})
	wants(t, shown(t, env, err), "nothing to remove")
}

// What an action cannot do without is asked for, with an example.
func TestMissingParameters(t *testing.T) {
	b, c := starting(t)
	for _, call := range []struct {
		tool, args, field string
	}{
		{"breakpoint", `{"action":"set"}`, "location"},
		{"breakpoint", `{"action":"remove"}`, "id"},
		{"breakpoint", `{"action":"watch"}`, "name"},
		{"execute", `{"action":"jump"}`, "jump_target"},
		{"inspect", `{"target":"expression"}`, "expression"},
		{"inspect", `{"target":"object"}`, "ref"},
		{"inspect", `{"target":"memory"}`, "address"},
		{"inspect", `{"target":"source"}`, "location"},
		{"variable", `{"action":"get"}`, "expression"},
		{"variable", `{"action":"set"}`, "name"},
		{"variable", `{"action":"set","name":"x"}`, "value"},
		{"session", `{"action":"switch"}`, "session_id"},
		{"session", `{"action":"input"}`, "text"},
		{"config", `{"action":"get"}`, "key"},
		{"config", `{"action":"set","key":"max_bytes"}`, "value"},
	} {
		c.request = requested(t, b.Handlers, call.tool, call.args)
		_, err := c.request.handle(t.Context(), c)
		var f *fault.Error
		if !errors.As(err, &f) || f.Code != fault.MissingParam || f.Field != call.field || !strings.Contains(f.Hint, "for example") && f.Field != "location" {
			t.Errorf("%s %s: %v", call.tool, call.args, err)
		}
	}
}

// context tells the trail and proposes what fits it.
func TestContext(t *testing.T) {
	b, c := starting(t)
	brief := &tools.ContextParams{DetailLevel: "brief", IncludeSuggestions: true}
	for range manySteps {
		c.Session.Record(session.Operation{Tool: "step", What: "step over", Outcome: "stepped to main.go:7", OK: true})
	}
	c.Session.Record(session.Operation{Tool: "inspect", What: "inspect x", Outcome: "AIDB_EVALUATION_FAILED"})
	env, err := do(t, c, b.context(), brief)
	wants(t, shown(t, env, err), `"status":"starting"`, `{"n":6,"what":"inspect x","outcome":"AIDB_EVALUATION_FAILED","failed":true}`,
		`"what":"operations","shown":5,"total":6`, `"action":"wait"`)

	st := session.State{Status: session.StoppedStep}
	stepped := &historyRenderer{show: b.show(c.Session), state: st}
	if stepped.isStepping() {
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
	env, err = do(t, c, b.context(), brief)
	wants(t, shown(t, env, err), "no session has been started", `"tool":"init"`)
}

// A wait that ends before the start does says what is under way.
func TestViewOfAStart(t *testing.T) {
	b, c := starting(t)
	env, err := do(t, c, b.execute(), &tools.ExecuteParams{Action: "wait"})
	wants(t, shown(t, env, err), `"status":"starting"`, `"action":"wait"`, `"action":"stop"`)
}
