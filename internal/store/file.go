package store

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"time"

	"github.com/gofrs/flock"
)

// errBroken is a bug of the database's driver, after which it is left alone.
var errBroken = errors.New("the database failed inside")

// pruneEvery is how often a long-lived server removes what is too old.
const pruneEvery = 24 * time.Hour

// file is the place where one process writes its rows. It belongs to one
// goroutine.
type file struct {
	o      Options
	writer int64 // the name of this process's rows

	db     *database
	opened fs.FileInfo // of the file that db has open
	pruned time.Time
}

// newWriter is a name that no other process has.
func newWriter() int64 {
	var b [8]byte
	_, _ = rand.Read(b[:]) // never fails
	return int64(binary.BigEndian.Uint64(b[:]) >> 1)
}

// write writes rows, and removes what is too old from time to time.
func (f *file) write(rows []row) error {
	ctx, cancel := context.WithTimeout(context.Background(), writeLimit)
	defer cancel()
	return f.do(ctx, func(ctx context.Context, db *database) error {
		if err := db.add(ctx, f.writer, rows); err != nil {
			return err
		}
		if time.Since(f.pruned) > pruneEvery {
			f.pruned = time.Now()
			if err := db.prune(ctx, time.Now().Add(-f.o.Keep)); err != nil {
				f.o.Log.Warn("old calls could not be removed from the account", "error", withoutPassword(f.o.Place, err))
			}
		}
		return nil
	})
}

// job is what is done with an open store.
type job func(context.Context, *database) error

// do does a job with the store. One that turns out to be damaged is set aside,
// and the job is done again with a new one.
func (f *file) do(ctx context.Context, j job) error {
	err := recoverFaults(func() error { return f.mend(ctx, j) })
	switch {
	case errors.Is(err, errBroken):
		f.db = nil
	case err != nil:
		f.release() // what is open may be what is the matter
	}
	return err
}

// recoverFaults makes an error of a fault inside the database's driver, of a file that
// changes under it, for example.
func recoverFaults(do func() error) (err error) {
	defer func(fatal bool) {
		debug.SetPanicOnFault(fatal)
		if p := recover(); p != nil {
			err = fmt.Errorf("%w: %v", errBroken, p)
		}
	}(debug.SetPanicOnFault(true))
	return do()
}

func (f *file) mend(ctx context.Context, j job) error {
	err := f.try(ctx, j)
	if isDamaged(err) {
		f.release()
		if err := f.replace(ctx); err != nil {
			return fmt.Errorf("replacing the damaged store %s: %w", f.o.Place, err)
		}
		err = f.try(ctx, j)
	}
	if err != nil {
		return fmt.Errorf("store %s: %w", Shown(f.o.Place), withoutPassword(f.o.Place, explainError(err)))
	}
	return nil
}

func (f *file) try(ctx context.Context, j job) error {
	if f.db != nil && f.isMoved() {
		f.release()
	}
	if f.db == nil {
		if err := f.open(ctx); err != nil {
			return err
		}
	}
	return j(ctx, f.db)
}

// isMoved says that the file at the place is not the one that is open: somebody
// has removed it, or set it aside.
func (f *file) isMoved() bool {
	if IsShared(f.o.Place) {
		return false
	}
	now, err := os.Lstat(f.o.Place)
	return err != nil || !os.SameFile(now, f.opened)
}

func (f *file) release() {
	if f.db != nil {
		f.db.Close()
		f.db = nil
	}
}

// open opens the store, and makes it where there is none.
func (f *file) open(ctx context.Context) error {
	if IsShared(f.o.Place) {
		return f.openShared(ctx)
	}
	if err := secure(f.o.Place); err != nil {
		return err
	}
	db, err := f.openMade(ctx)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, errNoTables) || isGone(err) {
		err = f.alone(ctx, func() error { return makeFile(ctx, f.o) })
		if err == nil {
			db, err = f.openMade(ctx)
		}
	}
	if err != nil {
		return err
	}
	if f.opened, err = os.Lstat(f.o.Place); err != nil {
		db.Close()
		return err
	}
	f.db = db
	return nil
}

// errNoTables is a file in which nothing has been made.
var errNoTables = errors.New("there are no tables in it")

// openMade opens a file that is there and has our tables.
func (f *file) openMade(ctx context.Context) (*database, error) {
	if _, err := os.Lstat(f.o.Place); err != nil {
		return nil, err
	}
	db, err := openFile(f.o, false)
	if err != nil {
		return nil, err
	}
	found, err := db.tablesVersion(ctx)
	if err == nil && found == 0 {
		err = errNoTables
	}
	if err != nil {
		db.Close()
		return nil, err
	}
	return db, nil
}

// makeFile makes the file and its tables; nobody else does meanwhile. Others find
// it when it is whole, for one that they read cannot be given its journal.
func makeFile(ctx context.Context, o Options) error {
	place := o.Place
	if _, err := os.Lstat(o.Place); errors.Is(err, fs.ErrNotExist) {
		o.Place += ".new"
		made, err := os.OpenFile(o.Place, os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o600)
		if err == nil {
			err = made.Close()
		}
		if err != nil {
			return err
		}
		defer os.Remove(o.Place)
	}
	if err := makeTables(ctx, o); err != nil {
		return err
	}
	if o.Place == place {
		return nil
	}
	return os.Rename(o.Place, place)
}

// makeTables makes the tables in a file that is there.
func makeTables(ctx context.Context, o Options) error {
	db, err := openFile(o, false)
	if err != nil {
		return err
	}
	defer db.Close()
	if found, err := db.tablesVersion(ctx); err != nil || found > 0 {
		return err // another process has made them
	}
	var others int
	if err := db.QueryRowContext(ctx, `SELECT COUNT(*) FROM sqlite_master`).Scan(&others); err != nil {
		return err
	}
	if others > 0 {
		return errors.New("it is another program's database")
	}
	if _, err := db.ExecContext(ctx, `PRAGMA journal_mode = WAL`); err != nil {
		return err
	}
	return db.makeTables(ctx)
}

// openShared connects to a database of several machines.
func (f *file) openShared(ctx context.Context) error {
	db, err := openShared(f.o.Place)
	if err != nil {
		return err
	}
	found, err := db.tablesVersion(ctx)
	if err == nil && found == 0 {
		err = db.makeTables(ctx)
	}
	if err != nil {
		db.Close()
		return err
	}
	f.db = db
	return nil
}

// replace sets a damaged store aside with what belongs to it. Another process may
// have done so in the same moment: what is whole stays.
func (f *file) replace(ctx context.Context) error {
	return f.alone(ctx, func() error {
		whole, err := check(ctx, f.o)
		if whole || err != nil {
			return err
		}
		aside := f.o.Place + ".damaged-" + time.Now().UTC().Format("20060102T150405.000")
		for _, suffix := range []string{"-wal", "-shm", "-journal", ""} { // the file last: what is left of it must not meet a new one
			if err := os.Rename(f.o.Place+suffix, aside+suffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
		}
		f.o.Log.Warn("the store was damaged: it has been set aside, and a new one is made", "store", f.o.Place, "aside", aside)
		return makeFile(ctx, f.o)
	})
}

// alone does what one process at a time may do with the file.
func (f *file) alone(ctx context.Context, do func() error) error {
	if err := os.MkdirAll(filepath.Dir(f.o.Place), 0o700); err != nil {
		return err
	}
	lock := flock.New(f.o.Place+".lock", flock.SetPermissions(0o600))
	if _, err := lock.TryLockContext(ctx, 10*time.Millisecond); err != nil {
		return fmt.Errorf("locking it: %w", err)
	}
	defer lock.Close()
	return do()
}
