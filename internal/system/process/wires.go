package process

import (
	"fmt"
	"os"
)

type pipe struct{ r, w *os.File }

// wires are all pipes between us and one supervisor.
type wires struct {
	stdin    pipe
	stdout   pipe
	stderr   pipe
	lifeline pipe // the supervisor reads it: our word to go on, and then nothing but its end
	report   pipe // see report.go
}

func openWires() (*wires, error) {
	w := new(wires)
	for _, p := range []*pipe{&w.stdin, &w.stdout, &w.stderr, &w.lifeline, &w.report} {
		var err error
		if p.r, p.w, err = os.Pipe(); err != nil {
			w.close()
			return nil, fmt.Errorf("opening pipes: %w", err)
		}
	}
	return w, nil
}

// closeTheirs closes the supervisor's ends, which it has inherited.
func (w *wires) closeTheirs() {
	closeAll(w.stdin.r, w.stdout.w, w.stderr.w, w.lifeline.r, w.report.w)
}

// close closes both ends of whatever is open.
func (w *wires) close() {
	w.closeTheirs()
	closeAll(w.stdin.w, w.stdout.r, w.stderr.r, w.lifeline.w, w.report.r)
}

// closeAll closes files; nil ones, which were never opened, are no harm.
func closeAll(files ...*os.File) {
	for _, f := range files {
		f.Close()
	}
}
