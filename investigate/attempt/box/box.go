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
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"

	"aidb-mcp/internal/duplicate"
	"aidb-mcp/internal/process"
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
	// CopyOnly has every workspace copied, whatever the system can do.
	CopyOnly bool
}

// New makes boxes below a private directory.
func New(root *process.Root, limits Limits) *Boxes {
	return &Boxes{root: root, limits: limits}
}

// Box is one workspace to write to. Close must be called.
type Box struct {
	Workspace string // where it is, for what runs in the box
	Copied    bool   // it is a copy, at a path of its own

	root    *process.Root
	state   string
	written uint64
}

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
	if below(state, whole) {
		return nil, fmt.Errorf("making a box: %s holds the directory for temporary files", workspace)
	}
	b.probe.Do(func() { b.overlays = !b.limits.CopyOnly && overlayWorks(ctx, state+"-probe") })
	if b.overlays {
		if err := os.Mkdir(state, 0o700); err != nil {
			return nil, fmt.Errorf("making a box: %w", err)
		}
		return &Box{Workspace: workspace, root: b.root, state: state, written: b.limits.Written}, nil
	}
	if err := duplicate.Make(ctx, whole, state, b.limits.Copy); err != nil {
		_ = os.RemoveAll(state)
		return nil, fmt.Errorf("copying the workspace: %w", err)
	}
	return &Box{Workspace: state, Copied: true, root: b.root, state: state}, nil
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
	spec.Args = append([]string{enterCommand, b.Workspace, b.state, strconv.FormatUint(b.written, 10), "--", spec.Path}, spec.Args...)
	spec.Path = self
	return spec, nil
}

// Close removes what was written in the box. What ran there must have ended.
func (b *Box) Close() error {
	if !b.Copied { // the kernel leaves a directory that nobody may enter, unless it lay in memory
		_ = os.Chmod(filepath.Join(b.state, "work", "work"), 0o700)
	}
	if err := os.RemoveAll(b.state); err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("removing a box: %w", err)
	}
	return nil
}

func below(path, dir string) bool {
	return path == dir || strings.HasPrefix(path, strings.TrimSuffix(dir, string(filepath.Separator))+string(filepath.Separator))
}

// The hidden commands by which this binary enters a box: the first stays outside and
// waits, the second is the first process within.
const (
	enterCommand  = "box"
	withinCommand = "boxed"
)
