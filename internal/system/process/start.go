package process

import (
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
	wires, err := openWires()
	if err != nil {
		return nil, err
	}
	adopt()
	duty := newDuty(spec.Release)
	cmd, err := supervisor(order{path: path, args: spec.Args, remove: remove, farewell: spec.Farewell, duty: duty, lingers: spec.Lingers}, spec, wires)
	if err == nil {
		cmd.Env, cmd.Dir = duty.tell(withoutMark(spec.environment())), spec.Dir
		err = begun.start(cmd)
	}
	if err != nil {
		wires.close()
		return nil, err
	}
	wires.closeTheirs()
	c := &Child{
		Stdin:      wires.stdin.w,
		name:       spec.Name,
		remove:     remove,
		duty:       duty,
		before:     duty.look(),
		log:        cmp.Or(spec.Log, slog.Default()),
		supervisor: cmd,
		lifeline:   wires.lifeline.w,
		lingers:    spec.Lingers,
		ended:      make(chan struct{}),
		done:       make(chan struct{}),
	}
	if spec.Streams {
		c.Stderr = wires.stderr.r
	}
	if err := c.follow(wires, spec.Fill, stdout, stderr); err != nil {
		closeAll(wires.stdin.w, wires.stdout.r, wires.stderr.r)
		return nil, err
	}
	return c, nil
}

// follow starts the child's goroutines and waits until the child runs.
func (c *Child) follow(wires *wires, fill func() error, stdout, stderr io.Writer) error {
	var drains sync.WaitGroup
	if stdout == nil {
		c.Stdout = wires.stdout.r
	} else {
		drains.Go(func() { drain(stdout, wires.stdout.r) })
	}
	if c.Stderr == nil {
		if stderr == nil {
			stderr = &c.stderr
		}
		drains.Go(func() { drain(stderr, wires.stderr.r) })
	}

	started := make(chan error, 1)
	go c.watch(wires.report.r, fill, started, &drains)

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

// lookup resolves the executable: a bare name through PATH, anything else against Dir.
func lookup(spec Spec) (string, error) {
	path := spec.Path
	if filepath.Base(path) != path && !filepath.IsAbs(path) {
		absolute, err := filepath.Abs(filepath.Join(spec.Dir, path)) // joined alone, ./name would become a bare name
		if err != nil {
			return "", err
		}
		path = absolute
	}
	path, err := exec.LookPath(path)
	if err != nil {
		return "", err
	}
	if path, err = filepath.Abs(path); err != nil {
		return "", err
	}
	if own, err := os.Executable(); err == nil && own == path {
		return Executable() // another may be there by now
	}
	return path, nil
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
