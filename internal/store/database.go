package store

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib" // the driver "pgx"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// version is that of the tables. A newer server may make others.
const version = 1

// ErrNewer is a store that a newer server has made.
var ErrNewer = errors.New("the store was made by a newer aidb-mcp: use that one, or another --store")

// dialect is what differs between the databases.
type dialect struct {
	driver string
	schema []string
	insert string
	usage  string // one %s for the key
}

const columns = `(id, at, server, client, principal, session, language, tool, code, ms, bytes_in, bytes_out, tokens_in, tokens_out)`

const sums = `SELECT %s, COUNT(*), SUM(CASE WHEN code <> '' THEN 1 ELSE 0 END), SUM(ms), SUM(bytes_in), SUM(bytes_out), SUM(tokens_in), SUM(tokens_out)
	FROM calls WHERE at >= `

const order = ` GROUP BY 1 ORDER BY 2 DESC, 1`

var (
	liteDialect = dialect{
		driver: "sqlite",
		schema: tables("INTEGER", "REAL"),
		insert: `INSERT INTO calls ` + columns + ` VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?) ON CONFLICT (id) DO NOTHING`,
		usage:  sums + `?` + order,
	}
	postgresDialect = dialect{
		driver: "pgx",
		schema: tables("BIGINT", "DOUBLE PRECISION"),
		insert: `INSERT INTO calls ` + columns + ` VALUES ($1,$2,$3,$4,$5,$6,$7,$8,$9,$10,$11,$12,$13,$14) ON CONFLICT (id) DO NOTHING`,
		usage:  sums + `$1` + order,
	}
)

func tables(integer, real string) []string {
	return []string{
		`CREATE TABLE IF NOT EXISTS aidb_version (version ` + integer + ` NOT NULL)`,
		`CREATE TABLE IF NOT EXISTS calls (
			id TEXT PRIMARY KEY, at ` + integer + ` NOT NULL,
			server TEXT NOT NULL, client TEXT NOT NULL, principal TEXT NOT NULL,
			session TEXT NOT NULL, language TEXT NOT NULL, tool TEXT NOT NULL, code TEXT NOT NULL,
			ms ` + real + ` NOT NULL, bytes_in ` + integer + ` NOT NULL, bytes_out ` + integer + ` NOT NULL,
			tokens_in ` + integer + ` NOT NULL, tokens_out ` + integer + ` NOT NULL)`,
		`CREATE INDEX IF NOT EXISTS calls_at ON calls (at)`,
	}
}

// database is an open store.
type database struct {
	*sql.DB
	dialect *dialect
}

// open opens the store once; what is damaged is set aside.
func (s *Store) open(ctx context.Context) (*database, error) {
	s.opening.Lock()
	defer s.opening.Unlock()
	if s.db != nil {
		return s.db, nil
	}
	db, err := connect(ctx, s.o.Place)
	if isDamaged(err) {
		aside := s.o.Place + ".damaged-" + time.Now().UTC().Format("20060102T150405")
		if err := setAside(s.o.Place, aside); err != nil {
			return nil, err
		}
		s.o.Log.Warn("the store was damaged and has been set aside; a new one is made", "aside", aside, "error", err)
		db, err = connect(ctx, s.o.Place)
	}
	if err != nil {
		return nil, err
	}
	s.db = db
	s.prune(ctx, db)
	return db, nil
}

// isShared says that a place is a database of other machines, too.
func isShared(place string) bool {
	return strings.HasPrefix(place, "postgres://") || strings.HasPrefix(place, "postgresql://")
}

func connect(ctx context.Context, place string) (*database, error) {
	db := &database{dialect: &liteDialect}
	var err error
	if isShared(place) {
		db.dialect = &postgresDialect
		db.DB, err = sql.Open("pgx", place)
	} else {
		db.DB, err = openFile(place)
	}
	if err != nil {
		return nil, fmt.Errorf("opening the store: %w", withoutPassword(place, err))
	}
	db.SetMaxOpenConns(1) // one writes, and what it writes is small
	if err := db.prepare(ctx); err != nil {
		db.Close()
		return nil, fmt.Errorf("opening the store: %w", withoutPassword(place, err))
	}
	return db, nil
}

// openFile opens the file of this user, and of nobody else.
func openFile(path string) (*sql.DB, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, err
	}
	made, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	made.Close()
	pragmas := url.Values{"_pragma": {"busy_timeout(5000)", "journal_mode(WAL)", "synchronous(NORMAL)"}, "_txlock": {"immediate"}}
	return sql.Open("sqlite", (&url.URL{Scheme: "file", Opaque: (&url.URL{Path: path}).EscapedPath(), RawQuery: pragmas.Encode()}).String())
}

// prepare makes the tables where they are missing, and sees that they are ours.
func (db *database) prepare(ctx context.Context) error {
	return db.inTransaction(ctx, func(tx *sql.Tx) error {
		if db.dialect == &postgresDialect { // two that make a table at once would fail
			if _, err := tx.ExecContext(ctx, `SELECT pg_advisory_xact_lock(7203471)`); err != nil {
				return err
			}
		}
		for _, statement := range db.dialect.schema {
			if _, err := tx.ExecContext(ctx, statement); err != nil {
				return err
			}
		}
		var found sql.NullInt64
		if err := tx.QueryRowContext(ctx, `SELECT MAX(version) FROM aidb_version`).Scan(&found); err != nil {
			return err
		}
		switch {
		case !found.Valid:
			_, err := tx.ExecContext(ctx, fmt.Sprintf(`INSERT INTO aidb_version (version) VALUES (%d)`, version))
			return err
		case found.Int64 > version:
			return ErrNewer
		}
		return nil
	})
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

// prune removes rows that are too old.
func (s *Store) prune(ctx context.Context, db *database) {
	before := time.Now().Add(-s.o.Keep).UnixMilli()
	if _, err := db.ExecContext(ctx, fmt.Sprintf(`DELETE FROM calls WHERE at < %d`, before)); err != nil {
		s.o.Log.Warn("old calls could not be removed from the account", "error", err)
	}
}

// isDamaged says that a file is no store, or not a whole one.
func isDamaged(err error) bool {
	failed, ok := errors.AsType[*sqlite.Error](err)
	if !ok {
		return false
	}
	code := failed.Code() & 0xff
	return code == sqlite3.SQLITE_CORRUPT || code == sqlite3.SQLITE_NOTADB
}

// setAside moves a store with what belongs to it out of the way.
func setAside(from, to string) error {
	for _, suffix := range []string{"-wal", "-shm"} {
		if err := os.Rename(from+suffix, to+suffix); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	return os.Rename(from, to)
}

// withoutPassword keeps the address of a database out of logs.
func withoutPassword(place string, err error) error {
	u, parsed := url.Parse(place)
	if parsed != nil || u.User == nil {
		return err
	}
	if password, ok := u.User.Password(); ok && password != "" {
		return errors.New(strings.ReplaceAll(err.Error(), password, "…"))
	}
	return err
}

func newName() string { return rand.Text() }
