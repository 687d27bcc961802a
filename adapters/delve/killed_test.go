//go:build linux

package delve

import (
	"syscall"
	"testing"
	"time"

	godap "github.com/google/go-dap"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/testkit"
)

// A program that is killed while signals of its own are delivered to it has not exited
// with code 0, which is what Delve makes of it now and then.
func TestKilledWhileItIsSignalled(t *testing.T) {
	t.Parallel()
	p := testkit.NewProgram(t, "churn")
	program := p.Build(".")
	for i := range testkit.Rounds(8, 20) {
		d := open(t, plan(t, adapters.Request{Target: program, Mode: adapters.Exec, Workspace: p.Dir}))
		pending := d.Send(d.plan.Request, d.plan.Arguments)
		if err := pending.WaitOpen(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
		var process godap.ProcessEventBody
		d.await("process", &process)
		d.await("initialized", nil)
		d.run()
		time.Sleep(time.Duration(10+3*i) * time.Millisecond) // at any moment of its run
		if err := syscall.Kill(process.SystemProcessId, syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
		var exited godap.ExitedEventBody
		d.await("exited", &exited)
		if exited.ExitCode != -int(syscall.SIGKILL) {
			t.Fatalf("kill %d: exit code %d", i+1, exited.ExitCode)
		}
		d.peer.Kill()
	}
}
