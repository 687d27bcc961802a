package install

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gofrs/flock"

	"aidb-mcp/internal/fault"
)

const (
	lockFile      = ".lock"
	lockLimit     = fetchLimit + time.Minute // another install may take as long
	lockRetry     = 100 * time.Millisecond
	scratchPrefix = ".new-" // folders that may be removed by whoever holds the lock
	oldPrefix     = ".old-" // a component that is being replaced
)

// lock makes us the only one that changes the store, and clears away what
// interrupted ones have left.
func (i *Installer) lock(ctx context.Context) (unlock func(), err error) {
	if err := i.Store.Homeless(); err != nil {
		return nil, err
	}
	root := i.Store.Root()
	if err := os.MkdirAll(root, 0o755); err != nil {
		return nil, i.failure(err)
	}
	held := flock.New(filepath.Join(root, lockFile))
	got, err := held.TryLock()
	if err == nil && !got {
		i.Report(Event{Doing: "waiting for another installation to end"})
		limited, cancel := context.WithTimeout(ctx, lockLimit)
		defer cancel()
		got, err = held.TryLockContext(limited, lockRetry)
	}
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case !got:
		return nil, fault.New(fault.AdapterInstall, "another installation has not ended in %s", lockLimit).
			WithHint("end it, and try again; the lock is %s", held.Path())
	case err != nil:
		return nil, i.failure(err)
	}
	if err := i.Store.tidy(); err != nil {
		_ = held.Close()
		return nil, i.failure(err)
	}
	return func() { _ = held.Close() }, nil
}

// tidy ends what was interrupted: half of a new component goes away, an old one
// without a successor comes back.
func (s Store) tidy() error {
	entries, err := os.ReadDir(s.Root())
	if err != nil {
		return err
	}
	for _, e := range entries {
		path := filepath.Join(s.Root(), e.Name())
		if name, old := strings.CutPrefix(e.Name(), oldPrefix); old {
			if _, err := os.Lstat(s.Dir(name)); isAbsent(err) {
				if err := os.Rename(path, s.Dir(name)); err != nil {
					return err
				}
				continue
			}
		} else if !strings.HasPrefix(e.Name(), scratchPrefix) {
			continue
		}
		if err := os.RemoveAll(path); err != nil {
			return err
		}
	}
	return nil
}

// put makes the complete folder dir the component.
func (s Store) put(name, version string, files []File, dir string) error {
	if err := os.WriteFile(filepath.Join(dir, recordFile), []byte(FormatFiles(files)), 0o644); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, versionFile), []byte(version), 0o644); err != nil {
		return err
	}
	old := filepath.Join(s.Root(), oldPrefix+name)
	if err := os.Rename(s.Dir(name), old); err != nil && !isAbsent(err) {
		return err
	}
	if err := os.Rename(dir, s.Dir(name)); err != nil {
		_ = os.Rename(old, s.Dir(name))
		return fmt.Errorf("put %s in place: %w", name, err)
	}
	return os.RemoveAll(old)
}

// Remove takes a component out of the store and says whether it was there.
func (i *Installer) Remove(ctx context.Context, name string) (bool, error) {
	unlock, err := i.lock(ctx)
	if err != nil {
		return false, err
	}
	defer unlock()
	going := filepath.Join(i.Store.Root(), scratchPrefix+name)
	if err := os.Rename(i.Store.Dir(name), going); err != nil {
		if isAbsent(err) {
			return false, nil
		}
		return false, i.failure(err)
	}
	if err := os.RemoveAll(going); err != nil {
		return true, i.failure(err)
	}
	return true, nil
}
