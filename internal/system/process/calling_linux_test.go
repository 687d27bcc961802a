package process_test

import (
	"fmt"
	"io"
	"math"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"strconv"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"aidb-mcp/internal/system/process"
)

func init() {
	parts["traceable"] = func([]string) {
		_ = unix.Prctl(unix.PR_SET_PTRACER, math.MaxUint, 0, 0, 0) // fails where nobody need be told
		sleep(nil)
	}
	parts["caller"] = callHelper
}

// callHelper plays gdb in the middle of a call that it makes in a program: the call ends
// with our input, and SIGTERM cuts it off, which a file tells.
func callHelper(args []string) {
	asked := make(chan os.Signal, 1)
	signal.Notify(asked, syscall.SIGTERM)
	go func() {
		<-asked
		_ = os.WriteFile(args[0], nil, 0o600)
		os.Exit(1)
	}()
	runtime.LockOSThread()
	held, _ := strconv.Atoi(args[1])
	if err := unix.PtraceSeize(held); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(os.Getpid())
	_, _ = io.Copy(io.Discard, os.Stdin)
}

// Whoever ends what is left of a session leaves gdb to come to the end of its call, also
// when those are gone that have started it.
func TestWhoMakesACallInAProgramIsNotCutOff(t *testing.T) {
	program := start(t, helper(t, "traceable"))
	held := pids(t, program.Stdout, 1)[0]
	cutOff := filepath.Join(t.TempDir(), "cut off")
	spec := helper(t, "caller", cutOff, strconv.Itoa(held))
	spec.Release = &process.Release{PID: held, Signal: syscall.SIGTERM, Limit: 20 * time.Second, Traces: true}
	child := start(t, spec)
	ids := pids(t, child.Stdout, 1)
	slain := make(chan struct{})
	go func() { process.Slay(ids); close(slain) }()
	select {
	case <-slain:
		t.Error("it is not waited for")
	case <-time.After(300 * time.Millisecond): // in which it would be asked
	}
	_ = child.Stdin.Close()
	<-slain
	if _, err := os.Stat(cutOff); err == nil {
		t.Error("its call was cut off")
	}
	if status := ends(t, child); status.Code != 0 {
		t.Errorf("it has ended with %v", status)
	}
}
