package profiler

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	"aidb-mcp/adapters"
	"aidb-mcp/adapters/observe"
	"aidb-mcp/adapters/observe/goheap"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/profiling"
	"aidb-mcp/internal/system/process"
)

// noMemory says what is missing for programs without a runtime that knows what it holds.
func noMemory() error {
	return fault.New(fault.NotSupported, "C, C++ and Rust keep no account of what they allocate, so that nothing tells what grows").WithField("what").
		WithHint("where heaptrack is installed (Debian: apt install heaptrack) profile with target or test runs the program under it; or run it under valgrind --tool=massif; diagnose with a build of -fsanitize=address tells leaks; profile {\"what\":\"cpu\"} shows where it spends time on allocating")
}

// heapFailure is an error of reading a program's own profile.
func heapFailure(err error) error {
	switch {
	case errors.Is(err, goheap.ErrOff):
		return fault.New(fault.NotSupported, "%w", err).WithField("what").
			WithHint("a program that imports net/http/pprof or runtime/pprof keeps one; profile with target or test builds one that does, for a run of its own")
	case errors.Is(err, goheap.ErrForbidden):
		return fault.New(fault.NotSupported, "%w", err).WithHint("run the server as root or as the program's user, or give it CAP_SYS_PTRACE")
	}
	return fault.New(fault.SessionStart, "nothing was measured: %w", err)
}

// howMemory says what has measured.
func howMemory(rate int64) string {
	return fmt.Sprintf("the profile that Go's runtime keeps (runtime.MemProfile), read out of the program's memory: one sample for %d bytes that are allocated, from which counts and bytes are estimated; "+
		"by the line that allocated, for it knows neither types nor what holds them", rate)
}

const costMemory = "nothing while it is read; the runtime samples in any case, about 1 µs for each sample"

// takeMemory reads the profile that a program of Go keeps, at one moment or at two.
func (l Language) takeMemory(ctx context.Context, p adapters.Profiled, w profiling.Spec) (*profiling.Profile, error) {
	if !l.IsGo {
		return nil, noMemory()
	}
	h, err := goheap.Open(fmt.Sprintf("/proc/%d/exe", p.PID))
	if err == nil {
		defer h.Close()
		err = h.Attach(p.PID, observe.Bias)
	}
	if err != nil {
		return nil, heapFailure(err)
	}
	began := time.Now()
	first, err := h.Read()
	if err != nil {
		return nil, heapFailure(err)
	}
	if w.For == 0 || p.Stands {
		return l.memory(nil, first, 0), nil
	}
	ended := pause(ctx, p, w.For)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	last, err := h.Read()
	if err != nil && ended {
		made := l.memory(nil, first, time.Since(began))
		made.Ended = true
		made.Notes = append(made.Notes, "the program ended before the second look: what it held at the first is shown")
		return made, nil
	}
	if err != nil {
		return nil, heapFailure(err)
	}
	made := l.memory(first, last, time.Since(began))
	made.Ended = ended
	return made, nil
}

// memory makes a profile of one look, or of two.
func (l Language) memory(first, last *goheap.Look, lasted time.Duration) *profiling.Profile {
	p := &profiling.Profile{Data: last.Data, How: howMemory(last.Rate), Cost: costMemory, Lasted: lasted, Library: l.isLibrary}
	if first != nil {
		p.Before = first.Data
	}
	if last.Cut {
		p.Notes = append(p.Notes, "the program allocates by more ways than are read (500,000, or 16 million callers in all): the others were not read")
	}
	switch {
	case !last.Collected:
		p.Notes = append(p.Notes, "no garbage was collected yet: what is shown is all that was allocated, also what is not used any more")
	case first != nil && !first.Collected:
		p.Notes = append(p.Notes, "no garbage was collected yet at the first look, but at the second: what grew is more than what is shown")
	default:
		p.Notes = append(p.Notes, "as of the last garbage collection: what was allocated since then is not in it")
	}
	return p
}

// lookEvery is how often a run of its own is looked at: the last look counts.
const lookEvery = 25 * time.Millisecond

// runMemory plans a run that is looked at until it ends.
func (l Language) runMemory(spec process.Spec) (*adapters.ProfiledRun, error) {
	if err := observeable(spec.Path); err != nil {
		return nil, heapFailure(err)
	}
	r := &memoryRun{language: l, done: make(chan struct{})}
	return &adapters.ProfiledRun{
		Spec: spec,
		Begin: func(_ context.Context, pid int, ended <-chan struct{}) error {
			h, err := goheap.Open(spec.Path)
			if err == nil {
				err = h.Attach(pid, observe.Bias)
			}
			if err != nil {
				if h != nil {
					h.Close()
				}
				return heapFailure(err)
			}
			r.began = time.Now()
			go r.look(h, ended) // ends with the program
			return nil
		},
		Finish: func(context.Context) error { return nil },
		Read: func(ctx context.Context, _ bool) (*profiling.Profile, error) {
			select {
			case <-r.done:
			case <-ctx.Done():
				return nil, context.Cause(ctx)
			}
			return r.read()
		},
	}, nil
}

// observeable says why a program cannot be looked at, before it runs.
func observeable(path string) error {
	if _, err := os.Stat("/proc/self/mem"); err != nil {
		return fmt.Errorf("%w", observe.ErrUnsupported)
	}
	h, err := goheap.Open(path)
	if err == nil {
		h.Close()
	}
	return err
}

// memoryRun looks at a run of its own.
type memoryRun struct {
	language Language
	began    time.Time
	done     chan struct{} // closed when nobody looks any more

	mu    sync.Mutex // guards the fields below
	last  *goheap.Look
	at    time.Time
	looks int
	err   error
}

// look looks until the program has ended.
func (r *memoryRun) look(h *goheap.Heap, ended <-chan struct{}) {
	defer close(r.done)
	defer h.Close()
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	for {
		select {
		case <-ended:
			return
		case <-tick.C:
		}
		look, err := h.Read()
		if err != nil && !errors.Is(err, goheap.ErrOff) && r.last != nil { // it ends just now
			continue
		}
		r.mu.Lock()
		if err == nil {
			r.last, r.at = look, time.Now()
			r.looks++
		}
		r.err = err
		r.mu.Unlock()
	}
}

// read gives the last look.
func (r *memoryRun) read() (*profiling.Profile, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	lasted := time.Since(r.began)
	if r.last == nil {
		err := r.err
		if err == nil {
			err = fmt.Errorf("the program ended after %s, before it could be looked at", lasted.Round(time.Millisecond))
		}
		return nil, heapFailure(err)
	}
	p := r.language.memory(nil, r.last, r.at.Sub(r.began))
	p.Notes = append(p.Notes, fmt.Sprintf("as it was %s after the beginning, at the last of %d looks, one each %s", p.Lasted.Round(time.Millisecond), r.looks, lookEvery))
	return p, nil
}
