package store

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"aidb-mcp/internal/changes/attempts"
)

// A store that finds no room says so, and keeps what it has.
func TestAttemptsInAFullStore(t *testing.T) {
	m := NewAttempts(Options{Place: filepath.Join(t.TempDir(), "aidb.db")})
	a := attempts.Attempt{Problem: "p", Key: "1"}
	if err := m.Add(t.Context(), &a); err != nil {
		t.Fatal(err)
	}
	a.Key, a.Change = "2", []byte(`"`+strings.Repeat("a", attempts.LongestChange/2)+`"`)
	err := m.write(t.Context(), func(ctx context.Context, db *database) error {
		if _, err := db.ExecContext(ctx, `PRAGMA max_page_count = 1`); err != nil { // no more than it has
			return err
		}
		tx, err := db.BeginTx(ctx, nil)
		if err != nil {
			return err
		}
		defer tx.Rollback()
		_, err = m.add(ctx, tx, db.lock, &a)
		return err
	})
	if err == nil || !strings.Contains(err.Error(), "there is no room left for it") || !strings.Contains(err.Error(), m.o.Place) {
		t.Errorf("adding: %v", err)
	}
	if got, err := m.List(t.Context(), "p"); len(got) != 1 || err != nil {
		t.Errorf("it has %d, %v", len(got), err)
	}
}

// What fails inside the driver is an error, and the store is left alone from then on.
func TestAttemptsAfterAFaultInside(t *testing.T) {
	m := NewAttempts(Options{Place: filepath.Join(t.TempDir(), "aidb.db")})
	err := m.write(t.Context(), func(context.Context, *database) error { panic("inside") })
	if err == nil || !strings.Contains(err.Error(), errBroken.Error()) {
		t.Errorf("at once: %v", err)
	}
	if _, err := m.List(t.Context(), "p"); err == nil || !strings.Contains(err.Error(), errBroken.Error()) {
		t.Errorf("later: %v", err)
	}
}
