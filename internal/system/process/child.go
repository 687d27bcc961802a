package process

import (
	"bufio"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"sync"
	"time"

	"aidb-mcp/internal/system/mend"
)

const (
	startLimit = 30 * time.Second // for the supervisor to report that the child runs
	killLimit  = 3 * time.Second  // for the supervisor to end its tree
	drainLimit = time.Second      // for the output pipes to end once everyone is gone
)

// Child is a running supervised process with its pipes, which the caller closes.
//
// Goroutines: one drains stderr into the tail, one waits for the supervisor.
// All methods may be called from any goroutine.
type Child struct {
	Stdin  io.WriteCloser
	Stdout *os.File // nil for Run
	Stderr *os.File // nil unless Spec.Streams

	name       string
	log        *slog.Logger
	pid        int
	remove     []string
	duty       *duty      // nil when it holds nothing that is not ours
	before     mend.Sight // how that was
	supervisor *exec.Cmd
	lifeline   io.WriteCloser // closing it ends the tree
	stderr     tail

	lingers bool

	ended  chan struct{}
	status ExitStatus // written before ended is closed
	left   []Other    // so is this
	parent bool       // and this
	done   chan struct{}
}

// Start runs the program described by spec and returns once it is running. The
// child's stderr is kept as a bounded tail (see Child.StderrTail).
func Start(spec Spec) (*Child, error) { return start(spec, nil, nil) }

// Pid is the child's own process id, not the supervisor's.
func (c *Child) Pid() int { return c.pid }

// Done is closed when the child and every descendant are gone.
func (c *Child) Done() <-chan struct{} { return c.done }

// Ended is closed when the child itself has ended: of one that lingers before Done.
func (c *Child) Ended() <-chan struct{} { return c.ended }

// OwnExit waits for the child's own end, and says how it ended.
func (c *Child) OwnExit() ExitStatus {
	<-c.ended
	return c.status
}

// Exit waits for the end and says how the child ended.
func (c *Child) Exit() ExitStatus {
	<-c.done
	return c.status
}

// StderrTail returns the last whole lines that the child wrote to stderr, at most n bytes.
func (c *Child) StderrTail(n int) string { return c.stderr.lastBytes(n) }

// ask tells the child and all its descendants to end by themselves, and gives them that long.
func (c *Child) ask(within time.Duration) {
	if within <= 0 {
		return
	}
	terminate(family(c.supervisor.Process.Pid))
	limit := time.NewTimer(within)
	defer limit.Stop()
	select {
	case <-c.done:
	case <-limit.C:
	}
}

// Kill ends the child and all its descendants and waits until they are gone
// (bounded: a process that cannot be killed is reported in the log).
//
// It cuts the lifeline. A supervisor that does not end then, because it was
// stopped or has a descendant that cannot be killed, is ended with whatever it
// has left.
func (c *Child) Kill() {
	_, _ = c.lifeline.Write([]byte{'k'}) // so that it is no farewell
	c.lifeline.Close()
	c.askByInput()
	for _, force := range []bool{false, true} {
		if force {
			supervisor := c.supervisor.Process
			slay(append(family(supervisor.Pid), supervisor.Pid))
		}
		limit := time.NewTimer(killLimit + c.duty.time())
		defer limit.Stop()
		select {
		case <-c.done:
			return
		case <-limit.C:
			c.log.Warn("processes do not die", "child", c.name, "supervisor", c.supervisor.Process.Pid, "forced", force)
		}
	}
}

// End is Kill, and closes the pipes: for a child of which nothing more is read.
func (c *Child) End() {
	c.Kill()
	_ = c.Stdin.Close()
	closeAll(c.Stdout, c.Stderr)
}

// watch follows the supervisor's reports to its end, then closes done.
func (c *Child) watch(reports io.ReadCloser, fill func() error, started chan<- error, drains *sync.WaitGroup) {
	defer close(c.done)
	defer reports.Close()
	lines := bufio.NewReader(reports)
	started <- c.begin(lines, fill)

	status, left, parent, err := readExited(lines)
	if err != nil {
		status = killedStatus
	}
	c.status, c.left, c.parent = status, left, parent
	close(c.ended)
	if err == nil && c.lingers {
		err = readGone(lines)
	}
	if err != nil {
		// The supervisor was killed before its work was done, and its child with
		// it: we do the rest. Until we wait for it nobody else can have its
		// process id; and it is only when we have that its children are ours.
		c.askByInput()
		slay(family(c.supervisor.Process.Pid))
	}
	_ = begun.wait(c.supervisor) // its exit code says nothing that the report did not
	if err != nil {
		buryAdopted()
		c.duty.mend(c.before, false)
		removeAll(c.remove)
	}
	c.lifeline.Close()
	c.finish(drains)
}

// askByInput ends the input of a child that lets go of what it holds when that ends.
func (c *Child) askByInput() {
	if c.duty != nil && c.duty.Signal == 0 {
		_ = c.Stdin.Close()
	}
}

// begin has the scratch directories filled and the child started.
func (c *Child) begin(lines *bufio.Reader, fill func() error) error {
	if err := readReady(lines); err != nil {
		return err
	}
	if fill != nil {
		if err := fill(); err != nil {
			c.lifeline.Close() // the supervisor takes it for our end
			return err
		}
	}
	if _, err := c.lifeline.Write([]byte{'\n'}); err != nil {
		return fmt.Errorf("the supervisor ended: %w", err)
	}
	var err error
	c.pid, err = readStarted(lines)
	return err
}

// finish waits for the rest of the output. All writers are gone by now, except
// for processes that nobody could kill.
func (c *Child) finish(drains *sync.WaitGroup) {
	drained := make(chan struct{})
	go func() {
		drains.Wait()
		close(drained)
	}()
	limit := time.NewTimer(drainLimit)
	defer limit.Stop()
	select {
	case <-drained:
	case <-limit.C:
		c.log.Warn("a process that outlived its supervisor holds an output pipe", "child", c.name)
	}
}

// drain copies a pipe into a writer that never fails, until the last of the
// pipe's writers is gone.
func drain(to io.Writer, from *os.File) {
	defer from.Close()
	_, _ = io.Copy(to, from)
}
