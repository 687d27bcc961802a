package process

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"

	"github.com/gofrs/flock"
)

// keepCommand is the hidden command that turns this binary into a keeper. Its
// standard input is the lifeline, its standard output the report.
const keepCommand = "keep"

const (
	rootPrefix = "aidb-"
	rootRandom = 13 // letters and digits after it
	lockName   = "lock"
	// longestParent is the most that the place of sockets has in bytes: their
	// whole paths are limited to 104 by the strictest system.
	longestParent = 18
	// makingSuffix is at the end of a name until the directory is locked: what has
	// its whole name and no lock is a dead server's.
	makingSuffix = ".new"
	// fresh is the age below which one may be just being made.
	fresh = time.Minute
	// making is longer than that takes.
	making = 2 * time.Second
)

// init makes a keeper of this process when it was started to be one; see the
// supervisor's.
func init() {
	if len(os.Args) == 2 && os.Args[1] == keepCommand {
		keep(os.Stdin, os.Stdout)
		os.Exit(0)
	}
}

// keep makes the directories, reports them, and waits for the end of all that
// hold the lifeline. Signals do not end it: it has no other work than to be the last.
func keep(lifeline io.Reader, report io.WriteCloser) {
	signal.Ignore(os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGPIPE) // a server that is gone reads no report
	dirs, locks, err := makeRoots()
	if err != nil {
		dirs.Failed = err.Error()
	}
	_ = json.NewEncoder(report).Encode(dirs)
	report.Close()
	var young []string
	if err == nil {
		if farewell, _ := io.Copy(io.Discard, lifeline); farewell == 0 { // it was killed
			slayEscaped()
		}
		young = sweepRoots(parents()) // what children that were servers themselves could not remove, killed with it
	}
	removeAll(dirs.all())
	for _, lock := range locks {
		_ = lock.Close()
	}
	if len(young) > 0 { // perhaps of a child that was killed as it made it: who lives has soon given it its whole name
		<-time.After(making)
		removeAll(young)
	}
}

// parents are the places of the root and of the short one, which may be one.
func parents() []string {
	root := os.TempDir()
	if len(root) <= longestParent || runtime.GOOS == "windows" {
		return []string{root}
	}
	return []string{root, "/tmp"}
}

func makeRoots() (dirs kept, locks []*flock.Flock, err error) {
	for i, parent := range parents() {
		dir, lock, err := makeRoot(parent)
		if err != nil {
			if i > 0 { // it has no short place: sockets must do with the long one
				break
			}
			return dirs, locks, err
		}
		locks = append(locks, lock)
		if i == 0 {
			dirs.Root = dir
		}
		dirs.Short = dir
	}
	return dirs, locks, nil
}

// makeRoot makes a directory that was not there, so that nobody else has made
// it, and that nobody else can enter. It does so again where another server has taken
// this one, that was so slow, for a dead one.
func makeRoot(parent string) (dir string, lock *flock.Flock, err error) {
	for range 2 {
		dir = filepath.Join(parent, rootPrefix+rand.Text()[:rootRandom])
		unfinished := dir + makingSuffix
		if err := os.Mkdir(unfinished, 0o700); err != nil {
			return "", nil, fmt.Errorf("the temporary directory cannot be used: %w", err)
		}
		lock, err = lockShared(unfinished)
		if err == nil {
			err = os.Rename(unfinished, dir)
		}
		if err == nil {
			return dir, lock, nil
		}
		if lock != nil {
			_ = lock.Close()
		}
		os.RemoveAll(unfinished)
		if !errors.Is(err, os.ErrNotExist) {
			break
		}
	}
	return "", nil, err
}

// lockShared says that somebody lives here. The system lets go of it when that
// somebody ends in whatever way.
func lockShared(dir string) (*flock.Flock, error) {
	lock := flock.New(filepath.Join(dir, lockName), flock.SetPermissions(0o600))
	switch got, err := lock.TryRLock(); {
	case err != nil:
		return nil, fmt.Errorf("locking the private directory: %w", err)
	case !got:
		return nil, errors.New("somebody else has locked the private directory")
	}
	return lock, nil
}

// Sweep removes what servers of this user have left that were killed together
// with their supervisors and keepers: processes and directories. What belongs to those that live stays.
func Sweep() {
	slayEscaped() // first: a build goes on writing
	sweepRoots(parents())
}

// sweepRoots removes the directories of dead servers of this user. Young are those that
// may be just being made.
func sweepRoots(parents []string) (young []string) {
	for _, parent := range parents {
		entries, err := os.ReadDir(parent)
		if err != nil {
			continue
		}
		for _, e := range entries {
			ours, unfinished := isRoot(e.Name())
			if ours && e.IsDir() {
				if dir := filepath.Join(parent, e.Name()); sweepRoot(dir, unfinished) {
					young = append(young, dir)
				}
			}
		}
	}
	return young
}

// isRoot says that a directory has the name of a private one, and whether it is being made.
func isRoot(name string) (ours, unfinished bool) {
	random, ours := strings.CutPrefix(name, rootPrefix)
	random, unfinished = strings.CutSuffix(random, makingSuffix)
	return ours && len(random) == rootRandom && strings.ToUpper(random) == random, unfinished
}

// InRoot says that a path lies in the private directory of a server, this one or another.
func InRoot(path string) bool {
	for dir := path; ; dir = filepath.Dir(dir) {
		if ours, _ := isRoot(filepath.Base(dir)); ours {
			return true
		}
		if dir == filepath.Dir(dir) {
			return false
		}
	}
}

// sweepRoot removes a root that is this user's and that nobody has locked; not one that
// is too young to say so.
func sweepRoot(dir string, unfinished bool) (young bool) {
	info, err := os.Lstat(dir)
	if err != nil || !info.IsDir() || !isOwned(info) {
		return false
	}
	if unfinished {
		if time.Since(info.ModTime()) < fresh {
			return true
		}
		clearAway(dir)
		return false
	}
	path := filepath.Join(dir, lockName)
	if _, err := os.Lstat(path); err != nil {
		clearAway(dir)
		return false
	}
	lock := flock.New(path)
	defer lock.Close()
	if dead, err := lock.TryLock(); err == nil && dead {
		clearAway(dir)
	}
	return false
}

// clearAway removes a directory of a dead server. It may fail while a process
// that was just being started, and bore no mark yet, writes into it.
func clearAway(dir string) {
	for range 10 {
		if os.RemoveAll(dir) == nil {
			return
		}
		slayEscaped()
	}
}
