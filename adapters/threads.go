package adapters

import (
	"context"
	"time"

	godap "github.com/google/go-dap"
)

// Threads is what an adapter knows of a program's threads, goroutines, or tasks, and of their
// frames. It is asked in place of, or beside, the requests threads and stackTrace.
type Threads struct {
	// Digest lists threads with stacks and what they wait for in one go.
	Digest func(ctx context.Context, c Caller, depth int) (Digest, error)
	// DigestsRunning: Digest answers while the program runs, too. So it is where threads that
	// all wait outside of the language cannot be paused.
	DigestsRunning bool
	// TellsEndless: Digest says which waits nothing but the program itself ends.
	TellsEndless bool
	// Waits are what threads wait for, by their numbers, where there is no Digest and their
	// stacks alone do not tell it. Those that do not wait are left out.
	Waits func(ctx context.Context, c Caller) (map[int]ThreadState, error)
	// Blocked tells who waits for what, who holds that and where it was taken. Without it, or where it
	// cannot answer ([ErrNoWaits]), that is taken from Digest or Waits.
	Blocked func(ctx context.Context, c Caller) (Waits, error)
	// BlockedRunning: Blocked answers while the program runs, too.
	BlockedRunning bool
	// Frame puts a frame in the words of the language: a name without a hash or a wrapper's
	// prefix. It must not change ids.
	Frame func(godap.StackFrame) godap.StackFrame

	// OneIDSpace: thread ids are unique across the connections. Otherwise the engine tells the
	// threads of later connections apart by renumbering them.
	OneIDSpace bool
	// IDsFromZero: the adapter counts threads from 0, and we from 1, for whom 0 is no thread.
	IDsFromZero bool
}

// Digest is what the threads of a program are at.
type Digest struct {
	Threads []ThreadState
	// Scheduled is how often the program's own scheduler has given a processor to one of
	// its threads (goroutines) so far; 0 where it does not count that.
	Scheduled uint64
}

// ThreadState is one thread (or goroutine) of a digest.
type ThreadState struct {
	ID      int
	Name    string
	Waiting string        // "chan receive", "sync.Mutex.Lock", empty when running
	Since   time.Duration // how long it has waited, 0 when unknown
	Object  string        // what it waits on, where known: "chan 0xc000012345"
	Held    bool          // Object names a thread that holds it
	Tasks   string        // where the tasks rest that its event loop runs, but for the one that runs now
	Endless bool          // it surely waits until another of the program's threads lets it go on: no time, event or input does
	Labels  map[string]string
	System  bool
	Frames  []godap.StackFrame // user's view, top first, without ids
}
