package java

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"aidb-mcp/adapters/prepare"
	"aidb-mcp/internal/system/boundedfile"
)

const (
	mostSources = 400     // beyond, a build is not kept
	mostBytes   = 8 << 20 // of sources
	keptBuilds  = 40
	keptFor     = time.Hour // at least
)

// key names a build by everything that goes into it; empty when that is too much to read.
// Classes do not hold where their sources lay, so that a copy of the sources has the build
// of the first. What javac finds besides them, in the folder where it runs or by options,
// ties a build to its place.
func (j job) key(options, files, roots []string) string {
	hash := sha256.New()
	fmt.Fprintf(hash, "%s %s %q %q\n", j.tools.home, j.tools.version, options, j.BuildArgs)
	tied := len(j.BuildArgs) > 0 || !slices.Contains(roots, j.Workspace)
	count, size := 0, 0
	add := func(name, file string) bool {
		text, err := boundedfile.ReadText(file)
		count++
		size += len(text)
		fmt.Fprintf(hash, "%q %d\n", name, len(text))
		hash.Write(text)
		return err == nil && count <= mostSources && size <= mostBytes
	}
	for i, root := range roots {
		for _, file := range filesBelow(root, ".java", ".class") {
			if filepath.Ext(file) == ".class" { // javac may take it in place of a source
				tied = true
			} else if isSource(file) && !add(within(i, root, file), file) {
				return ""
			}
		}
	}
	for _, file := range files { // those that are compiled whether others use them or not
		if !add(within(-1, roots[0], file), file) {
			return ""
		}
	}
	for _, entry := range j.options.ClassPath {
		if info, err := os.Stat(entry); err == nil {
			fmt.Fprintf(hash, "%s %d %d\n", entry, info.Size(), info.ModTime().UnixNano())
		}
	}
	if tied {
		fmt.Fprintf(hash, "%s %q\n", j.Workspace, roots)
	}
	return hex.EncodeToString(hash.Sum(nil))[:24]
}

// within is what a file is called below one of the roots, wherever that lies.
func within(number int, root, file string) string {
	name, err := filepath.Rel(root, file)
	if err != nil {
		name = file
	}
	return fmt.Sprintf("%d %s", number, name)
}

// builds is the directory of what was compiled from single files, so that the
// same sources are compiled once.
func (a *adapter) builds() string {
	return a.Store.Path("cache", "java")
}

// newBuildDir makes a directory for a build. It lies where the kept ones do: if we are
// killed before it is removed, it goes with the old of them.
func (a *adapter) newBuildDir() (dir string, err error) {
	parent := a.builds()
	if err := os.MkdirAll(parent, 0o755); err != nil {
		parent = ""
	}
	dir, err = os.MkdirTemp(parent, ".new-")
	if err != nil {
		return "", fmt.Errorf("making a directory for a build: %w", err)
	}
	return prepare.Physical(dir), nil
}

// keptBuild finds an earlier build.
func (a *adapter) keptBuild(key string) (dir string, ok bool) {
	if key == "" {
		return "", false
	}
	dir = filepath.Join(a.builds(), key)
	if !isComplete(dir) {
		return "", false
	}
	now := time.Now()
	if err := os.Chtimes(dir, now, now); err != nil {
		a.Log.Debug("a kept build", "error", err)
	}
	return dir, true
}

// keep puts a build where the next start finds it. Where that fails, the build
// stays the session's own.
func (a *adapter) keep(key, built string) (dir string, ok bool) {
	if key == "" || os.WriteFile(filepath.Join(built, listing), []byte(inventory(built)), 0o600) != nil {
		return "", false
	}
	a.prune()
	dir = filepath.Join(a.builds(), key)
	if err := os.Rename(built, dir); err != nil {
		_, ok := a.keptBuild(key) // another start was quicker
		if ok {
			_ = os.RemoveAll(built)
		}
		return dir, ok
	}
	return dir, true
}

// prune removes the builds that were not used for longest.
func (a *adapter) prune() {
	entries, err := os.ReadDir(a.builds())
	if err != nil || len(entries) <= keptBuilds {
		return
	}
	type build struct {
		path string
		used time.Time
	}
	var old []build
	for _, e := range entries {
		if info, err := e.Info(); err == nil && time.Since(info.ModTime()) > keptFor {
			old = append(old, build{filepath.Join(a.builds(), e.Name()), info.ModTime()})
		}
	}
	slices.SortFunc(old, func(x, y build) int { return cmp.Compare(x.used.UnixNano(), y.used.UnixNano()) })
	for _, b := range old[:min(len(old), len(entries)-keptBuilds)] {
		if err := os.RemoveAll(b.path); err != nil {
			a.Log.Debug("an old build stays", "error", err)
		}
	}
}
