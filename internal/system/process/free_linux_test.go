package process_test

import (
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"strconv"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"aidb-mcp/internal/system/process"
)

func init() { parts["flighty"] = takeHoldAndLetGo }

// takeHoldAndLetGo plays a debugger that takes hold of a program and lets go of it, again
// and again until it is asked to end. The program dies if it is killed while it holds it.
func takeHoldAndLetGo(args []string) {
	asked := make(chan os.Signal, 1)
	signal.Notify(asked, syscall.SIGTERM)
	held, _ := strconv.Atoi(args[0])
	runtime.LockOSThread()
	fmt.Println(os.Getpid())
	for {
		select {
		case <-asked:
			return
		default:
		}
		if err := takeHold(held); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		if err := unix.PtraceDetach(held); err != nil {
			fmt.Fprintln(os.Stderr, "letting go:", err)
			os.Exit(1)
		}
	}
}

// takeHold returns when the program has stopped.
func takeHold(pid int) error {
	const atOurEnd = 0x100000 // PTRACE_O_EXITKILL
	if _, _, code := syscall.Syscall6(syscall.SYS_PTRACE, unix.PTRACE_SEIZE, uintptr(pid), 0, atOurEnd, 0, 0); code != 0 {
		return fmt.Errorf("taking hold: %w", code)
	}
	if err := unix.PtraceInterrupt(pid); err != nil {
		return fmt.Errorf("stopping it: %w", err)
	}
	var status unix.WaitStatus
	if _, err := unix.Wait4(pid, &status, unix.WALL, nil); err != nil {
		return fmt.Errorf("waiting for its stop: %w", err)
	}
	return nil
}

// A debugger that was seen without the program is not killed with it: it may have taken
// hold of it since.
func TestADebuggerIsNotKilledWithTheProgramItHasTakenMeanwhile(t *testing.T) {
	program := start(t, helper(t, "traceable"))
	held := pids(t, program.Stdout, 1)[0]
	for round := range 40 {
		spec := helper(t, "flighty", strconv.Itoa(held))
		spec.Release = &process.Release{PID: held, Signal: syscall.SIGTERM, Limit: 2 * time.Second, Traces: true}
		child := start(t, spec)
		ids := pids(t, child.Stdout, 1)
		process.Slay(ids)
		mustAllBeGone(t, ids)
		if !alive(held) {
			t.Fatalf("the program has ended with its debugger, in round %d", round)
		}
	}
}
