// Package prepare is what every adapter does with a request before anything of
// its own language: where paths lead, how they are shown, which environment and
// directory the program gets, and which options are meant for the adapter.
//
// It only looks at files. It knows no adapter, nothing of sessions and nothing
// of MCP.
package prepare

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/project/source"
	"aidb-mcp/internal/system/boundedfile"
)

// Locate finds a path as the user wrote it: absolute, else relative to the
// workspace, else to the server's directory. What exists nowhere is put into
// the workspace.
func Locate(r adapters.Request, path string) string {
	path = strings.TrimPrefix(path, "file://")
	if rest, ok := strings.CutPrefix(path, "~/"); ok {
		if home, err := os.UserHomeDir(); err == nil {
			path = filepath.Join(home, rest)
		}
	}
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	inWorkspace := filepath.Join(r.Workspace, path)
	if Exists(inWorkspace) {
		return inWorkspace
	}
	if here, err := filepath.Abs(path); err == nil && Exists(here) {
		return here
	}
	return inWorkspace
}

// Exists says whether there is something at a path.
func Exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// IsFile says whether there is a regular file at a path.
func IsFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// Absolute is a path that is given from a directory.
func Absolute(dir, path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(dir, path)
}

// Below is a path as it is written from a directory above it; one elsewhere stays as it is.
func Below(dir, path string) string {
	rel, err := filepath.Rel(dir, path)
	if err != nil || strings.HasPrefix(rel, "..") {
		return path
	}
	return filepath.ToSlash(rel)
}

// IsDir says whether a path is a directory.
func IsDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// Physical is the path without symbolic links where it exists.
func Physical(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return path
}

// Upwards is the nearest directory from dir upwards that has an entry of one of
// these names, empty when there is none.
func Upwards(dir string, names ...string) string {
	for {
		for _, name := range names {
			if Exists(filepath.Join(dir, name)) {
				return dir
			}
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return ""
		}
		dir = parent
	}
}

// Inside says whether path is dir or below it.
func Inside(dir, path string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

// OfProject says that a file lies in the working directory, whose files may be
// anybody's: what only looks does not run them. A server that works in the
// user's home or above it has no such directory.
func OfProject(path string) bool {
	work, err := os.Getwd()
	if err != nil {
		return false
	}
	if home, err := os.UserHomeDir(); work == filepath.Dir(work) || err == nil && Inside(Physical(work), Physical(home)) {
		return false
	}
	return Inside(Physical(work), path)
}

// SearchPath are the directories of a PATH in which tools are looked for that
// run without the user having named them.
func SearchPath(path string) []string {
	return slices.DeleteFunc(filepath.SplitList(path), func(dir string) bool {
		return !filepath.IsAbs(dir) || OfProject(Physical(dir))
	})
}

// Command finds a tool in the SearchPath, empty where there is none.
func Command(path, name string) string {
	for _, dir := range SearchPath(path) {
		if found, err := exec.LookPath(filepath.Join(dir, name)); err == nil {
			return found
		}
	}
	return ""
}

// Show is how a path is told to people: relative to the workspace when inside it.
func Show(r adapters.Request, path string) string {
	if r.Workspace == "" {
		return path
	}
	root := r.Workspace
	if !Inside(root, path) {
		root = Physical(root)
	}
	rel, err := filepath.Rel(root, path)
	switch {
	case err != nil || !Inside(root, path):
		return path
	case rel == ".":
		return rel
	}
	return "." + string(filepath.Separator) + rel
}

// Workdir is where the program runs: where the user said, else in the
// workspace, else beside a target outside of it.
func Workdir(r adapters.Request, beside string) (string, error) {
	if r.Cwd != "" {
		dir := Locate(r, r.Cwd)
		if !IsDir(dir) {
			return "", fault.New(fault.InvalidParam, "cwd %s is not a directory", Show(r, dir)).WithField("cwd").
				WithHint("give an existing directory; without cwd the program runs in the workspace")
		}
		return dir, nil
	}
	if r.Workspace != "" && Inside(Physical(r.Workspace), beside) {
		return r.Workspace, nil
	}
	return beside, nil
}

// Missing is the error for a target that does not exist, with what is like it
// in the same directory.
func Missing(r adapters.Request, path string) *fault.Error {
	dir, name := filepath.Split(path)
	f := fault.New(fault.InvalidTarget, "there is no %s", Show(r, path)).WithField("target")
	if like := source.Closest(name, Names(dir), 3); len(like) > 0 {
		return Suggest(f, like)
	}
	return f.WithHint("paths start at %s; an absolute path is right too", r.Workspace)
}

// Candidates are what the user may have meant.
type Candidates struct {
	Candidates []string `json:"candidates"`
}

// Suggest adds to an error what the user may have meant, the likeliest first.
func Suggest(f *fault.Error, like []string) *fault.Error {
	return f.WithHint("did you mean %s?", strings.Join(like, " or ")).WithDetails(Candidates{like})
}

// Enumerate lists at most so many names, and says how many there are besides.
func Enumerate(names []string, most int) string {
	said := strings.Join(names[:min(len(names), most)], ", ")
	if more := len(names) - most; more > 0 {
		said += fmt.Sprintf(" and %d more", more)
	}
	return said
}

// Names are the entries of a directory, none when it cannot be read.
func Names(dir string) []string {
	entries, _ := os.ReadDir(dir)
	list := make([]string, len(entries))
	for i, e := range entries {
		list[i] = e.Name()
	}
	return list
}

// IsRunBy says that the first line of a script hands it to an interpreter, by a word of its name.
func IsRunBy(path, interpreter string) bool {
	f, err := boundedfile.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	line, _ := bufio.NewReaderSize(f, 256).ReadString('\n')
	return strings.HasPrefix(line, "#!") && strings.Contains(line, interpreter)
}

// Roots are the directories of the user's code: the workspace, before it those that lie
// beside it, and behind it those that the request names.
func Roots(r adapters.Request, beside ...string) []string {
	workspace := Physical(r.Workspace)
	var roots []string
	for _, dir := range beside {
		if dir != "" && !Inside(workspace, dir) {
			roots = append(roots, dir)
		}
	}
	roots = append(roots, workspace)
	for _, path := range r.SourcePaths {
		roots = append(roots, Physical(Locate(r, path)))
	}
	return roots
}
