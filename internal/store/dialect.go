package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"
)

// version is that of what every server has to understand: an older one leaves a
// store with a higher one alone. So it is not raised by a table that is added
// beside the others (aidb_attempts was): older servers go on with theirs, and who
// needs the new one makes it where it is missing. Other columns of attempts would
// be another table.
const version = 1

// ErrNewer is a store that a newer server has made.
var ErrNewer = errors.New("it was made by a newer aidb-mcp: use that one, or another --store")

// dialect is what differs between the databases.
type dialect struct {
	driver string
	lock   string // a statement that lets one process at a time make the tables
	tables []string
	insert string
	since  string // how the first parameter is written
}

const columns = `(writer, number, at, server, client, principal, session, language, tool, code, ms, bytes_in, bytes_out, tokens_in, tokens_out)`

var (
	liteDialect = dialect{
		driver: "sqlite",
		tables: tables("INTEGER", "REAL", " WITHOUT ROWID"),
		insert: `INSERT INTO aidb_calls ` + columns + ` VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?) ON CONFLICT DO NOTHING`,
		since:  `?`,
	}
	postgresDialect = dialect{
		driver: "pgx",
		lock:   `SELECT pg_advisory_xact_lock(7203471)`,
		tables: tables("BIGINT", "DOUBLE PRECISION", ""),
		insert: `INSERT INTO aidb_calls ` + columns + ` VALUES ($1,$2,$3,$4,$5,$6,$7,$8,$9,$10,$11,$12,$13,$14,$15) ON CONFLICT DO NOTHING`,
		since:  `$1`,
	}
)

func tables(integer, real, kind string) []string {
	return append([]string{
		`CREATE TABLE IF NOT EXISTS aidb_version (version ` + integer + ` NOT NULL)`,
		`CREATE TABLE IF NOT EXISTS aidb_calls (
			writer ` + integer + ` NOT NULL, number ` + integer + ` NOT NULL, at ` + integer + ` NOT NULL,
			server TEXT NOT NULL, client TEXT NOT NULL, principal TEXT NOT NULL,
			session TEXT NOT NULL, language TEXT NOT NULL, tool TEXT NOT NULL, code TEXT NOT NULL,
			ms ` + real + ` NOT NULL, bytes_in ` + integer + ` NOT NULL, bytes_out ` + integer + ` NOT NULL,
			tokens_in ` + integer + ` NOT NULL, tokens_out ` + integer + ` NOT NULL,
			PRIMARY KEY (writer, number))` + kind,
		`CREATE INDEX IF NOT EXISTS aidb_calls_at ON aidb_calls (at)`,
	}, attemptTables(integer)...)
}

// database is an open store.
type database struct {
	*sql.DB
	*dialect
}

// tablesVersion is the version of the tables, 0 where there are none.
func (db *database) tablesVersion(ctx context.Context) (int64, error) {
	var found sql.NullInt64
	err := db.QueryRowContext(ctx, `SELECT MAX(version) FROM aidb_version`).Scan(&found)
	if err != nil && isMissing(err) {
		return 0, nil
	}
	if found.Int64 > version {
		return found.Int64, ErrNewer
	}
	return found.Int64, err
}

// makeTables makes what is missing.
func (db *database) makeTables(ctx context.Context) error {
	return db.inTransaction(ctx, func(tx *sql.Tx) error {
		statements := db.tables
		if db.lock != "" {
			statements = append([]string{db.lock}, statements...)
		}
		// Another process may have been faster.
		statements = append(statements, fmt.Sprintf(`INSERT INTO aidb_version (version) SELECT %d WHERE NOT EXISTS (SELECT 1 FROM aidb_version)`, version))
		for _, statement := range statements {
			if _, err := tx.ExecContext(ctx, statement); err != nil {
				return err
			}
		}
		return nil
	})
}

// add writes rows, in one transaction. Those that are there already stay as they are.
func (db *database) add(ctx context.Context, writer int64, rows []row) error {
	return db.inTransaction(ctx, func(tx *sql.Tx) error {
		insert, err := tx.PrepareContext(ctx, db.insert)
		if err != nil {
			return err
		}
		defer insert.Close()
		for _, r := range rows {
			if _, err := insert.ExecContext(ctx, writer, r.number, r.At.UnixMilli(), r.Server, r.Client, r.Principal,
				r.Session, r.Language, r.Tool, r.Code, float64(r.Took.Microseconds())/1000,
				r.BytesIn, r.BytesOut, r.TokensIn, r.TokensOut); err != nil {
				return err
			}
		}
		return nil
	})
}

// prune removes the rows that are older than a time.
func (db *database) prune(ctx context.Context, before time.Time) error {
	_, err := db.ExecContext(ctx, `DELETE FROM aidb_calls WHERE at < `+db.since, before.UnixMilli())
	return err
}

func (db *database) inTransaction(ctx context.Context, do func(*sql.Tx) error) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	if err := do(tx); err != nil {
		_ = tx.Rollback() // the error is that of do
		return err
	}
	return tx.Commit()
}
