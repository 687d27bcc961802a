// Package store keeps what outlives a server, in one SQLite file of a user or in a
// PostgreSQL database that several machines share.
//
// Store is the account of what was used: one row for each call of each process. It
// holds who called what, how long it took and how much it was, and never what was
// asked or answered. Recording costs a call nothing: rows wait in memory and are
// written together. A store that cannot be reached holds nobody up, and is told of
// once.
//
// Attempts is the memory of changes that were tried. It does hold what was asked
// and answered: the change of the code as it was given, the hypothesis, and the
// failure's message, with whatever values of the program stand in them. It is read
// and written while the caller waits, for he must be told when nothing is remembered.
//
// The package knows nothing about debugging, and neither what a call is nor how a
// change is tried.
package store

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"time"
	"unicode"
)

// Options describe a store.
type Options struct {
	Place string        // path of the SQLite file, or postgres://…
	Keep  time.Duration // rows live this long; 0: DefaultKeep
	Log   *slog.Logger

	Batch time.Duration // rows wait this long for others; 0: half a second
	Busy  time.Duration // wait for a file that another process has locked; 0: five seconds
}

// DefaultKeep is how long rows are kept.
const DefaultKeep = 90 * 24 * time.Hour

const (
	defaultBatch = 500 * time.Millisecond
	defaultBusy  = 5 * time.Second
	maxBatch     = 500    // rows in one transaction
	maxWaiting   = 10_000 // rows in memory, while the store cannot be reached
	writeLimit   = 10 * time.Second
	maxBackoff   = time.Minute
	longestName  = 100 // characters of a text in a row
)

// Call is one row.
type Call struct {
	At                  time.Time
	Server              string // version
	Client, Principal   string
	Session, Language   string
	Tool, Code          string // the code of its error, empty when it succeeded
	Took                time.Duration
	BytesIn, BytesOut   int
	TokensIn, TokensOut int // estimated
}

// Store is the account. Its methods may be called from any goroutine; those of a
// nil store do nothing.
//
// Goroutines: one, from the first row on, which opens the store and writes.
type Store struct {
	o  Options
	at *file // where the rows go; the goroutine's own

	mu      sync.Mutex // guards the fields below, and is never held during I/O
	rows    []row
	last    int64 // number of the newest row
	written int64 // of the newest that has been written
	failure error // of the last attempt; nil when it succeeded
	dropped int   // rows that found no room
	running bool
	closed  bool
	tried   chan struct{} // closed and replaced after each attempt to write

	wake   chan struct{} // there are rows; has room for one
	hurry  chan struct{} // somebody waits for them; has room for one
	ending chan struct{} // closed by Close
	done   chan struct{} // closed when the goroutine has ended
}

// row is a call with its number. Together with the name of the writer that makes
// it a row of its own: writing it twice is writing it once.
type row struct {
	number int64
	Call
}

// New makes a store; nothing is opened before it is needed.
func New(o Options) *Store {
	o.Keep = cmp.Or(o.Keep, DefaultKeep)
	o.Batch = cmp.Or(o.Batch, defaultBatch)
	o.Busy = cmp.Or(o.Busy, defaultBusy)
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return &Store{
		o: o, at: &file{o: o, writer: newWriter()}, tried: make(chan struct{}),
		wake: make(chan struct{}, 1), hurry: make(chan struct{}, 1), ending: make(chan struct{}), done: make(chan struct{}),
	}
}

// Record notes a call. It never waits.
func (s *Store) Record(c Call) {
	if s == nil {
		return
	}
	c.Client, c.Principal, c.Session = clean(c.Client), clean(c.Principal), clean(c.Session) // the texts of others
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return
	}
	if len(s.rows) >= maxWaiting {
		s.dropped++
		return
	}
	s.last++
	s.rows = append(s.rows, row{s.last, c})
	if !s.running {
		s.running = true
		go s.run()
	}
	poke(s.wake)
}

// poke tells a goroutine that need not be there yet.
func poke(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// Flush writes what has been recorded; its error says why it could not.
func (s *Store) Flush(ctx context.Context) error {
	if s == nil {
		return nil
	}
	s.mu.Lock()
	want := s.last
	s.mu.Unlock()
	for first := true; ; first = false {
		s.mu.Lock()
		written, failure, tried := s.written, s.failure, s.tried
		s.mu.Unlock()
		switch {
		case written >= want:
			return nil
		case failure != nil && !first:
			return failure
		}
		poke(s.hurry)
		select {
		case <-tried:
		case <-s.done:
			return s.lossOf(want)
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// lossOf says why the row with a number was never written, if it was not.
func (s *Store) lossOf(number int64) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.written >= number {
		return nil
	}
	return s.failure
}

// Close writes what waits, until ctx ends. Nothing is recorded any more.
func (s *Store) Close(ctx context.Context) {
	if s == nil {
		return
	}
	s.mu.Lock()
	running := s.running
	if !s.closed {
		s.closed = true
		close(s.ending)
	}
	s.mu.Unlock()
	if !running {
		return
	}
	select {
	case <-s.done:
	case <-ctx.Done():
		s.o.Log.Warn("the last calls are missing in the account: it could not be written in time")
	}
}

// run writes rows together until the store is closed.
func (s *Store) run() {
	defer close(s.done)
	defer s.at.release()
	pause, failing := s.o.Batch, false
	for {
		if !failing {
			s.waitForRows()
		}
		s.pause(pause)
		err := s.writeAll()
		s.tell(err, failing)
		failing = err != nil
		switch {
		case errors.Is(err, ErrNewer), errors.Is(err, errBroken):
			s.giveUp()
			return
		case s.isOver(failing):
			return
		case failing:
			pause = min(2*pause, maxBackoff)
		default:
			pause = s.o.Batch
		}
	}
}

func (s *Store) waitForRows() {
	select {
	case <-s.wake:
	case <-s.hurry:
		poke(s.hurry) // for the pause
	case <-s.ending:
	}
}

// pause waits for more rows, unless somebody waits for those that are there.
func (s *Store) pause(d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-s.hurry:
	case <-s.ending:
	}
}

// tell says in the log what has become of an attempt, where that is news.
func (s *Store) tell(err error, failing bool) {
	switch {
	case err != nil && !failing:
		s.o.Log.Warn("the account of calls cannot be written; the calls go on", "error", err)
	case err == nil && failing:
		s.o.Log.Warn("the account of calls is written again")
	}
	s.mu.Lock()
	dropped := s.dropped
	if err == nil {
		s.dropped = 0
	}
	s.mu.Unlock()
	if err == nil && dropped > 0 {
		s.o.Log.Warn("calls are missing in the account: too many waited", "calls", dropped)
	}
}

// writeAll writes the rows that wait, so many at a time.
func (s *Store) writeAll() error {
	for {
		rows := s.take()
		if len(rows) == 0 {
			s.note(0, nil)
			return nil
		}
		err := s.at.write(rows)
		if err != nil {
			s.putBack(rows)
		}
		s.note(rows[len(rows)-1].number, err)
		if err != nil || len(rows) < maxBatch { // what has come meanwhile waits for others
			return err
		}
	}
}

// note tells those who wait what became of the rows up to a number.
func (s *Store) note(number int64, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.failure = err; err == nil {
		s.written = max(s.written, number)
	}
	close(s.tried)
	s.tried = make(chan struct{})
}

// take takes the oldest rows out.
func (s *Store) take() []row {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := min(len(s.rows), maxBatch)
	rows := s.rows[:n:n]
	if s.rows = s.rows[n:]; len(s.rows) == 0 {
		s.rows = nil // not the rest of an array that once was large
	}
	return rows
}

func (s *Store) putBack(rows []row) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.rows = append(rows, s.rows...)
}

// isOver says that nothing is left to do, or nothing can be done, at the end.
func (s *Store) isOver(failing bool) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.closed && (failing || len(s.rows) == 0)
}

// giveUp keeps no account any more.
func (s *Store) giveUp() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed, s.rows = true, nil
}

// clean is a text that every database takes and every terminal can show.
func clean(text string) string {
	if most := 4 * longestName; len(text) > most { // whatever its characters are
		text = strings.Clone(text[:most])
	}
	kept := 0
	return strings.Map(func(r rune) rune {
		if kept++; kept > longestName {
			return -1
		}
		if r == unicode.ReplacementChar || !unicode.IsPrint(r) {
			return '?'
		}
		return r
	}, text)
}
