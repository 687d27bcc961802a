package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"aidb-mcp/internal/cluster/machine"
	"aidb-mcp/internal/cluster/span"
	"aidb-mcp/internal/system/process"
)

func (a *app) bindTarget(f *pflag.FlagSet) {
	f.Var(number{&a.target, 1, 1 << 30}, "target-pid", "the process for which this server is there, such as 1 in a container beside it: clients are told to attach to it, and without --workspace work in its directory, or a copy of its sources")
}

// targetWorkspace is the target's working directory; if its file system is another than ours, a copy
// of the sources in that directory.
func (a *app) targetWorkspace() (machine.Workspace, error) {
	if a.target == os.Getpid() {
		return machine.Workspace{}, fmt.Errorf("--target-pid %d is this server itself: the container does not share the processes of its target", a.target)
	}
	dir, args := process.WorkOf(a.target)
	if dir == "" {
		return machine.Workspace{}, fmt.Errorf("--target-pid %d: there is no such process, or it may not be looked at; a container beside it needs its processes (kubectl debug --target, pid: in compose) and its user, or CAP_SYS_PTRACE", a.target)
	}
	name := plainName(filepath.Base(process.ProgramOf(a.target)))
	for _, arg := range args { // of an interpreter, what it runs
		if !strings.HasPrefix(arg, "-") {
			name = plainName(strings.TrimSuffix(filepath.Base(arg), filepath.Ext(arg)))
			break
		}
	}
	if span.CheckName(name) != nil {
		name = "target"
	}
	root := process.OtherRoot(a.target)
	if root == "" {
		return machine.Workspace{Name: name, Dir: dir}, nil
	}
	// Not every program can follow a path through /proc/PID/root, so the sources are copied. The
	// copy is removed with our other files, whatever ends us.
	copied, err := a.root.MakeScratch("target-")
	if err != nil {
		return machine.Workspace{}, fmt.Errorf("finding a place for the sources of --target-pid: %w", err)
	}
	isWhole, err := copySources(copied, filepath.Join(root, dir), a.sourceEndings())
	if err != nil {
		return machine.Workspace{}, fmt.Errorf("copying the sources of --target-pid %d from %s: %w", a.target, dir, err)
	}
	if !isWhole {
		a.log.Warn("the sources of the target were copied in part only: there are too many", "files", mostSources, "bytes", allSources, "from", dir)
	}
	return machine.Workspace{Name: name, Dir: copied}, nil
}

// What is copied of a target's directory: the sources of every language, and what says how
// they belong together.
var (
	besideSources  = []string{".json", ".map", ".mod", ".toml"}
	skippedFolders = []string{".git", "node_modules", "__pycache__", "site-packages", "proc", "sys", "dev"}
)

func (a *app) sourceEndings() []string {
	endings := slices.Clone(besideSources)
	for _, language := range a.languages().All() {
		endings = append(endings, language.Info().Extensions...)
	}
	return endings
}

// The bounds of what is copied.
const (
	mostSources   = 5000
	longestSource = 1 << 20
	allSources    = 64 << 20
)

// copySources copies the files with these endings below a directory. It stops at the bounds, and says whether it has
// come to the end.
func copySources(to, from string, endings []string) (isWhole bool, err error) {
	files, bytes := 0, 0
	isWhole = true
	err = filepath.WalkDir(from, func(path string, e fs.DirEntry, err error) error {
		switch {
		case err != nil && path == from:
			return err
		case err != nil, e.IsDir() && path != from && slices.Contains(skippedFolders, e.Name()):
			return fs.SkipDir
		case !e.Type().IsRegular() || !slices.Contains(endings, filepath.Ext(path)):
			return nil
		}
		info, err := e.Info()
		if err != nil || info.Size() > longestSource {
			return nil // it was removed, or is too long for a source
		}
		if files, bytes = files+1, bytes+int(info.Size()); files > mostSources || bytes > allSources {
			isWhole = false
			return fs.SkipAll
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return nil // we may not read it
		}
		copied := filepath.Join(to, strings.TrimPrefix(path, from))
		if err = os.MkdirAll(filepath.Dir(copied), 0o700); err == nil {
			err = os.WriteFile(copied, text, 0o600)
		}
		return err
	})
	return isWhole, err
}

// targetNotice is what the server's instructions say of the target.
func (a *app) targetNotice() (string, error) {
	if a.target == 0 {
		return "", nil
	}
	if a.policy.NoAttach {
		return "", errors.New("--no-attach forbids to attach to the process of --target-pid: leave out one of the two")
	}
	_, args := process.WorkOf(a.target)
	command := strings.Join(append([]string{filepath.Base(process.ProgramOf(a.target))}, args...), " ")
	const longest = 200
	if command = a.mask.Command(command); len(command) > longest {
		command = strings.ToValidUTF8(command[:longest], "") + "…"
	}
	return fmt.Sprintf("This server is there for process %d (%s): attach to it with session_start {\"pid\": %d}.", a.target, command, a.target), nil
}
