package process_test

import (
	"testing"

	"aidb-mcp/internal/system/process"
)

// Whether a program had started others is known when it has ended.
func TestWasParent(t *testing.T) {
	for script, parent := range map[string]bool{"exit 3": false, "/bin/true; exit 3": true, "(exit 1); exit 3": true, "(/bin/true; exit 1); exit 3": true, "exec /bin/true": false} {
		child, err := process.Start(process.Spec{Name: "sh", Path: "sh", Args: []string{"-c", script}})
		if err != nil {
			t.Fatal(err)
		}
		child.Exit()
		if child.WasParent() != parent {
			t.Errorf("%q: got %v", script, !parent)
		}
		child.End()
	}
}
