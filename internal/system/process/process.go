// Package process starts child processes that cannot outlive us.
//
// Every child runs under a supervisor: this same binary, re-executed with the
// hidden "supervise" command, in a session of its own. The supervisor holds the
// read end of a lifeline pipe. When the lifeline closes (we closed it, we
// exited, or we were killed, SIGKILL included) it kills every process that
// descends from it (after a farewell, where the child has one from us), removes the scratch directories it was given, and exits.
// It does the same when the child ends by itself. What holds a program that is not ours
// (see Release) is asked to let go of it before anybody kills it, whoever that is: it is
// known by a mark in its environment.
//
// What each system guarantees:
//
//   - Linux: the supervisor is a child subreaper, so that no descendant escapes,
//     whatever session or parent it gave itself. Should the supervisor itself be
//     killed, the kernel kills the child with it, its other descendants become
//     ours, and we end them. Should we be killed with it, the keeper of our Root
//     ends those that still bear the supervisor's mark in their environment, and
//     if that is killed too, the keeper of the next server does.
//   - macOS: descendants are found by parent and by session. A process that gave
//     itself both a new session and a new parent (a daemon) escapes.
//   - Windows: the supervisor and all its descendants are in a job object that
//     dies with the supervisor. Extra descriptors are refused.
//
// The package knows nothing about debugging, adapters or MCP.
package process

import (
	"fmt"
	"log/slog"
	"os"
	"strings"
	"time"
)

// Spec describes a child process.
type Spec struct {
	Name    string     // short name for logs and errors: "delve", "go build"
	Path    string     // executable; looked up in PATH when it has no separator
	Args    []string   // arguments after the executable
	Env     []string   // complete environment; nil inherits ours
	Dir     string     // working directory; empty is ours
	Streams bool       // the caller reads both Child.Stdout and Child.Stderr, which is not kept as a tail then
	Extra   []*os.File // become descriptors 3, 4, … of the child (not on Windows); Start does not close them

	// Remove lists directories that are there for the child, made if need be, and
	// deleted once it and all its descendants are gone, whoever ended them, and
	// also when Start fails.
	Remove []string

	// Root is the private directory that those of Remove lie in, if they do. It
	// stays until the child's supervisor has done its work.
	Root *Root

	// Fill writes what the child needs into those directories, once they are made
	// and before it runs; nil: nothing. What it writes goes even if we are killed
	// meanwhile.
	Fill func() error

	// Farewell is how long the child may go on when we have died, for one that sees
	// the end of its input and cleans up; then it is killed, as it is at once when
	// this is 0.
	Farewell time.Duration

	// TakesBack is how long the child and its descendants have, when their time is over, to
	// take back what they have made by half (as make does, told by SIGTERM) before they are
	// killed; 0: they are killed at once.
	TakesBack time.Duration

	// Release is the duty of a child that has attached to a program that is not ours; nil:
	// it holds nothing. Windows has no way to ask for it.
	Release *Release

	// Lingers: what the child has started may go on when it has ended, until it ends by itself
	// or [Child.Kill] is called; else it is ended with it. Only Linux can do it.
	Lingers bool

	Log *slog.Logger // told of processes that cannot be killed; nil is slog's default
}

func (s Spec) environment() []string {
	if s.Env == nil {
		return os.Environ()
	}
	return s.Env
}

// ExitStatus is how a process ended.
type ExitStatus struct {
	Code   int    // exit code, -1 when ended by a signal
	Signal string // "killed", "segmentation fault"; empty when it exited
	Number int    // of the signal, 0 when it exited
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

// Words are what a program said, or how it ended if it said nothing.
func (e *ExitError) Words(said string) string {
	if strings.TrimSpace(said) == "" {
		return e.Error()
	}
	return said
}

func (e *ExitError) Error() string { return e.Name + " failed: " + e.Status.String() }
