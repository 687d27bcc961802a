package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"slices"
	"strings"
	"time"
)

// Keys are what usage can be told by.
var Keys = []string{"tool", "client", "language", "session", "principal"}

// readLimit is for a database that does not answer.
const readLimit = 15 * time.Second

// Usage is what was used under one value of a key. As JSON it is an object whose
// first member has the key's own name.
type Usage struct {
	By, Value           string
	Began               time.Time // the first call of a session, whose name other servers may use, too
	Calls, Failed       int64
	Ms                  float64
	BytesIn, BytesOut   int64
	TokensIn, TokensOut int64
}

// MarshalJSON writes the members in the order of Columns.
func (u Usage) MarshalJSON() ([]byte, error) {
	key, err := json.Marshal(u.Value)
	if err != nil {
		return nil, err
	}
	rest, err := json.Marshal(struct {
		Began     *time.Time `json:"began,omitempty"`
		Calls     int64      `json:"calls"`
		Failed    int64      `json:"failed"`
		Ms        float64    `json:"ms"`
		BytesIn   int64      `json:"bytes_in"`
		BytesOut  int64      `json:"bytes_out"`
		TokensIn  int64      `json:"tokens_in"`
		TokensOut int64      `json:"tokens_out"`
	}{u.began(), u.Calls, u.Failed, u.Ms, u.BytesIn, u.BytesOut, u.TokensIn, u.TokensOut})
	if err != nil {
		return nil, err
	}
	return fmt.Appendf(nil, `{%q:%s,%s`, u.By, key, rest[1:]), nil
}

func (u Usage) began() *time.Time {
	if u.Began.IsZero() {
		return nil
	}
	return &u.Began
}

// Usage adds up the calls since a time, by one of Keys, the most called first.
// What this process has recorded is among them.
func (s *Store) Usage(ctx context.Context, since time.Time, by string) ([]Usage, error) {
	if s == nil {
		return nil, errors.New("no account is kept")
	}
	if err := s.Flush(ctx); err != nil {
		return nil, err
	}
	return Read(ctx, s.o.Place, since, by)
}

// Read is Usage of a place. It makes and changes nothing: where there is no store
// nothing was used.
func Read(ctx context.Context, place string, since time.Time, by string) ([]Usage, error) {
	if !slices.Contains(Keys, by) {
		return nil, fmt.Errorf("usage is told by %s, not by %q", strings.Join(Keys, ", "), by)
	}
	ctx, cancel := context.WithTimeout(ctx, readLimit)
	defer cancel()
	all, err := read(ctx, place, since, by)
	switch {
	case isDamaged(err):
		return nil, fmt.Errorf("store %s: it is damaged (%w); a server that writes to it sets it aside and makes a new one", place, err)
	case err != nil:
		return nil, fmt.Errorf("store %s: %w", Shown(place), withoutPassword(place, err))
	}
	slices.SortStableFunc(all, func(a, b Usage) int {
		if a.Calls != b.Calls {
			return int(b.Calls - a.Calls)
		}
		if order := strings.Compare(a.Value, b.Value); order != 0 {
			return order
		}
		return b.Began.Compare(a.Began)
	})
	return all, nil
}

func read(ctx context.Context, place string, since time.Time, by string) ([]Usage, error) {
	var all []Usage
	err := withReader(ctx, Options{Place: place, Busy: defaultBusy}, func(ctx context.Context, db *database) (err error) {
		all, err = db.usage(ctx, since, by)
		return err
	})
	return all, err
}

func (db *database) usage(ctx context.Context, since time.Time, by string) ([]Usage, error) {
	rows, err := db.QueryContext(ctx, db.sums(by), since.UnixMilli())
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var all []Usage
	for rows.Next() {
		u := Usage{By: by}
		var began int64
		if err := rows.Scan(&u.Value, &began, &u.Calls, &u.Failed, &u.Ms, &u.BytesIn, &u.BytesOut, &u.TokensIn, &u.TokensOut); err != nil {
			return nil, err
		}
		if u.Ms = math.Round(u.Ms*1000) / 1000; by == "session" && u.Value != "" {
			u.Began = time.UnixMilli(began).UTC()
		}
		all = append(all, u)
	}
	return all, rows.Err()
}

// withReader does a job that changes nothing; where there is no store it does none.
func withReader(ctx context.Context, o Options, j job) error {
	return recoverFaults(func() error {
		db, err := look(o)
		if db == nil {
			return err
		}
		defer db.Close()
		if found, err := db.tablesVersion(ctx); err != nil || found == 0 {
			return err
		}
		return j(ctx, db)
	})
}

// look opens a place for reading; nil where there is none.
func look(o Options) (*database, error) {
	if IsShared(o.Place) {
		return openShared(o.Place)
	}
	if _, err := os.Lstat(o.Place); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err := secure(o.Place); err != nil {
		return nil, err
	}
	return openFile(o, true)
}

// sums adds up the calls by a key. Each server counts its sessions from one: that
// two have the same name does not make them one.
func (d *dialect) sums(by string) string {
	group := by
	if by == "session" {
		group = "session, CASE WHEN session = '' THEN 0 ELSE writer END"
	}
	return fmt.Sprintf(`SELECT %s, MIN(at), COUNT(*), SUM(CASE WHEN code <> '' THEN 1 ELSE 0 END), SUM(ms),
		SUM(bytes_in), SUM(bytes_out), SUM(tokens_in), SUM(tokens_out)
		FROM aidb_calls WHERE at >= %s GROUP BY %s`, by, d.since, group)
}
