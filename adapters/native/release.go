package native

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"

	"aidb-mcp/adapters"
	"aidb-mcp/adapters/native/relay"
	"aidb-mcp/internal/system/process"
)

// release is what the debugger owes to a program that was there before it: to let go
// when we are gone, as all of them do at the end of their input.
func (s *start) release() *process.Release {
	if s.pid == 0 {
		return nil
	}
	// Under LLDB it is the relay that holds the program, and its own to see to.
	return &process.Release{PID: s.pid, Traces: s.debugger.kind == gdb}
}

// isRelayed says that a relay stands between the debugger and the program.
func (s *start) isRelayed() bool {
	return s.pid != 0 && s.debugger.kind != gdb && runtime.GOOS == "linux"
}

// relaySocket is where the relay is asked to let the program go.
func (s *start) relaySocket() string { return filepath.Join(s.scripts, "release") }

// relayEnv has LLDB start our relay in place of its server (see scripts/aidb/debugger/lldb/relay.py).
func (s *start) relayEnv() (map[string]string, error) {
	binary, err := process.Executable()
	if err != nil {
		return nil, err
	}
	if binary == ownExecutable { // it is to be LLDB that starts it
		binary = fmt.Sprintf("/proc/%d/exe", os.Getpid())
	}
	return relay.Environment(binary, s.relaySocket(), os.Getpid()), nil
}

const ownExecutable = "/proc/self/exe"

// Release has the relay let go, and where there is none our script: LLDB by itself
// leaves watchpoints in the program.
func (d *lldbDialect) Release(ctx context.Context, c adapters.Caller) error {
	if d.relay != "" {
		if err := relay.Release(ctx, d.relay); !errors.Is(err, relay.ErrNone) {
			return err
		}
	}
	return d.ask(ctx, c, nil, "release")
}

// Release has calls taken out of the program that stand at a breakpoint; one that runs has none.
func (d *gdbDialect) Release(ctx context.Context, c adapters.Caller) error {
	return d.ask(ctx, c, nil, "release")
}
