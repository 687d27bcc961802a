package process

import (
	"bytes"
	"context"
	"io"
)

const exitStderr = 4 << 10 // of an ExitError's stderr tail, in bytes

// Run runs the program to its end, with an empty stdin, and returns what it
// wrote: the first 4 MiB of each stream, and a notice when there was more. When
// ctx ends the whole tree is killed and ctx's cause is returned. A non-zero
// exit is an *ExitError.
func Run(ctx context.Context, spec Spec) (stdout, stderr []byte, err error) {
	var out head
	return run(ctx, spec, &out, &out)
}

// RunWatched is Run that shows each line of the standard output as it comes.
func RunWatched(ctx context.Context, spec Spec, line func([]byte)) (stdout, stderr []byte, err error) {
	var out head
	return run(ctx, spec, io.MultiWriter(&out, &lines{show: line}), &out)
}

// lines shows what is written line by line, but for a last one without an end.
type lines struct {
	show func([]byte)
	rest []byte
}

func (l *lines) Write(p []byte) (int, error) {
	l.rest = append(l.rest, p...)
	for {
		line, rest, found := bytes.Cut(l.rest, []byte("\n"))
		if !found {
			break
		}
		l.show(line)
		l.rest = rest
	}
	if len(l.rest) > headSize { // of no use, and no more than what is kept
		l.rest = nil
	}
	return len(p), nil
}

// run is Run that writes the standard output to to, of which out is kept.
func run(ctx context.Context, spec Spec, to io.Writer, out *head) (stdout, stderr []byte, err error) {
	if ctx.Err() != nil {
		return nil, nil, context.Cause(ctx)
	}
	var errs head
	child, err := start(spec, to, &errs)
	if err != nil {
		return nil, nil, err
	}
	child.Stdin.Close()

	killed := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		child.ask(spec.TakesBack)
		child.Kill()
		close(killed)
	})
	select {
	case <-child.done:
	case <-killed: // a child that cannot be killed must not hold us
	}
	if !stop() {
		return out.bytes(), errs.bytes(), context.Cause(ctx)
	}
	if child.status != (ExitStatus{}) {
		err = &ExitError{Name: child.name, Status: child.status, Stderr: lastLines(errs.bytes(), exitStderr)}
	}
	return out.bytes(), errs.bytes(), err
}
