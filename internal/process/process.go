// Package process starts child processes that cannot outlive us.
//
// Every child runs under a supervisor: this same binary, re-executed with the
// hidden "supervise" command, in a session of its own. The supervisor holds the
// read end of a lifeline pipe. When the lifeline closes (we closed it, we
// exited, or we were killed, SIGKILL included) it kills every process that
// descends from it, removes the scratch directories it was given, and exits.
//
// The package knows nothing about debugging, adapters or MCP.
package process

import (
	"context"
	"io"
	"os"
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
	// descendants are gone, whoever ended them.
	Remove []string
}

// Child is a running supervised process with its pipes.
//
// Goroutines: one drains stderr into the tail ring, one waits for the
// supervisor. All methods may be called from any goroutine.
type Child struct {
	Stdin  io.WriteCloser
	Stdout io.ReadCloser

	impl *child
}

// Start runs the program described by spec. The child's stderr is kept as a
// bounded tail (see Child.StderrTail).
func Start(spec Spec) (*Child, error) { return start(spec) }

// Run runs the program to its end and returns what it wrote. When ctx ends the
// whole tree is killed and ctx's cause is returned. A non-zero exit is an
// *ExitError.
func Run(ctx context.Context, spec Spec) (stdout, stderr []byte, err error) {
	return run(ctx, spec)
}

// Pid is the child's own process id (not the supervisor's), 0 until known.
func (c *Child) Pid() int { return c.impl.pid() }

// Done is closed when the child and every descendant are gone.
func (c *Child) Done() <-chan struct{} { return c.impl.done }

// Exit describes how the child ended; valid after Done.
func (c *Child) Exit() ExitStatus { return c.impl.exit() }

// StderrTail returns the last lines that the child wrote to stderr, at most n bytes.
func (c *Child) StderrTail(n int) string { return c.impl.stderrTail(n) }

// Kill ends the child and all its descendants and waits until they are gone
// (bounded: a process that cannot be killed is reported in the log).
func (c *Child) Kill() { c.impl.kill() }

// ExitStatus is how a process ended.
type ExitStatus struct {
	Code   int    // exit code, -1 when ended by a signal
	Signal string // "killed", "segmentation fault"; empty when it exited
}

// ExitError is a program that ran and failed.
type ExitError struct {
	Name   string
	Status ExitStatus
	Stderr string // tail
}
