package handlers

import (
	"errors"
	"strings"
	"testing"

	"aidb-mcp/internal/fault"
	"aidb-mcp/responses"
	"aidb-mcp/tools"
)

// Where nothing names what is to be started, what could be is proposed.
func TestProposing(t *testing.T) {
	missing := fault.New(fault.MissingParam, "target is missing").WithField("target")
	h := workspaceHandlers(t, goWorkspace)
	var advised *responses.Advised
	if err := h.withProposals(&tools.SessionStartParams{}, missing); !errors.As(err, &advised) || len(advised.NextSteps) == 0 {
		t.Fatalf("%v", err)
	}
	for _, step := range advised.NextSteps {
		checkCall(t, step.Call)
	}
	for name, c := range map[string]struct {
		params tools.SessionStartParams
		err    error
	}{
		"a target":      {tools.SessionStartParams{Target: "x"}, missing},
		"another fault": {tools.SessionStartParams{}, fault.New(fault.BuildFailed, "no").WithField("target")},
		"another field": {tools.SessionStartParams{}, fault.New(fault.MissingParam, "no").WithField("pid")},
	} {
		if err := h.withProposals(&c.params, c.err); !errors.Is(err, c.err) || errors.As(err, &advised) {
			t.Errorf("%s: %v", name, err)
		}
	}
	h = workspaceHandlers(t, nil)
	var f *fault.Error
	if err := h.withProposals(&tools.SessionStartParams{}, missing); !errors.As(err, &f) || !strings.Contains(f.Hint, "no program and no test was found") {
		t.Errorf("an empty workspace: %v", err)
	}
}
