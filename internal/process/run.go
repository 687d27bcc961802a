package process

import "context"

const exitStderr = 4 << 10 // of an ExitError's stderr tail, in bytes

// Run runs the program to its end, with an empty stdin, and returns what it
// wrote: the first 4 MiB of each stream, and a notice when there was more. When
// ctx ends the whole tree is killed and ctx's cause is returned. A non-zero
// exit is an *ExitError.
func Run(ctx context.Context, spec Spec) (stdout, stderr []byte, err error) {
	if ctx.Err() != nil {
		return nil, nil, context.Cause(ctx)
	}
	var out, errs head
	child, err := start(spec, &out, &errs)
	if err != nil {
		return nil, nil, err
	}
	child.Stdin.Close()

	killed := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
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
