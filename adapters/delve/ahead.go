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
// notes what has led to a failure need not wait for it. Each such run of the same question takes the same
// program, if it notes the same but for how many calls, which is said as it starts. What another question
// has built may be of other sources.
type ahead struct {
	mu     sync.Mutex
	builds map[*recording.Spec]*building // by what is to be noted in the debugger
}

// building is one of them. Until it may, it is only woven: the program's own build comes first.
type building struct {
	kind string
	may  chan struct{}
	let  func()        // closes may
	done chan struct{} // closed when it is built, or cannot be
	of   wovenProgram
	err  error
	uses sync.WaitGroup
}

var errAhead = errors.New("nothing is to be recorded any more")

// Ahead builds such a program, and has Record take it until done is called.
func (a *adapter) Ahead(ctx context.Context, r adapters.Request) (done func()) {
	ctx, cancel := context.WithCancelCause(context.WithoutCancel(ctx))
	b := &building{kind: kindOf(*r.Record), may: make(chan struct{}), done: make(chan struct{})}
	b.let = sync.OnceFunc(func() { close(b.may) })
	a.ahead.add(r.Record, b)
	go func() {
		defer close(b.done)
		t, err := a.toRecord(ctx, r)
		if err == nil {
			t.beside = b.may
			b.of, err = a.weave(ctx, t, *r.Record, nil)
		}
		b.err = err
	}()
	return func() {
		a.ahead.remove(r.Record)
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
	if b := a.ahead.use(t.request.Record, kindOf(w)); b != nil {
		b.let()
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

func (a *ahead) add(of *recording.Spec, b *building) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.builds == nil {
		a.builds = map[*recording.Spec]*building{}
	}
	a.builds[of] = b
}

// use is one that is under way or ready; its use is over when uses is told so.
func (a *ahead) use(of *recording.Spec, kind string) *building {
	a.mu.Lock()
	defer a.mu.Unlock()
	b := a.builds[of]
	if b == nil || b.kind != kind {
		return nil
	}
	b.uses.Add(1)
	return b
}

// builtPlain is told that a program is built for the debugger.
func (a *ahead) builtPlain(of *recording.Spec) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if b := a.builds[of]; b != nil {
		b.let()
	}
}

func (a *ahead) remove(of *recording.Spec) {
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.builds, of)
}

// kindOf tells apart what of specs is woven in.
func kindOf(w recording.Spec) string {
	if w.Calls != nil && w.Calls.Thin != nil {
		calls := *w.Calls
		calls.Thin = &recording.Thin{}
		w.Calls = &calls
	}
	text, _ := json.Marshal(w) // specs can be written
	return string(text)
}
