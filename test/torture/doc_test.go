//go:build linux

// Package torture ends sessions in every way and at every moment, and counts
// what is left of them: processes, files, descriptors and sockets. The count
// must be zero.
//
// A recipe says what is done to one session: its language, what its program
// surrounds itself with, the moment, and the ending. What is random of it comes
// from a seed, so that a failure can be had again:
//
//	go test ./test/torture -sessions 1000 -seed 7
//
// Without -sessions a short fixed list is run.
package torture

import (
	"flag"
	"fmt"
	"os"
	"syscall"
	"testing"

	"aidb-mcp/internal/testkit"
)

// A shortens the arguments of calls.
type A = testkit.A

var (
	sessions = flag.Int("sessions", 0, "how many sessions are tortured; 0: a short list")
	seed     = flag.Uint64("seed", 1, "where the random part of the recipes begins")
	only     = flag.String("only", "", "run only the recipes whose text contains this")
)

func TestMain(m *testing.M) {
	// Whatever escapes a server comes to us, and is seen.
	const prSetChildSubreaper = 36
	if _, _, err := syscall.RawSyscall(syscall.SYS_PRCTL, prSetChildSubreaper, 1, 0); err != 0 {
		fmt.Fprintln(os.Stderr, "becoming the parent of orphans:", err)
		os.Exit(1)
	}
	os.Exit(testkit.Main(m))
}
