package profiler

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sys/unix"

	"aidb-mcp/adapters"
	"aidb-mcp/adapters/prepare"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/profiling"
	"aidb-mcp/internal/system/process"
)

// heaptrackFolders are where heaptrack is installed.
var heaptrackFolders = []string{"/usr/lib/heaptrack", "/usr/lib64/heaptrack", "/usr/local/lib/heaptrack", "/usr/local/lib64/heaptrack"}

// heaptrack is the profiler of that name: a library that a program is started with, which notes
// each allocation, and what gives these notes names.
type heaptrack struct{ preload, interpreter string }

// findHeaptrack is the one that is installed; nil: none is.
func findHeaptrack() *heaptrack {
	for _, dir := range heaptrackFolders {
		h := &heaptrack{filepath.Join(dir, "libheaptrack_preload.so"), filepath.Join(dir, "libexec", "heaptrack_interpret")}
		if prepare.Exists(h.preload) && prepare.Exists(h.interpreter) {
			return h
		}
	}
	return nil
}

const (
	howHeap  = "heaptrack, by a library that the program was started with (LD_PRELOAD): all that was allocated and not given back when it ended, by the line that allocated; heaptrack knows neither types nor what holds them"
	costHeap = "each allocation has its stack noted, which takes some µs: a program that does little else runs several times as slow, and its memory grows by what heaptrack keeps"
)

// namingLimit is how long the names may take to come, once the program has ended.
const namingLimit = 30 * time.Second

// heapRun is a run under heaptrack. What it notes goes through a pipe by name, so that nothing of it is kept
// but the sums.
type heapRun struct {
	language Language
	tool     *heaptrack
	dir      string
	log      *slog.Logger
	began    time.Time
	names    *process.Child
	done     chan error // when all was read
	heap     heap
}

// runHeap plans a run of a program of machine code under heaptrack.
func (l Language) runHeap(spec process.Spec, release func()) (*adapters.ProfiledRun, error) {
	tool := findHeaptrack()
	if tool == nil {
		release()
		return nil, noMemory()
	}
	dir, err := os.MkdirTemp("", "aidb-heap-")
	if err == nil {
		err = unix.Mkfifo(filepath.Join(dir, "notes"), 0o600)
	}
	if err != nil {
		release()
		return nil, fmt.Errorf("making a pipe for what heaptrack notes: %w", err)
	}
	r := &heapRun{language: l, tool: tool, dir: dir, log: spec.Log, done: make(chan error, 1)}
	env := spec.Env
	if env == nil {
		env = os.Environ()
	}
	preload := tool.preload
	if known := prepare.Lookup(env, "LD_PRELOAD"); known != "" {
		preload += ":" + known
	}
	spec.Env = prepare.Overlay(env, map[string]string{"LD_PRELOAD": preload, "DUMP_HEAPTRACK_OUTPUT": r.notes()})
	return &adapters.ProfiledRun{
		Spec: spec, Begin: r.begin, Finish: func(context.Context) error { return nil }, Read: r.read,
		Close: func() {
			r.end()
			_ = os.RemoveAll(dir)
			release()
		},
	}, nil
}

func (r *heapRun) notes() string { return filepath.Join(r.dir, "notes") }

// begin starts what gives names: the program waits for it.
func (r *heapRun) begin(context.Context, int, <-chan struct{}) error {
	r.began = time.Now()
	child, err := process.Start(process.Spec{
		Name: "heaptrack_interpret", Path: "/bin/sh", Args: []string{"-c", `exec "$0" < "$1"`, r.tool.interpreter, r.notes()}, Log: r.log,
		Remove: []string{r.dir}, // whoever ends it
	})
	if err != nil {
		return fmt.Errorf("starting heaptrack's own reader: %w", err)
	}
	r.names = child
	go func() { // ends with the child
		err := r.heap.read(child.Stdout)
		_, _ = io.Copy(io.Discard, child.Stdout) // or it would wait
		r.done <- err
	}()
	return nil
}

// end ends what gives names.
func (r *heapRun) end() {
	if r.names != nil {
		r.names.End()
	}
}

// read gives what was held at the end.
func (r *heapRun) read(ctx context.Context, cut bool) (*profiling.Profile, error) {
	lasted := time.Since(r.began)
	if f, err := os.OpenFile(r.notes(), os.O_WRONLY|unix.O_NONBLOCK, 0); err == nil {
		_ = f.Close() // whoever waits for a program that notes nothing waits no more
	}
	limit := time.NewTimer(namingLimit)
	defer limit.Stop()
	var err error
	select {
	case err = <-r.done:
	case <-limit.C:
		err = errors.New("heaptrack's own reader took too long to name what was noted")
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	switch {
	case err != nil:
		return nil, fault.New(fault.NotSupported, "what heaptrack has noted cannot be read: %w", err).WithField("what")
	case r.heap.isEmpty():
		return nil, fault.New(fault.NotSupported, "heaptrack has noted nothing: it does not come into programs that are linked statically, or that change their user").WithField("what").
			WithHint("valgrind --tool=massif runs these; diagnose with a build of -fsanitize=address tells leaks")
	}
	made := &profiling.Profile{Data: r.heap.profile(), How: howHeap, Cost: costHeap, Lasted: lasted, Library: r.language.isLibrary}
	if cut {
		made.Notes = append(made.Notes, "the program was ended: what it allocated in its last milliseconds may not be noted")
	}
	return made, nil
}
