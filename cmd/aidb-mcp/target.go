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

// targetWorkspace is the directory in which the target works; where its files are not ours, a copy of the
// sources there.
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
	// What lies behind /proc/PID/root has no path that every program can follow: a copy of the
	// sources has, and goes with us, whatever ends us.
	copied, err := a.root.MakeScratch("target-")
	if err != nil {
		return machine.Workspace{}, fmt.Errorf("finding a place for the sources of --target-pid: %w", err)
	}
	if err := copySources(copied, filepath.Join(root, dir), a.sourceEndings()); err != nil {
		return machine.Workspace{}, fmt.Errorf("copying the sources of --target-pid %d from %s: %w", a.target, dir, err)
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

// copySources copies the files with these endings below a directory, as far as the bounds allow.
func copySources(to, from string, endings []string) error {
	files, bytes := 0, 0
	return filepath.WalkDir(from, func(path string, e fs.DirEntry, err error) error {
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
			return nil // it has gone, or is no source
		}
		if files, bytes = files+1, bytes+int(info.Size()); files > mostSources || bytes > allSources {
			return fs.SkipAll
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return nil // it is not for us
		}
		copied := filepath.Join(to, strings.TrimPrefix(path, from))
		if err = os.MkdirAll(filepath.Dir(copied), 0o700); err == nil {
			err = os.WriteFile(copied, text, 0o600)
		}
		return err
	})
}

// targetNotice tells clients what the server is there for.
func (a *app) targetNotice() (string, error) {
	if a.target == 0 {
		return "", nil
	}
	if a.policy.NoAttach {
		return "", errors.New("--target-pid and --no-attach do not go together")
	}
	_, args := process.WorkOf(a.target)
	command := strings.Join(append([]string{filepath.Base(process.ProgramOf(a.target))}, args...), " ")
	const longest = 200
	if command = a.mask.Command(command); len(command) > longest {
		command = strings.ToValidUTF8(command[:longest], "") + "…"
	}
	return fmt.Sprintf("This server is there for process %d (%s): attach to it with session_start {\"pid\": %d}.", a.target, command, a.target), nil
}
