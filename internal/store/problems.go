package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"aidb-mcp/internal/changes/attempts"
)

// Begin is that of attempts.Memory.
func (m *Attempts) Begin(ctx context.Context, p attempts.Problem) error {
	kept := p.Bounded()
	return m.write(ctx, func(ctx context.Context, db *database) error {
		return db.inTransaction(ctx, func(tx *sql.Tx) error {
			if _, err := tx.ExecContext(ctx, `DELETE FROM aidb_problems WHERE at < $1`, m.oldest()); err != nil {
				return err
			}
			_, err := tx.ExecContext(ctx, `INSERT INTO aidb_problems (problem, workspace, at, start) VALUES ($1,$2,$3,$4)
				ON CONFLICT (problem) DO UPDATE SET workspace = excluded.workspace, at = excluded.at, start = excluded.start`,
				id(kept.ID), id(kept.Workspace), kept.At.UnixMilli(), string(kept.Check))
			return err
		})
	})
}

// Latest is that of attempts.Memory.
func (m *Attempts) Latest(ctx context.Context, workspace string) (*attempts.Problem, error) {
	p := &attempts.Problem{Workspace: workspace}
	err := m.withTimeout(ctx, func(ctx context.Context) error {
		return withReader(ctx, m.o, func(ctx context.Context, db *database) error {
			var at int64
			var check string
			err := db.QueryRowContext(ctx, `SELECT problem, at, start FROM aidb_problems WHERE workspace = $1 AND at >= $2 ORDER BY at DESC LIMIT 1`, id(workspace), m.oldest()).
				Scan(&p.ID, &at, &check)
			p.At, p.Check = time.UnixMilli(at).UTC(), rawOf(check)
			return err
		})
	})
	switch {
	case errors.Is(err, sql.ErrNoRows) || isMissing(err): // nothing was ever tried
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("store %s: %w", Shown(m.o.Place), withoutPassword(m.o.Place, explainError(err)))
	}
	if p.ID == "" { // there is no store yet
		return nil, nil
	}
	return p, nil
}
