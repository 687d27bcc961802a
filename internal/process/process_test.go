package process_test

import (
	"context"
	"os"
	"testing"

	"aidb-mcp/internal/process"
)

func TestMain(m *testing.M) {
	process.Reexec()
	os.Exit(m.Run())
}

func TestRunHello(t *testing.T) {
	out, errs, err := process.Run(context.Background(), process.Spec{Name: "sh", Path: "sh", Args: []string{"-c", "echo hi; echo err >&2; exit 3"}})
	t.Logf("%q %q %v", out, errs, err)
}
func BenchmarkRun(b *testing.B) {
	for b.Loop() {
		if _, _, err := process.Run(context.Background(), process.Spec{Name: "true", Path: "true"}); err != nil {
			b.Fatal(err)
		}
	}
}
