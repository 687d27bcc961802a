package process

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"time"
)

const (
	startLimit = 30 * time.Second // for the supervisor to report that the child runs
	killLimit  = 3 * time.Second  // for the supervisor to end its tree
	drainLimit = time.Second      // for the output pipes to end once everyone is gone
)

// start runs spec under a supervisor. The child's output goes to the writers;
// a nil stdout leaves it to the reader of Child.Stdout, a nil stderr goes to the tail.
func start(spec Spec, stdout, stderr io.Writer) (*Child, error) {
	child, err := spawn(spec, stdout, stderr)
	if err != nil {
		removeAll(spec.Remove)
		return nil, fmt.Errorf("starting %s: %w", spec.Name, err)
	}
	return child, nil
}

func spawn(spec Spec, stdout, stderr io.Writer) (*Child, error) {
	path, err := lookup(spec)
	if err != nil {
		return nil, err
	}
	remove, err := absolute(spec.Remove)
	if err != nil {
		return nil, err
	}

	var pipes pipes
	stdinR, stdinW := pipes.open()
	stdoutR, stdoutW := pipes.open()
	stderrR, stderrW := pipes.open()
	lifelineR, lifelineW := pipes.open()
	reportR, reportW := pipes.open()
	if pipes.err != nil {
		pipes.close()
		return nil, pipes.err
	}

	cmd, err := supervisor(order{path: path, args: spec.Args, remove: remove}, spec.Extra, lifelineR, reportW)
	if err == nil {
		cmd.Env, cmd.Dir = spec.Env, spec.Dir
		cmd.Stdin, cmd.Stdout, cmd.Stderr = stdinR, stdoutW, stderrW
		err = cmd.Start()
	}
	if err != nil {
		pipes.close()
		return nil, err
	}
	for _, theirs := range []*os.File{stdinR, stdoutW, stderrW, lifelineR, reportW} {
		theirs.Close()
	}

	c := &Child{
		Stdin:      stdinW,
		name:       spec.Name,
		remove:     remove,
		log:        cmp.Or(spec.Log, slog.Default()),
		supervisor: cmd,
		lifeline:   lifelineW,
		done:       make(chan struct{}),
	}
	var drains sync.WaitGroup
	if stdout == nil {
		c.Stdout = stdoutR
	} else {
		drains.Go(func() { drain(stdout, stdoutR) })
	}
	if stderr == nil {
		stderr = &c.stderr
	}
	drains.Go(func() { drain(stderr, stderrR) })

	started := make(chan error, 1)
	go c.watch(reportR, started, &drains)
	if err := c.await(started); err != nil {
		stdinW.Close()
		stdoutR.Close()
		return nil, err
	}
	return c, nil
}

// await waits until the supervisor reports that the child runs, or why it does not.
func (c *Child) await(started <-chan error) error {
	limit := time.NewTimer(startLimit)
	defer limit.Stop()
	select {
	case err := <-started:
		return err
	case <-limit.C:
		c.Kill()
		return errors.New("the supervisor did not answer")
	}
}

// watch follows the supervisor's reports to its end, then closes done.
func (c *Child) watch(reports io.ReadCloser, started chan<- error, drains *sync.WaitGroup) {
	defer close(c.done)
	defer reports.Close()
	lines := bufio.NewReader(reports)

	pid, err := readStarted(lines)
	c.pid = pid
	started <- err

	status, err := readExited(lines)
	if err != nil {
		// The supervisor was killed before its work was done, and its child with
		// it: we do the rest. Until we wait for it nobody else can have its
		// process id.
		status = killedStatus
		slay(family(c.supervisor.Process.Pid))
		removeAll(c.remove)
	}
	c.status = status
	c.supervisor.Wait() // its exit code says nothing that the report did not
	c.lifeline.Close()
	c.finish(drains)
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

// kill cuts the lifeline; a supervisor that does not end then (it is stopped, or
// a descendant cannot be killed) is ended with whatever it has left.
func (c *Child) kill() {
	c.lifeline.Close()
	for _, force := range []bool{false, true} {
		if force {
			supervisor := c.supervisor.Process
			slay(append(family(supervisor.Pid), supervisor.Pid))
		}
		limit := time.NewTimer(killLimit)
		defer limit.Stop()
		select {
		case <-c.done:
			return
		case <-limit.C:
			c.log.Warn("processes do not die", "child", c.name, "supervisor", c.supervisor.Process.Pid, "forced", force)
		}
	}
}

// drain copies a pipe into a writer that never fails, until the last of the
// pipe's writers is gone.
func drain(to io.Writer, from *os.File) {
	defer from.Close()
	io.Copy(to, from)
}

// lookup resolves the executable: a bare name through PATH, anything else against Dir.
func lookup(spec Spec) (string, error) {
	path := spec.Path
	if filepath.Base(path) != path && !filepath.IsAbs(path) {
		path = filepath.Join(spec.Dir, path)
	}
	path, err := exec.LookPath(path)
	if err != nil {
		return "", err
	}
	return filepath.Abs(path)
}

func absolute(dirs []string) ([]string, error) {
	abs := make([]string, len(dirs))
	for i, dir := range dirs {
		var err error
		if abs[i], err = filepath.Abs(dir); err != nil {
			return nil, fmt.Errorf("resolving scratch directory: %w", err)
		}
	}
	return abs, nil
}

// pipes opens pipes and remembers them and the first error.
type pipes struct {
	files []*os.File
	err   error
}

func (p *pipes) open() (r, w *os.File) {
	if p.err != nil {
		return nil, nil
	}
	if r, w, p.err = os.Pipe(); p.err == nil {
		p.files = append(p.files, r, w)
	}
	return r, w
}

func (p *pipes) close() {
	for _, f := range p.files {
		f.Close()
	}
}
