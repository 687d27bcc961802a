// Package box gives a process a workspace of its own: what it writes there, the original
// never sees, and it is gone with the box.
//
// On Linux the workspace has its own path in the box: an overlay lies over it, in
// namespaces in which the process alone lives, and what is written goes to memory, up
// to a limit. Where the system does not allow that, and on other systems, the workspace
// is a copy, whose path differs. Only the workspace is covered: the home, caches, ports
// and the network are shared with everybody.
//
// The package knows nothing of what runs in a box.
package box

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"aidb-mcp/internal/changes/duplicate"
	"aidb-mcp/internal/system/process"
)

// Boxes makes them for one server. All methods may be called from any goroutine.
type Boxes struct {
	root   *process.Root
	limits Limits

	probe    sync.Once
	overlays bool
}

// Limits bound a box.
type Limits struct {
	Copy    duplicate.Limits // of a workspace that has to be copied
	Written uint64           // bytes that may be written in one, where the system can hold to it
	// Covered are directories besides the workspace whose files are a box's own too, where
	// the system can do that.
	Covered []Covered
	// Caches are directories, besides the user's own, of what tools have made of other files and can
	// make again: no verdict depends on what is in them.
	Caches []string
	// CopyOnly has every workspace copied, whatever the system can do.
	CopyOnly bool
}

// Covered is a directory in which a box has its own files over those that are there.
type Covered struct {
	Dir    string   // absolute; where it is not there nothing is covered
	Shared []string // directories in it that stay everybody's
}

// New makes boxes below a private directory.
func New(root *process.Root, limits Limits) *Boxes {
	return &Boxes{root: root, limits: limits}
}

// Box is one workspace to write to. Close must be called.
type Box struct {
	Workspace string // where it is, for what runs in the box
	Copied    bool   // it is a copy, at a path of its own

	root  *process.Root
	place place
}

// place is where a box is.
type place struct {
	Workspace string
	State     string    // a directory for what is written
	Room      uint64    // bytes that may be written
	Covered   []Covered // besides the workspace
	Caches    []string
}

// enterArguments are the arguments of this binary that run a command in the box.
func (p place) enterArguments(command string, args ...string) ([]string, error) {
	text, err := json.Marshal(p)
	if err != nil {
		return nil, err
	}
	return append([]string{enterCommand, string(text), "--", command}, args...), nil
}

// readsPath is the file into which the box writes what was read in it: beside the
// state, which is removed.
func (p place) readsPath() string { return p.State + "-reads" }

// Open makes a box of a workspace, an absolute path. Errors: *duplicate.TooMuch where it
// had to be copied and is too big.
func (b *Boxes) Open(ctx context.Context, workspace string) (*Box, error) {
	state, err := b.root.Scratch("box-")
	if err != nil {
		return nil, err
	}
	whole, err := filepath.EvalSymlinks(workspace)
	if err != nil {
		return nil, fmt.Errorf("making a box: %w", err)
	}
	if isBelow(state, whole) {
		return nil, fmt.Errorf("making a box: %s holds the directory for temporary files", workspace)
	}
	b.probe.Do(func() {
		b.overlays = !b.limits.CopyOnly && overlayWorks(ctx, state+"-probe", b.existingCovered())
	})
	if b.overlays {
		return b.newOverlay(workspace, state)
	}
	if err := duplicate.Make(ctx, whole, state, b.limits.Copy); err != nil {
		_ = os.RemoveAll(state)
		return nil, fmt.Errorf("copying the workspace: %w", err)
	}
	return &Box{Workspace: state, Copied: true, root: b.root, place: place{State: state}}, nil
}

// existingCovered are those directories that are there, with what is shared in them.
func (b *Boxes) existingCovered() (list []Covered) {
	for _, c := range b.limits.Covered {
		info, err := os.Stat(c.Dir)
		for _, name := range c.Shared {
			if err == nil && info.IsDir() {
				err = os.MkdirAll(filepath.Join(c.Dir, name), 0o755)
			}
		}
		if err == nil && info.IsDir() {
			list = append(list, c)
		}
	}
	return list
}

// newOverlay makes a box in which the workspace has its own path.
func (b *Boxes) newOverlay(workspace, state string) (*Box, error) {
	if err := os.Mkdir(state, 0o700); err != nil {
		return nil, fmt.Errorf("making a box: %w", err)
	}
	p := place{Workspace: workspace, State: state, Room: b.limits.Written, Caches: b.limits.Caches}
	for _, c := range b.existingCovered() {
		if !isBelow(workspace, c.Dir) { // which would hide it
			p.Covered = append(p.Covered, c)
		}
	}
	return &Box{Workspace: workspace, root: b.root, place: p}, nil
}

// Covers says that what is written in a directory is the box's own.
func (b *Box) Covers(dir string) bool {
	return slices.ContainsFunc(b.place.Covered, func(c Covered) bool { return isBelow(dir, c.Dir) })
}

// Wrap has a process run in the box. Its directory is that of the spec, which lies in
// the workspace, or the workspace.
func (b *Box) Wrap(spec process.Spec) (process.Spec, error) {
	spec.Root = b.root // which outlives what runs in the box
	if b.Copied {
		return spec, nil
	}
	self, err := process.Executable()
	if err != nil {
		return spec, err
	}
	spec.Args, err = b.place.enterArguments(spec.Path, spec.Args...)
	spec.Path = self
	return spec, err
}

// Reads are the files outside of the workspace at which what ran in the box has looked, once
// it has ended; nil where that is not known.
func (b *Box) Reads() *Reads {
	text, err := os.ReadFile(b.place.readsPath())
	r := &Reads{}
	if b.Copied || err != nil || json.Unmarshal(text, r) != nil {
		return nil
	}
	return r
}

// Reads are the files outside of a box's workspace on which what ran in it may depend.
// What it has written itself is not among them.
type Reads struct {
	Files []string `json:"files"` // absolute, links followed
	// Unsettled says that these are not all, or not as they were: there were too many, or one
	// was written by somebody else meanwhile.
	Unsettled bool `json:"unsettled,omitempty"`
}

// Close removes what was written in the box. What ran there must have ended.
func (b *Box) Close() error {
	if !b.Copied { // the kernel leaves directories that nobody may enter, unless they lay in memory
		works, _ := filepath.Glob(filepath.Join(b.place.State, "work*", "work"))
		for _, work := range works {
			_ = os.Chmod(work, 0o700)
		}
	}
	err := errors.Join(os.RemoveAll(b.place.State), os.RemoveAll(b.place.readsPath()))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("removing a box: %w", err)
	}
	return nil
}

func isBelow(path, dir string) bool {
	if path == dir {
		return true
	}
	rest, under := strings.CutPrefix(path, strings.TrimSuffix(dir, string(filepath.Separator)))
	return under && rest != "" && rest[0] == filepath.Separator
}

// The hidden commands by which this binary enters a box: the first stays outside and
// waits, the second is the first process within.
const (
	enterCommand  = "box"
	withinCommand = "boxed"
)
