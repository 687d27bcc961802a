package session

import (
	"sync"
	"sync/atomic"
)

// ending is how the program of a run has ended, as far as anybody has told: the
// adapter, the process that we started for it, or the system. The lock is its own.
type ending struct {
	known chan struct{} // closed when the exit code or the signal is known
	once  sync.Once

	byUs    atomic.Bool // it is us who end the program: how it ends then says nothing of it
	atLeave atomic.Bool // the adapter has said that it ends a program that was to run on

	mu     sync.Mutex
	code   *int   // of the exited event, or of our process
	signal string // that ended the program, when it was only found gone
}

func newEnding() *ending { return &ending{known: make(chan struct{})} }

// settle says that nothing more will be told.
func (e *ending) settle() { e.once.Do(func() { close(e.known) }) }

// exit is the adapter's word on the exit code.
func (e *ending) exit(code int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.code = &code
}

// exitOfChild is the exit code of a part of the program, which counts where none is known.
func (e *ending) exitOfChild(code int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.code == nil {
		e.code = &code
	}
}

// kill is the signal that has ended the program behind the adapter's back.
func (e *ending) kill(signal string) {
	e.mu.Lock()
	e.signal = signal
	e.mu.Unlock()
	e.settle()
}

// exitOfProcess is how a process of ours has ended, which counts where the adapter has told
// nothing.
func (e *ending) exitOfProcess(code int, signal string) {
	e.mu.Lock()
	if e.code == nil && e.signal == "" {
		if e.signal = signal; signal == "" {
			e.code = &code
		}
	}
	e.mu.Unlock()
	e.settle()
}

// exitCode is nil while it is not known.
func (e *ending) exitCode() *int {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.code
}

// isTold says that somebody has told how the program has ended.
func (e *ending) isTold() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.code != nil || e.signal != ""
}

// forget takes back what an adapter said of the end of a program that runs on.
func (e *ending) forget() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.code, e.signal = nil, ""
}

// detail is the signal that ended the program, or its exit code, unless it was us who ended it:
// what adapters tell of that is our signal, some as an exit code that the program never had. The
// language knows which exit codes stand for a signal.
func (e *ending) detail(signalOf func(code int) string) (signal string, code *int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.byUs.Load() {
		return "", nil
	}
	signal, code = e.signal, e.code
	if signal == "" && code != nil {
		signal = signalOf(*code)
	}
	if signal != "" {
		return signal, nil
	}
	return "", code
}
