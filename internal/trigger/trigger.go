// Package trigger sends one thing that makes a program do something: an HTTP request, a
// command that is run beside it, or a text for its standard input. It says what came of it, as
// far as that is known at any moment: a request has no answer while a debugger holds the program.
//
// It knows nothing of sessions and debuggers; whose address may be called it is told.
package trigger

import (
	"cmp"
	"context"
	"log/slog"
	"net/netip"
	"sync"
	"time"
	"unicode/utf8"
)

// Request is what is sent: one of the three.
type Request struct {
	HTTP    *HTTP
	Command []string
	Stdin   *string
}

// Options say how it is sent.
type Options struct {
	What string   // what is sent, in a few words; empty: Request.String
	Dir  string   // in which a command runs
	Env  []string // of a command
	Hide func(string) string
	Log  *slog.Logger

	// Addresses are those that the name in a request led to when it was checked: no others are
	// called, whatever the name leads to later. None: the name is looked up.
	Addresses []netip.AddrPort
	// Allowed says whether an address may be called.
	Allowed func(netip.AddrPort) bool
	// Patience is how long a request is tried again while nobody listens yet.
	Patience time.Duration
	// Input gives the program a text. It returns when the program has taken it.
	Input func(ctx context.Context, text string) error
}

// Outcome is what came of it.
type Outcome struct {
	Sent       string // what it was, in a few words
	Pending    bool   // there is no answer yet
	Took       time.Duration
	Status     int    // of an HTTP answer, 0: there is none
	ExitCode   *int   // of a command that has exited
	Signal     string // that has ended a command
	FirstBytes string // of the answer, or of what a command has written to its standard output
	Cut        bool   // there is more than that
	Unended    bool   // the answer has begun, and had not ended when this was asked
	Redirect   string // where the answer sends its client, which is not followed
	Stderr     string // the end of what a command that failed has written there
	Err        error  // why there is no answer
	Unreached  bool   // nobody was there to take it
}

// firstBytes is how much of an answer is kept, and lastBytes of a failed command's errors.
const (
	firstBytes = 1000
	lastBytes  = 500
)

// Sent is a trigger on its way. All methods may be called from any goroutine.
type Sent struct {
	what    string
	began   time.Time
	cancel  context.CancelCauseFunc
	done    chan struct{} // closed when it is answered, or failed
	ended   chan struct{} // closed when nothing of it is left
	settled sync.Once

	mu      sync.Mutex // guards outcome
	outcome Outcome
}

// Send sends a request that Check has found good. It ends with ctx.
func Send(ctx context.Context, r Request, o Options) *Sent {
	if o.Hide == nil {
		o.Hide = func(s string) string { return s }
	}
	s := &Sent{what: cmp.Or(o.What, r.String()), began: time.Now(), done: make(chan struct{}), ended: make(chan struct{})}
	s.outcome.Pending = true
	ctx, s.cancel = context.WithCancelCause(ctx)
	// It owns the request, the command or the text, and ends with that, or with ctx.
	go func() {
		defer close(s.ended)
		defer s.settle()
		defer s.cancel(nil)
		switch {
		case r.HTTP != nil:
			s.request(ctx, *r.HTTP, o)
		case len(r.Command) > 0:
			s.run(ctx, r.Command, o)
		case r.Stdin != nil:
			s.write(ctx, *r.Stdin, o)
		}
	}()
	return s
}

// Done is closed when it is answered, or has failed. More of an answer may come after that.
func (s *Sent) Done() <-chan struct{} { return s.done }

// IsOver says that nothing of it is left.
func (s *Sent) IsOver() bool {
	select {
	case <-s.ended:
		return true
	default:
		return false
	}
}

// End gives it up, and waits until nothing of it is left.
func (s *Sent) End(why error) {
	s.cancel(why)
	<-s.ended
}

// Outcome is what is known now.
func (s *Sent) Outcome() Outcome {
	s.mu.Lock()
	defer s.mu.Unlock()
	o := s.outcome
	o.Sent = s.what
	if o.Pending {
		o.Took = time.Since(s.began)
	}
	return o
}

// answer notes what is known of the answer. The first time that it is, the time is taken.
func (s *Sent) answer(note func(o *Outcome)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.outcome.Pending {
		s.outcome.Pending, s.outcome.Took = false, time.Since(s.began)
	}
	note(&s.outcome)
}

// fail notes why there is no answer, or no more of one that has begun.
func (s *Sent) fail(err error, unreached bool) {
	s.answer(func(o *Outcome) { o.Err, o.Unreached, o.Unended = err, unreached, false })
}

func (s *Sent) settle() { s.settled.Do(func() { close(s.done) }) }

// write gives the program a text.
func (s *Sent) write(ctx context.Context, text string, o Options) {
	if err := o.Input(ctx, text); err != nil {
		s.fail(err, true)
		return
	}
	s.answer(func(*Outcome) {})
}

// shownText is the beginning of a text that may be no text: what is none is said to be none.
func shownText(text []byte, max int) (shown string, cut bool) {
	if cut = len(text) > max; cut {
		text = text[:max]
		for n := 0; n < utf8.UTFMax && !utf8.Valid(text); n++ { // a character that was cut through
			text = text[:len(text)-1]
		}
	}
	if !utf8.Valid(text) {
		return "(no text)", cut
	}
	return string(text), cut
}
