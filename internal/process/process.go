// Package process starts child processes that cannot outlive us.
//
// Every child runs under a supervisor: this same binary, re-executed with the
// hidden "supervise" command, in a session of its own. The supervisor holds the
// read end of a lifeline pipe. When the lifeline closes (we closed it, we
// exited, or we were killed, SIGKILL included) it kills every process that
// descends from it, removes the scratch directories it was given, and exits.
// It does the same when the child ends by itself.
//
// What each system guarantees:
//
//   - Linux: the supervisor is a child subreaper, so that no descendant escapes,
//     whatever session or parent it gave itself. Should the supervisor itself be
//     killed, the kernel kills the child with it, and we kill what else is left
//     in its session.
//   - macOS: descendants are found by parent and by session. A process that gave
//     itself both a new session and a new parent (a daemon) escapes.
//   - Windows: the supervisor and all its descendants are in a job object that
//     dies with the supervisor. Extra descriptors are refused.
//
// The package knows nothing about debugging, adapters or MCP.
package process

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
)

// Spec describes a child process.
type Spec struct {
	Name  string     // short name for logs and errors: "delve", "go build"
	Path  string     // executable; looked up in PATH when it has no separator
	Args  []string   // arguments after the executable
	Env   []string   // complete environment; nil inherits ours
	Dir   string     // working directory; empty is ours
	Extra []*os.File // become descriptors 3, 4, … of the child (not on Windows); Start does not close them

	// Remove lists directories that are deleted once the child and all its
	// descendants are gone, whoever ended them, and also when Start fails.
	Remove []string

	Log *slog.Logger // told of processes that cannot be killed; nil is slog's default
}

// Child is a running supervised process with its pipes, which the caller closes.
//
// Goroutines: one drains stderr into the tail, one waits for the supervisor.
// All methods may be called from any goroutine.
type Child struct {
	Stdin  io.WriteCloser
	Stdout io.ReadCloser // nil for Run

	name       string
	log        *slog.Logger
	pid        int
	remove     []string
	supervisor *exec.Cmd
	lifeline   io.Closer // closing it ends the tree
	stderr     tail

	done   chan struct{}
	status ExitStatus // written before done is closed
}

// Start runs the program described by spec and returns once it is running. The
// child's stderr is kept as a bounded tail (see Child.StderrTail).
func Start(spec Spec) (*Child, error) { return start(spec, nil, nil) }

// Run runs the program to its end, with an empty stdin, and returns what it
// wrote: the first 4 MiB of each stream, and a notice when there was more. When
// ctx ends the whole tree is killed and ctx's cause is returned. A non-zero
// exit is an *ExitError.
func Run(ctx context.Context, spec Spec) (stdout, stderr []byte, err error) {
	return run(ctx, spec)
}

// Pid is the child's own process id, not the supervisor's.
func (c *Child) Pid() int { return c.pid }

// Done is closed when the child and every descendant are gone.
func (c *Child) Done() <-chan struct{} { return c.done }

// Exit describes how the child ended; valid after Done.
func (c *Child) Exit() ExitStatus {
	<-c.done
	return c.status
}

// StderrTail returns the last whole lines that the child wrote to stderr, at most n bytes.
func (c *Child) StderrTail(n int) string { return c.stderr.last(n) }

// Kill ends the child and all its descendants and waits until they are gone
// (bounded: a process that cannot be killed is reported in the log).
func (c *Child) Kill() { c.kill() }

// ExitStatus is how a process ended.
type ExitStatus struct {
	Code   int    // exit code, -1 when ended by a signal
	Signal string // "killed", "segmentation fault"; empty when it exited
}

func (s ExitStatus) String() string {
	if s.Signal != "" {
		return "signal: " + s.Signal
	}
	return fmt.Sprintf("exit code %d", s.Code)
}

// ExitError is a program that ran and failed.
type ExitError struct {
	Name   string
	Status ExitStatus
	Stderr string // tail
}

func (e *ExitError) Error() string { return e.Name + " failed: " + e.Status.String() }
