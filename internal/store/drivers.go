package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// idle is how long a connection is kept that nobody uses: neither a file nor one
// of a server's few connections is held for a debugger that nobody asks.
const idle = 30 * time.Second

// openFile opens a file that is there.
func openFile(o Options, reading bool) (*database, error) {
	values := url.Values{
		"mode": {"rw"}, "_txlock": {"immediate"}, // a transaction that writes later could fail then
		"_pragma": {fmt.Sprintf("busy_timeout(%d)", o.Busy.Milliseconds()), "synchronous(NORMAL)", "cache_size(-500)"},
	}
	if reading {
		values.Add("_pragma", "query_only(1)")
	}
	name := url.URL{Scheme: "file", Opaque: (&url.URL{Path: o.Place}).EscapedPath(), RawQuery: values.Encode()}
	db, err := sql.Open(liteDialect.driver, name.String())
	if err != nil {
		return nil, err
	}
	return limitConnections(db, &liteDialect), nil
}

// openShared is a PostgreSQL database; it connects when it is first used.
func openShared(place string) (*database, error) {
	config, err := pgx.ParseConfig(place)
	if err != nil {
		return nil, err
	}
	if config.RuntimeParams["application_name"] == "" {
		config.RuntimeParams["application_name"] = "aidb-mcp"
	}
	return limitConnections(stdlib.OpenDB(*config), &postgresDialect), nil
}

func limitConnections(db *sql.DB, d *dialect) *database {
	db.SetMaxOpenConns(1) // one writes, and what it writes is small
	db.SetConnMaxIdleTime(idle)
	return &database{db, d}
}

// check looks through a file, and says whether it is whole.
func check(ctx context.Context, o Options) (bool, error) {
	db, err := openFile(o, true)
	if err != nil {
		return false, err
	}
	defer db.Close()
	var said string
	err = db.QueryRowContext(ctx, `PRAGMA integrity_check(1)`).Scan(&said)
	if isDamaged(err) {
		return false, nil
	}
	return said == "ok", err
}

// isDamaged says that a file is no store, or not a whole one.
func isDamaged(err error) bool {
	code := liteCode(err)
	return code == sqlite3.SQLITE_CORRUPT || code == sqlite3.SQLITE_NOTADB
}

// isGone says that a file is not there: another process may be setting it aside.
func isGone(err error) bool { return liteCode(err) == sqlite3.SQLITE_CANTOPEN }

// liteCode is the number of an error of SQLite, 0 of any other.
func liteCode(err error) int {
	if failed, ok := errors.AsType[*sqlite.Error](err); ok {
		return failed.Code() & 0xff
	}
	return 0
}

// isMissing says that a table is not there.
func isMissing(err error) bool {
	if failed, ok := errors.AsType[*pgconn.PgError](err); ok {
		return failed.Code == "42P01"
	}
	failed, ok := errors.AsType[*sqlite.Error](err)
	return ok && failed.Code() == sqlite3.SQLITE_ERROR && strings.Contains(failed.Error(), "no such table")
}

// withoutPassword keeps the password of a database out of logs.
func withoutPassword(place string, err error) error {
	if err == nil || !IsShared(place) {
		return err
	}
	text := err.Error()
	if config, wrong := pgx.ParseConfig(place); wrong != nil {
		text = "its address cannot be read: want postgres://USER@HOST/DATABASE"
	} else if config.Password != "" {
		for _, form := range []string{config.Password, url.QueryEscape(config.Password), url.PathEscape(config.Password)} {
			text = strings.ReplaceAll(text, form, "…")
		}
	}
	if text == err.Error() {
		return err
	}
	return rewordedError{text, err}
}

// rewordedError is an error in other words.
type rewordedError struct {
	text string
	err  error
}

func (t rewordedError) Error() string { return t.text }
func (t rewordedError) Unwrap() error { return t.err }

// explainError puts before an error what it means for who wants something written.
func explainError(err error) error {
	var means string
	code := ""
	if failed, ok := errors.AsType[*pgconn.PgError](err); ok {
		code = failed.Code
	}
	switch lite := liteCode(err); {
	case lite == sqlite3.SQLITE_READONLY, code == "25006", code == "42501":
		means = "it cannot be written"
	case lite == sqlite3.SQLITE_FULL, code == "53100":
		means = "there is no room left for it"
	case lite == sqlite3.SQLITE_BUSY, lite == sqlite3.SQLITE_LOCKED:
		means = "another process holds it"
	case lite == sqlite3.SQLITE_INTERRUPT, errors.Is(err, context.DeadlineExceeded):
		means = "it did not answer in time"
	default:
		return err
	}
	return rewordedError{means + ": " + err.Error(), err}
}
