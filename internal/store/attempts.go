package store

import (
	"cmp"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync/atomic"
	"time"

	"aidb-mcp/internal/changes/attempts"
)

// KeepAttempts is how long attempts are kept.
const KeepAttempts = 365 * 24 * time.Hour

const (
	attemptLimit = 15 * time.Second // for a store that does not answer, not for a machine that is slow
	attemptBusy  = 3 * time.Second  // wait for another process: less, so that its error is the one that is told
	longestID    = 200              // bytes of a text that is only compared
)

// Attempts keeps attempts beside the account, in the same place. Nothing is open
// between its calls, which are rare: there is nothing to close. Its methods may be
// called from any goroutine, and each ends within seconds.
type Attempts struct {
	o      Options
	turn   chan struct{} // has room for those that may write at once
	broken atomic.Bool   // see errBroken
}

var _ attempts.Memory = (*Attempts)(nil)

// NewAttempts makes a memory; nothing is made or opened before it is needed.
func NewAttempts(o Options) *Attempts {
	o.Keep = cmp.Or(o.Keep, KeepAttempts)
	o.Busy = cmp.Or(o.Busy, attemptBusy)
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	writers := 1 // of a file: they would wait for each other, and whom SQLite lets wait is chance
	if IsShared(o.Place) {
		writers = 4 // connections
	}
	return &Attempts{o: o, turn: make(chan struct{}, writers)}
}

const attemptColumns = `problem, mark, n, at, hypothesis, change, result, failure, signature`

// attemptTables: the mark is the attempt's key, which is no name for a column.
func attemptTables(integer string) []string {
	return []string{
		`CREATE TABLE IF NOT EXISTS aidb_attempts (
			problem TEXT NOT NULL, mark TEXT NOT NULL, n ` + integer + ` NOT NULL, at ` + integer + ` NOT NULL,
			hypothesis TEXT NOT NULL, change TEXT NOT NULL, result TEXT NOT NULL, failure TEXT NOT NULL, signature TEXT NOT NULL,
			PRIMARY KEY (problem, mark))`,
		`CREATE INDEX IF NOT EXISTS aidb_attempts_at ON aidb_attempts (at)`,
		`CREATE INDEX IF NOT EXISTS aidb_attempts_signature ON aidb_attempts (signature)`,
		`CREATE TABLE IF NOT EXISTS aidb_problems (
			problem TEXT NOT NULL PRIMARY KEY, workspace TEXT NOT NULL, at ` + integer + ` NOT NULL, start TEXT NOT NULL)`,
	}
}

// List is that of attempts.Memory.
func (m *Attempts) List(ctx context.Context, problem string) ([]attempts.Attempt, error) {
	return m.query(ctx, `problem = $2 ORDER BY n`, id(problem))
}

// Solved is that of attempts.Memory.
func (m *Attempts) Solved(ctx context.Context, signature, except string) (*attempts.Attempt, error) {
	if signature == "" {
		return nil, nil
	}
	found, err := m.query(ctx, `signature = $2 AND problem <> $3 AND result = $4 ORDER BY at DESC, n DESC LIMIT 1`, id(signature), id(except), attempts.Passed)
	if err != nil || len(found) == 0 {
		return nil, err
	}
	return &found[0], nil
}

// Add is that of attempts.Memory.
func (m *Attempts) Add(ctx context.Context, a *attempts.Attempt) error {
	kept := a.Bounded()
	return m.write(ctx, func(ctx context.Context, db *database) error {
		return db.inTransaction(ctx, func(tx *sql.Tx) (err error) {
			a.N, err = m.add(ctx, tx, db.lock, &kept)
			return err
		})
	})
}

// add adds one, and returns its number; nobody else writes attempts meanwhile.
func (m *Attempts) add(ctx context.Context, tx *sql.Tx, lock string, a *attempts.Attempt) (n int, err error) {
	if lock != "" {
		if _, err := tx.ExecContext(ctx, lock); err != nil {
			return 0, err
		}
	}
	if _, err := tx.ExecContext(ctx, `DELETE FROM aidb_attempts WHERE at < $1`, m.oldest()); err != nil {
		return 0, err
	}
	problem := id(a.Problem)
	if err := tx.QueryRowContext(ctx, `SELECT COALESCE(MAX(n), 0) + 1 FROM aidb_attempts WHERE problem = $1`, problem).Scan(&n); err != nil {
		return 0, err
	}
	err = tx.QueryRowContext(ctx, `INSERT INTO aidb_attempts (`+attemptColumns+`) VALUES ($1,$2,$3,$4,$5,$6,$7,$8,$9)
		ON CONFLICT (problem, mark) DO UPDATE SET at = excluded.at, hypothesis = excluded.hypothesis, change = excluded.change,
			result = excluded.result, failure = excluded.failure, signature = excluded.signature
		RETURNING n`,
		problem, id(a.Key), n, a.At.UnixMilli(), a.Hypothesis, string(a.Change), id(a.Result), string(a.Failure), id(a.Signature)).Scan(&n)
	if err != nil {
		return 0, err
	}
	_, err = tx.ExecContext(ctx, `DELETE FROM aidb_attempts WHERE problem = $1
		AND n < (SELECT n FROM aidb_attempts WHERE problem = $1 ORDER BY n DESC LIMIT 1 OFFSET $2)`, problem, attempts.MostOfProblem-1)
	return n, err
}

// Forget is that of attempts.Memory. Where there is nothing to forget nothing is made.
func (m *Attempts) Forget(ctx context.Context, problem string) (int, error) {
	known, err := m.List(ctx, problem)
	if err != nil || len(known) == 0 {
		return 0, err
	}
	err = m.write(ctx, func(ctx context.Context, db *database) error {
		_, err := db.ExecContext(ctx, `DELETE FROM aidb_attempts WHERE problem = $1`, id(problem))
		if err == nil {
			_, err = db.ExecContext(ctx, `DELETE FROM aidb_problems WHERE problem = $1`, id(problem))
		}
		return err
	})
	if err != nil {
		return 0, err
	}
	return len(known), nil
}

// oldest is the time of the oldest that still count.
func (m *Attempts) oldest() int64 { return time.Now().Add(-m.o.Keep).UnixMilli() }

// query reads those that a condition on its second and further parameters selects.
func (m *Attempts) query(ctx context.Context, where string, parameters ...any) ([]attempts.Attempt, error) {
	var found []attempts.Attempt
	err := m.withTimeout(ctx, func(ctx context.Context) error {
		return withReader(ctx, m.o, func(ctx context.Context, db *database) (err error) {
			rows, err := db.QueryContext(ctx, `SELECT `+attemptColumns+` FROM aidb_attempts WHERE at >= $1 AND `+where, append([]any{m.oldest()}, parameters...)...)
			if err != nil {
				return err
			}
			defer rows.Close()
			found, err = scanAttempts(rows)
			return err
		})
	})
	switch {
	case isMissing(err): // nothing was ever tried
		return nil, nil
	case isDamaged(err):
		return nil, fmt.Errorf("store %s: it is damaged (%w); what is written next sets it aside and makes a new one", m.o.Place, err)
	case err != nil:
		return nil, fmt.Errorf("store %s: %w", Shown(m.o.Place), withoutPassword(m.o.Place, explainError(err)))
	}
	return found, nil
}

func scanAttempts(rows *sql.Rows) ([]attempts.Attempt, error) {
	var found []attempts.Attempt
	for rows.Next() {
		var a attempts.Attempt
		var at int64
		var change, failure string
		if err := rows.Scan(&a.Problem, &a.Key, &a.N, &at, &a.Hypothesis, &change, &a.Result, &failure, &a.Signature); err != nil {
			return nil, err
		}
		a.At, a.Change, a.Failure = time.UnixMilli(at).UTC(), rawOf(change), rawOf(failure)
		found = append(found, a)
	}
	return found, rows.Err()
}

func rawOf(text string) json.RawMessage {
	if text == "" {
		return nil
	}
	return json.RawMessage(text)
}

// write does a job that changes something.
func (m *Attempts) write(ctx context.Context, j job) error {
	return m.withTimeout(ctx, func(ctx context.Context) error {
		select {
		case m.turn <- struct{}{}:
			defer func() { <-m.turn }()
		case <-ctx.Done():
			return fmt.Errorf("store %s: %w", Shown(m.o.Place), explainError(context.Cause(ctx)))
		}
		at := file{o: m.o}
		defer at.release()
		return at.do(ctx, func(ctx context.Context, db *database) error {
			err := j(ctx, db)
			if isMissing(err) { // an older server, which knows no attempts, has made the store
				if err = db.makeTables(ctx); err == nil {
					err = j(ctx, db)
				}
			}
			return err
		})
	})
}

// withTimeout lets nothing take longer than it may.
func (m *Attempts) withTimeout(ctx context.Context, do func(context.Context) error) error {
	if m.broken.Load() {
		return fmt.Errorf("store %s: %w", Shown(m.o.Place), errBroken)
	}
	ctx, cancel := context.WithTimeout(ctx, attemptLimit)
	defer cancel()
	err := do(ctx)
	if errors.Is(err, errBroken) {
		m.broken.Store(true)
	}
	return err
}

// id is a text that is only compared, as a key of any database takes it.
func id(text string) string {
	if len(text) <= longestID && strings.ToValidUTF8(text, "") == text && !strings.Contains(text, "\x00") {
		return text
	}
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}
