//go:build linux

package test

import (
	"strings"
	"testing"
	"time"

	"aidb-mcp/internal/testkit"
)

// A client that gives up early is answered before it does.
func TestTheDefaultWait(t *testing.T) {
	t.Parallel()
	p := testkit.NewProgram(t, "endless")
	s := testkit.Start(t, testkit.Options{Dir: p.Dir, Args: []string{"--wait", "1s"}})
	listed, err := s.Client.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, tool := range listed.Tools {
		if tool.Name != "execute" {
			continue
		}
		schema, _ := tool.InputSchema.(map[string]any)
		properties, _ := schema["properties"].(map[string]any)
		if wait, _ := properties["timeout_ms"].(map[string]any); wait["default"] != 1000.0 {
			t.Errorf("the schema says %v", wait)
		}
	}
	s.Spin(t)
	began := time.Now()
	s.OK("execute", A{"action": "wait"}).Want("running", "data", "execution_state", "status")
	if took := time.Since(began); took < 900*time.Millisecond || took > 10*time.Second {
		t.Errorf("a call without timeout_ms waited for %s", took)
	}
	_, errs, code := run(t, "serve", "--wait", "6m")
	if code == 0 || !strings.Contains(errs, "1ms to 5m") {
		t.Errorf("--wait 6m: exit code %d, %s", code, errs)
	}
}
