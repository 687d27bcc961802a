// Package store keeps the account of what was used: one row for each call of
// each process of a user, in one SQLite file or in a PostgreSQL database that
// several machines share. It holds who called what, how long it took and how
// much it was, and never what was asked or answered.
//
// Recording costs a call nothing: rows wait in memory and are written together.
// A store that cannot be reached holds nobody up.
package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"
)

// Options describe a store.
type Options struct {
	Place string        // path of the SQLite file, or postgres://…
	Keep  time.Duration // rows live this long; 0: 90 days
	Log   *slog.Logger

	Batch time.Duration // rows wait this long for others; 0: half a second
}

// DefaultKeep is how long rows are kept.
const DefaultKeep = 90 * 24 * time.Hour

const (
	defaultBatch = 500 * time.Millisecond
	maxBatch     = 500    // rows in one transaction
	maxWaiting   = 10_000 // rows in memory, while the store cannot be reached
	writeLimit   = 10 * time.Second
	maxBackoff   = time.Minute
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

// Store is the account. Its methods may be called from any goroutine.
//
// Goroutines: one, from the first row on, which opens the store and writes.
type Store struct {
	o      Options
	writer string // the name of this process's rows

	mu      sync.Mutex // guards the fields below
	rows    []row
	last    int64 // number of the newest row
	dropped int   // rows that found no room
	running bool
	closed  bool
	wake    chan struct{} // has room for one
	ending  chan struct{} // closed by Close
	done    chan struct{} // closed when everything is written, after Close

	opening sync.Mutex // guards the field below
	db      *database
}

// row is a call under a name of its own, so that writing it twice is writing it once.
type row struct {
	id string
	Call
}

// New makes a store; nothing is opened before it is needed.
func New(o Options) *Store {
	if o.Keep == 0 {
		o.Keep = DefaultKeep
	}
	if o.Batch == 0 {
		o.Batch = defaultBatch
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return &Store{o: o, writer: newName(), wake: make(chan struct{}, 1), ending: make(chan struct{}), done: make(chan struct{})}
}

// Record notes a call. It never waits. A nil store records nothing.
func (s *Store) Record(c Call) {
	if s == nil {
		return
	}
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
	s.rows = append(s.rows, row{fmt.Sprintf("%s-%d", s.writer, s.last), c})
	if !s.running {
		s.running = true
		go s.run()
	}
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// Close writes what waits, until ctx ends.
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
	if running {
		select {
		case <-s.done:
		case <-ctx.Done():
			s.o.Log.Warn("the account of the last calls was not written", "why", context.Cause(ctx))
		}
	}
	s.opening.Lock()
	defer s.opening.Unlock()
	if s.db != nil {
		s.db.Close()
	}
}

// run writes rows together until the store is closed and nothing waits.
func (s *Store) run() {
	defer close(s.done)
	backoff := s.o.Batch
	for {
		select {
		case <-s.wake:
		case <-s.ending:
		}
		batch := time.NewTimer(s.o.Batch)
		select {
		case <-batch.C:
		case <-s.ending:
			batch.Stop()
		}
		for {
			rows, closed := s.take()
			if len(rows) == 0 {
				if closed {
					return
				}
				break
			}
			err := s.write(rows)
			if err == nil {
				backoff = s.o.Batch
				continue
			}
			s.o.Log.Warn("the account of calls cannot be written", "rows", len(rows), "error", err)
			if errors.Is(err, ErrNewer) || closed {
				s.giveUp()
				return
			}
			s.putBack(rows)
			timer := time.NewTimer(backoff)
			select {
			case <-timer.C:
			case <-s.ending:
				timer.Stop()
			}
			backoff = min(2*backoff, maxBackoff)
		}
	}
}

// take takes the oldest rows out.
func (s *Store) take() (rows []row, closed bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := min(len(s.rows), maxBatch)
	rows = s.rows[:n:n]
	s.rows = s.rows[n:]
	if s.dropped > 0 {
		s.o.Log.Warn("calls are missing in the account: it could not be written in time", "calls", s.dropped)
		s.dropped = 0
	}
	return rows, s.closed
}

func (s *Store) putBack(rows []row) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.rows = append(rows, s.rows...)
}

// giveUp keeps no account any more.
func (s *Store) giveUp() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed, s.rows = true, nil
}

// write writes rows in one transaction.
func (s *Store) write(rows []row) error {
	ctx, cancel := context.WithTimeout(context.Background(), writeLimit)
	defer cancel()
	db, err := s.open(ctx)
	if err != nil {
		return err
	}
	return db.inTransaction(ctx, func(tx *sql.Tx) error {
		insert, err := tx.PrepareContext(ctx, db.dialect.insert)
		if err != nil {
			return err
		}
		defer insert.Close()
		for _, r := range rows {
			if _, err := insert.ExecContext(ctx, r.id, r.At.UnixMilli(), r.Server, r.Client, r.Principal, r.Session, r.Language,
				r.Tool, r.Code, float64(r.Took.Microseconds())/1000, r.BytesIn, r.BytesOut, r.TokensIn, r.TokensOut); err != nil {
				return err
			}
		}
		return nil
	})
}
