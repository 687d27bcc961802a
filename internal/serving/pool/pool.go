// Package pool keeps a worker process of its own for each client: an MCP server
// on standard input and output, by default this very binary. A worker that
// crashes, hangs or grows harms nobody but its client: what waited for it is
// answered with words, and the next call has a new one.
//
// It passes frames on as they are. It knows nothing of HTTP, of tokens and of
// debugging.
package pool

import (
	"cmp"
	"context"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"aidb-mcp/internal/serving/handle"
)

// Options describe the workers. Zero values mean the defaults.
type Options struct {
	Command []string                     // the worker's program and its arguments
	Dir     string                       // it works in
	For     func(principal string) Rules // in place of Command; nil: the same for all
	Env     []string                     // complete; the principal is added
	Log     *slog.Logger
	Observe Observer // told of what happens; nil: nobody
	Machine string   // its name in handles; empty: one that no other start has
	Pages   Pages    // of workers, for persons; nil: there are none

	Workers  int           // at once
	Wait     time.Duration // for a place among them
	Start    time.Duration // of a worker, up to the answer to its handshake
	Call     time.Duration // longest call; then the worker is asked to end it
	Grace    time.Duration // from being asked to being restarted
	Idle     time.Duration // without a message, after which a worker ends
	Keep     time.Duration // the same for one whose client has gone and left sessions; negative: none is kept
	Queue    int           // calls unanswered by one worker
	Restarts int           // after crashes, within Window
	Window   time.Duration
	Backoff  time.Duration // before the second restart, doubled for each more
	Memory   int64         // bytes of a worker and all its descendants
	MaxLine  int           // bytes of one message
}

// The defaults of Options.
const (
	DefaultWorkers  = 8
	DefaultWait     = 10 * time.Second
	DefaultStart    = 10 * time.Second
	DefaultCall     = 15 * time.Minute
	DefaultGrace    = 5 * time.Second
	DefaultIdle     = 30 * time.Minute
	DefaultKeep     = 10 * time.Minute
	DefaultQueue    = 32
	DefaultRestarts = 3
	DefaultWindow   = 5 * time.Minute
	DefaultBackoff  = 250 * time.Millisecond
	DefaultMemory   = 2 << 30
	DefaultMaxLine  = 16 << 20
)

// Filled are the options with their defaults in the place of zero values.
func (o Options) Filled() Options {
	o.fill()
	return o
}

func (o *Options) fill() {
	o.Workers = cmp.Or(o.Workers, DefaultWorkers)
	o.Wait = cmp.Or(o.Wait, DefaultWait)
	o.Start = cmp.Or(o.Start, DefaultStart)
	o.Call = cmp.Or(o.Call, DefaultCall)
	o.Grace = cmp.Or(o.Grace, DefaultGrace)
	o.Idle = cmp.Or(o.Idle, DefaultIdle)
	o.Keep = cmp.Or(o.Keep, DefaultKeep)
	if o.Machine == "" {
		o.Machine = handle.NewMachine()
	}
	o.Queue = cmp.Or(o.Queue, DefaultQueue)
	o.Restarts = cmp.Or(o.Restarts, DefaultRestarts)
	o.Window = cmp.Or(o.Window, DefaultWindow)
	o.Backoff = cmp.Or(o.Backoff, DefaultBackoff)
	o.Memory = cmp.Or(o.Memory, DefaultMemory)
	o.MaxLine = cmp.Or(o.MaxLine, DefaultMaxLine)
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Observe == nil {
		o.Observe = nobody{}
	}
}

// Rules are what the workers of a principal are started with.
type Rules struct {
	Command   []string
	Workers   int // at once, 0 for any number
	Elsewhere int // of those, how many the principal has in other pools
}

// What a worker finds in its environment.
const (
	NameVariable      = "AIDB_WORKER"    // its name
	PrincipalVariable = "AIDB_PRINCIPAL" // whom it works for
	MachineVariable   = "AIDB_MACHINE"   // what handles call this machine

	PeersVariable = "AIDB_PEERS" // its gateway has other machines, which it may ask

	PageSocketVariable  = "AIDB_PAGE_SOCKET"  // where it serves its page for persons
	PageAddressVariable = "AIDB_PAGE_ADDRESS" // by which they reach it
)

// Pages has a place for the page of each worker, on which persons watch.
type Pages interface {
	// Open makes a place for a worker that starts, and says what it finds in its environment.
	Open(worker, principal string) (env []string)
	// Close forgets the place of one that has ended.
	Close(worker string)
}

// Observer is told of what happens in the pool, from many goroutines. It must not block.
type Observer interface {
	Started(took time.Duration)
	Ended(why string) // "idle", "closed", "crashed", "memory", "hung", "start"
	Called(Called)
}

// Called is one call that has been answered.
type Called struct {
	Method, Tool string // the tool of tools/call
	Code         string // of the error, empty when it succeeded
	Took         time.Duration
	In, Out      int // bytes
}

// Nobody observes nothing.
func Nobody() Observer { return nobody{} }

type nobody struct{}

func (nobody) Started(time.Duration) {}
func (nobody) Ended(string)          {}
func (nobody) Called(Called)         {}

// Pool is the workers of all clients.
type Pool struct {
	o         Options
	places    *places
	book      *handle.Book // of the debug sessions of all workers
	named     atomic.Int64 // workers so far
	greetings greetings
	guests    atomic.Int64 // calls to workers of other clients so far
	age       atomic.Int64 // how often the rules have changed that workers are started with

	sharing sync.Mutex // held while workers are chosen that end for who waits; taken before all others

	mu     sync.Mutex // guards the fields below; a seat's is taken before it
	seats  map[*ClientSlot]struct{}
	closed bool

	over chan struct{} // closed by Close
}

// New makes a pool without workers. Its goroutine watches their memory.
func New(o Options) *Pool {
	o.fill()
	p := &Pool{o: o, places: newPlaces(o.Workers), book: handle.NewBook(), seats: map[*ClientSlot]struct{}{}, over: make(chan struct{})}
	go p.watch(p.over)
	return p
}

// Limits are the options with their defaults filled in.
func (p *Pool) Limits() Options { return p.o }

// Status is what the pool does at this moment.
type Status struct {
	Workers, Waiting, Calls, GivenUp int
	Working                          int            // of the calls, those of tools
	Sessions                         map[string]int // of debugging, by language
}

// Status counts.
func (p *Pool) Status() Status {
	status := Status{Waiting: p.places.countWaiting(), Sessions: map[string]int{}}
	for _, s := range p.allSlots() {
		s.count(&status)
	}
	return status
}

// WorkingBeside counts the calls of tools that are under way at workers of other clients.
func (p *Pool) WorkingBeside(own *ClientSlot) int {
	status := Status{Sessions: map[string]int{}}
	for _, s := range p.allSlots() {
		if s != own {
			s.count(&status)
		}
	}
	return status.Working
}

func (p *Pool) allSlots() []*ClientSlot {
	p.mu.Lock()
	defer p.mu.Unlock()
	seats := make([]*ClientSlot, 0, len(p.seats))
	for s := range p.seats {
		seats = append(seats, s)
	}
	return seats
}

// Renew has what starts from now on go by rules that have changed. Workers that
// rest are ended for it, and the others when they begin to.
func (p *Pool) Renew() {
	p.age.Add(1)
	p.greetings.forget()
	for _, s := range p.allSlots() {
		s.mu.Lock()
		w := s.worker
		s.mu.Unlock()
		if w != nil {
			w.handleRest()
		}
	}
}

// Stir puts the end of a worker off that would be idle: a person is at work in it.
func (p *Pool) Stir(worker string) {
	for _, s := range p.allSlots() {
		s.mu.Lock()
		w := s.worker
		s.mu.Unlock()
		if w != nil && w.name == worker {
			w.stir()
		}
	}
}

// Close ends all workers, each with its sessions, until ctx ends; what is left then is killed.
func (p *Pool) Close(ctx context.Context) {
	p.mu.Lock()
	if !p.closed {
		p.closed = true
		close(p.over)
	}
	p.mu.Unlock()
	var ending sync.WaitGroup
	for _, s := range p.allSlots() {
		ending.Go(func() { s.close(ctx) })
	}
	ending.Wait()
}
