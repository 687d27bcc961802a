package store

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Keys are what usage can be told by.
var Keys = []string{"tool", "client", "language", "session", "principal"}

// Usage is what was used under one key.
type Usage struct {
	Key               string
	Calls, Failed     int64
	Ms                float64
	BytesIn, BytesOut int64
	TokensIn          int64
	TokensOut         int64
}

// Usage adds up the calls since a time, by one of Keys, the most called first.
func (s *Store) Usage(ctx context.Context, since time.Time, by string) ([]Usage, error) {
	if !slices.Contains(Keys, by) {
		return nil, errors.New("usage is told by " + strings.Join(Keys, ", "))
	}
	db, err := s.open(ctx)
	if err != nil {
		return nil, err
	}
	rows, err := db.QueryContext(ctx, fmt.Sprintf(db.dialect.usage, by), since.UnixMilli())
	if err != nil {
		return nil, fmt.Errorf("reading the account: %w", err)
	}
	defer rows.Close()
	var all []Usage
	for rows.Next() {
		var u Usage
		if err := rows.Scan(&u.Key, &u.Calls, &u.Failed, &u.Ms, &u.BytesIn, &u.BytesOut, &u.TokensIn, &u.TokensOut); err != nil {
			return nil, fmt.Errorf("reading the account: %w", err)
		}
		all = append(all, u)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("reading the account: %w", err)
	}
	return all, nil
}
