package delve

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"sync"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/recording"
)

// ahead are programs that are built for the recorder while they run in the debugger, so that a run that
// notes what has led to a failure need not wait for it. Each such run takes the same program, as far as
// it notes the same: how many calls is said as it starts.
type ahead struct {
	mu     sync.Mutex
	builds map[string]*building
}

// building is one of them.
type building struct {
	done chan struct{} // closed when it is built, or cannot be
	of   wovenProgram
	err  error
	uses sync.WaitGroup
}

var errAhead = errors.New("nothing is to be recorded any more")

// Ahead builds such a program, and has Record take it until done is called.
func (a *adapter) Ahead(ctx context.Context, r adapters.Request, w recording.Spec) (done func()) {
	key, err := buildKey(r, w)
	if err != nil {
		return func() {}
	}
	ctx, cancel := context.WithCancelCause(context.WithoutCancel(ctx))
	b := &building{done: make(chan struct{})}
	if !a.ahead.add(key, b) {
		cancel(nil)
		return func() {}
	}
	go func() {
		defer close(b.done)
		t, err := a.toRecord(ctx, r)
		if err == nil {
			t.beside = true
			b.of, err = a.weave(ctx, t, w, nil)
		}
		b.err = err
	}()
	return func() {
		a.ahead.remove(key)
		cancel(errAhead)
		go func() {
			<-b.done
			b.uses.Wait()
			_ = os.RemoveAll(b.of.scratch)
		}()
	}
}

// woven is the program of a request with the recorder in it, which was built ahead or is built
// now; release lets go of it.
func (a *adapter) woven(ctx context.Context, t toRecord, w recording.Spec, progress func(string)) (p wovenProgram, release func(), err error) {
	key, err := buildKey(t.request, w)
	if err != nil {
		return p, nil, err
	}
	if b := a.ahead.use(key); b != nil {
		select {
		case <-b.done:
		case <-ctx.Done():
		}
		if ctx.Err() == nil && b.err == nil {
			return b.of, sync.OnceFunc(b.uses.Done), nil
		}
		b.uses.Done()
	}
	if p, err = a.weave(ctx, t, w, progress); err != nil {
		return p, nil, err
	}
	return p, func() { _ = os.RemoveAll(p.scratch) }, nil
}

// weave builds it.
func (a *adapter) weave(ctx context.Context, t toRecord, w recording.Spec, progress func(string)) (wovenProgram, error) {
	dir, err := a.Root.MakeScratch("weave-")
	if err != nil {
		return wovenProgram{}, err
	}
	defer os.RemoveAll(dir)
	return a.weaveProgram(ctx, t, w, dir, progress)
}

func (a *ahead) add(key string, b *building) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.builds[key] != nil {
		return false
	}
	if a.builds == nil {
		a.builds = map[string]*building{}
	}
	a.builds[key] = b
	return true
}

// use is one that is under way or ready; its use is over when uses is told so.
func (a *ahead) use(key string) *building {
	a.mu.Lock()
	defer a.mu.Unlock()
	b := a.builds[key]
	if b != nil {
		b.uses.Add(1)
	}
	return b
}

func (a *ahead) remove(key string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.builds, key)
}

// buildKey tells apart what is built: by the request, and by what of a spec is woven in.
func buildKey(r adapters.Request, w recording.Spec) (string, error) {
	if w.Calls != nil && w.Calls.Thin != nil {
		calls := *w.Calls
		calls.Thin = &recording.Thin{}
		w.Calls = &calls
	}
	text, err := json.Marshal(struct {
		Request adapters.Request
		Spec    recording.Spec
	}{r, w})
	return string(text), err
}
