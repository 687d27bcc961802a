package process

import (
	"bufio"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gofrs/flock"
)

// Root is the private directory of one server: everything that its sessions
// write lies below it. It is made at the first use, for this user alone, under a
// name that did not exist, and goes with the server, however that ends.
//
// A keeper owns it: this same binary with the hidden command "keep", which makes
// it, waits for the end of the server and of all its supervisors, ends whatever
// has escaped them, and removes it. Should everybody be killed in one moment, the
// next server, or the keeper of the next command, removes what they left.
//
// All methods may be called from any goroutine.
type Root struct {
	log *slog.Logger

	mu     sync.Mutex // held while a keeper starts
	keeper *keeper    // nil until the first use, and once closed
}

// NewRoot prepares a root; nothing is made before its first use.
func NewRoot(log *slog.Logger) *Root { return &Root{log: log} }

// Scratch names a directory below the root that is not there yet. A child whose
// Spec has it in Remove finds it made.
func (r *Root) Scratch(prefix string) (string, error) {
	k, err := r.open()
	if err != nil {
		return "", err
	}
	return filepath.Join(k.dirs.Root, prefix+rand.Text()[:8]), nil
}

// MakeScratch makes such a directory, which whoever asks removes.
func (r *Root) MakeScratch(prefix string) (string, error) {
	dir, err := r.Scratch(prefix)
	if err == nil {
		err = os.MkdirAll(dir, 0o700)
	}
	return dir, err
}

// Sockets is Scratch for sockets, whose paths must be short: the whole name of
// the directory has no more than 40 bytes where the system allows such a place.
func (r *Root) Sockets(prefix string) (string, error) {
	k, err := r.open()
	if err != nil {
		return "", err
	}
	return filepath.Join(k.dirs.Short, prefix+rand.Text()[:8]), nil
}

// temporary are the variables by which programs find a place for their files.
var temporary = []string{"TMPDIR", "TMP", "TEMP"}

// Temporary gives a child a directory for temporary files that nobody else can
// enter, and that goes with it.
func (r *Root) Temporary(spec Spec) (Spec, error) {
	dir, err := r.Scratch("tmp-")
	if err != nil {
		return spec, err
	}
	env := slices.DeleteFunc(slices.Clone(spec.environment()), func(pair string) bool {
		name, _, _ := strings.Cut(pair, "=")
		return slices.Contains(temporary, name)
	})
	for _, name := range temporary {
		env = append(env, name+"="+dir)
	}
	spec.Env, spec.Remove, spec.Root = env, append(slices.Clone(spec.Remove), dir), r
	return spec, nil
}

// Close has the root removed and waits for it, bounded. A later use makes another.
func (r *Root) Close() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.keeper != nil {
		r.keeper.close(r.log)
		r.keeper = nil
	}
}

func (r *Root) open() (*keeper, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.keeper == nil {
		k, err := startKeeper()
		if err != nil {
			return nil, fmt.Errorf("making a private directory in %s: %w", os.TempDir(), err)
		}
		r.keeper = k
	}
	return r.keeper, nil
}

// hold is what a supervisor holds open while it has something below the root.
func (r *Root) hold() *os.File {
	if r == nil {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.keeper == nil {
		return nil
	}
	return r.keeper.lifeline
}

// kept are the directories of a keeper: one below the system's temporary one,
// and one with a short name, which may be the same.
type kept struct{ Root, Short, Failed string }

// keeper is a running keeper, seen from its server.
type keeper struct {
	dirs     kept
	lifeline *os.File // its end is that of the server and of its supervisors
	locks    []*flock.Flock
	cmd      *exec.Cmd
	gone     chan struct{}
}

const (
	keeperLimit = 10 * time.Second // for a keeper to begin
	// closeLimit is for it to end. It needs nobody: what takes longer is done
	// without us.
	closeLimit = 500 * time.Millisecond
)

func startKeeper() (*keeper, error) {
	self, err := Executable()
	if err != nil {
		return nil, err
	}
	theirs, lifeline, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(self, keepCommand)
	cmd.Stdin, cmd.SysProcAttr, cmd.Env = theirs, ownGroup(), withoutMark(os.Environ())
	report, err := cmd.StdoutPipe()
	if err == nil {
		err = begun.start(cmd)
	}
	theirs.Close()
	if err != nil {
		lifeline.Close()
		return nil, err
	}
	k := &keeper{lifeline: lifeline, cmd: cmd, gone: make(chan struct{})}
	if err := k.begin(report); err != nil {
		lifeline.Close()
		_ = cmd.Process.Kill()
		_ = begun.wait(cmd)
		Sweep() // it may have been killed before it could name what it had made
		return nil, err
	}
	go func() {
		_ = begun.wait(cmd)
		close(k.gone)
	}()
	return k, nil
}

// begin waits for the keeper's one line, and locks what it has made: a directory
// that nobody has locked is a dead server's.
func (k *keeper) begin(report io.ReadCloser) error {
	answered := make(chan error, 1)
	go func() {
		line, err := bufio.NewReader(report).ReadBytes('\n')
		if err == nil {
			err = json.Unmarshal(line, &k.dirs)
		}
		answered <- err
	}()
	limit := time.NewTimer(keeperLimit)
	defer limit.Stop()
	select {
	case <-limit.C:
		return errors.New("the keeper of the private directory did not answer")
	case err := <-answered:
		if err != nil {
			return fmt.Errorf("the keeper of the private directory ended: %w", err)
		}
	}
	if k.dirs.Failed != "" {
		return errors.New(k.dirs.Failed)
	}
	for _, dir := range k.dirs.all() {
		lock, err := lockShared(dir)
		if err != nil {
			return err
		}
		k.locks = append(k.locks, lock)
	}
	return nil
}

// close lets go of the root. Supervisors that still clean up hold the keeper.
func (k *keeper) close(log *slog.Logger) {
	_, _ = k.lifeline.Write([]byte{'k'}) // so that it looks for nothing that has escaped
	k.lifeline.Close()
	limit := time.NewTimer(closeLimit)
	defer limit.Stop()
	select {
	case <-k.gone:
	case <-limit.C:
		log.Info("the private directory is not removed yet", "dir", k.dirs.Root)
		return
	}
	for _, dir := range k.dirs.all() {
		if err := os.RemoveAll(dir); err != nil { // in case the keeper was killed
			log.Warn("the private directory stays", "dir", dir, "error", err)
		}
	}
	for _, lock := range k.locks {
		_ = lock.Close()
	}
}

func (d kept) all() []string {
	if d.Short == d.Root || d.Short == "" {
		return []string{d.Root}
	}
	return []string{d.Root, d.Short}
}
