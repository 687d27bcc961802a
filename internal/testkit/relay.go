package testkit

import (
	"fmt"
	"os/exec"
	"testing"
)

// Relay starts a program that passes connections on to a port of this machine, as a
// container engine does, and answers with the port at which it listens: who listens
// behind that cannot be seen.
func Relay(t testing.TB, port any) (near int) {
	t.Helper()
	cmd := exec.Command(NewProgram(t, "relay").Build("."), fmt.Sprint(port))
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	if _, err := fmt.Fscan(out, &near); err != nil {
		t.Fatalf("the relay to port %v does not say where it listens: %v", port, err)
	}
	return near
}
