package build

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"aidb-mcp/adapters/prepare"
	"aidb-mcp/internal/system/boundedfile"
)

// keep is the place of one compilation in the cache: the program of the same
// source and the same command line, with what it was made of. Each build has a
// folder of its own there, so that a program that is being debugged is never
// written over.
type keep struct {
	dir     string
	from    string // where the compiler is started
	command []string
}

// stamp says which program is the last and what it was made of.
type stamp struct {
	Program string            `json:"program"`
	Command []string          `json:"command"`
	Files   map[string]string `json:"files"` // what tells each from others, by its path
}

const (
	maxKept  = 24 // compilations and build trees in the cache
	maxBuilt = 3  // programs of one compilation
)

// CacheDir is where programs and build trees of ours are kept for a user.
func CacheDir() (string, error) {
	user, err := os.UserCacheDir()
	if err != nil { // anybody could have made one in the temporary directory, with programs in it
		return "", err
	}
	return filepath.Join(user, "aidb-mcp", "build"), nil
}

// Locks is the folder in the cache by which builds of one project wait for each other,
// whichever server makes them.
const Locks = ".locks"

// cacheDir is where our own build results lie.
func (j *job) cacheDir() (string, error) {
	dir := j.o.Cache
	if dir == "" {
		own, err := CacheDir()
		if err != nil {
			return "", err
		}
		dir = own
	}
	return dir, os.MkdirAll(dir, 0o755)
}

// room is the folder in the cache for something named by a path and what makes
// it different from others with that path. Folders long unused are removed.
func (j *job) room(path string, more ...string) (string, error) {
	cache, err := j.cacheDir()
	if err != nil {
		return "", fmt.Errorf("making the build cache: %w", err)
	}
	sum := sha256.Sum256([]byte(path + "\x00" + strings.Join(more, "\x00")))
	dir := filepath.Join(cache, stem(path)+"-"+hex.EncodeToString(sum[:6]))
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", fmt.Errorf("making the build cache: %w", err)
	}
	now := time.Now()
	_ = os.Chtimes(dir, now, now)
	prune(cache, maxKept, time.Hour)
	return dir, nil
}

// prune leaves the n entries of a directory that were used last, and those used
// within the time.
func prune(dir string, n int, within time.Duration) {
	type entry struct {
		path string
		used time.Time
	}
	var list []entry
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if info, err := e.Info(); err == nil && e.IsDir() && e.Name()[0] != '.' {
			list = append(list, entry{filepath.Join(dir, e.Name()), info.ModTime()})
		}
	}
	slices.SortFunc(list, func(a, b entry) int { return cmp.Compare(b.used.UnixNano(), a.used.UnixNano()) })
	for i, e := range list {
		if i >= n && time.Since(e.used) > within {
			os.RemoveAll(e.path)
		}
	}
}

func (j *job) keep(compiler string, args []string, file string) (*keep, error) {
	line := append([]string{compiler}, args...)
	dir, err := j.room(file, line...)
	if err != nil {
		return nil, err
	}
	return &keep{dir: dir, from: filepath.Dir(file), command: append(line, file)}, nil
}

// program is the one of the last compilation, if nothing it was made of has
// changed since.
func (k *keep) program() (string, bool) {
	text, err := boundedfile.ReadText(filepath.Join(k.dir, "stamp.json"))
	var last stamp
	if err != nil || json.Unmarshal(text, &last) != nil || !slices.Equal(last.Command, k.command) || len(last.Files) == 0 {
		return "", false
	}
	for path, state := range last.Files {
		if fileState(path) != state {
			return "", false
		}
	}
	return last.Program, prepare.IsFile(last.Program)
}

// begin makes the folder of a new compilation.
func (k *keep) begin() (string, error) { return os.MkdirTemp(k.dir, "b") }

// finish notes what the program was made of, as the compiler wrote it down. A
// note that cannot be written costs only a compilation.
func (k *keep) finish(program, deps string) {
	now := stamp{Program: program, Command: k.command, Files: map[string]string{k.command[0]: fileState(k.command[0])}}
	text, err := boundedfile.ReadText(deps)
	if err != nil || slices.ContainsFunc(k.command[1:len(k.command)-1], isAnySource) {
		return // the list would be of one source of several
	}
	for _, path := range dependencies(string(text)) {
		if !filepath.IsAbs(path) {
			path = filepath.Join(k.from, path)
		}
		now.Files[path] = fileState(path)
	}
	note, err := json.Marshal(now)
	if err != nil {
		return
	}
	next := filepath.Join(filepath.Dir(program), "stamp.json")
	if os.WriteFile(next, note, 0o644) == nil {
		_ = os.Rename(next, filepath.Join(k.dir, "stamp.json"))
	}
	prune(k.dir, maxBuilt, time.Hour)
}

// largestRead is how big a file may be to be told by what is in it: sources are, compilers
// are not.
const largestRead = 4 << 20

// fileState changes when a file does: when its content changes, since a file that was
// restored or copied can be older than what was made of another one.
func fileState(path string) string {
	info, err := os.Stat(path)
	if err != nil {
		return ""
	}
	if info.Mode().IsRegular() && info.Size() <= largestRead {
		text, err := os.ReadFile(path)
		if err != nil {
			return ""
		}
		sum := sha256.Sum256(text)
		return hex.EncodeToString(sum[:])
	}
	return fmt.Sprintf("%d %d", info.Size(), info.ModTime().UnixNano())
}

// dependencies reads the files of a make rule's first target; a space in a name
// is written with a backslash.
func dependencies(rule string) []string {
	rule = strings.ReplaceAll(strings.ReplaceAll(rule, "\\\r\n", " "), "\\\n", " ")
	first, _, _ := strings.Cut(rule, "\n")
	_, list, ok := strings.Cut(first, ": ")
	if !ok {
		return nil
	}
	list = strings.ReplaceAll(list, `\ `, "\x00")
	var files []string
	for name := range strings.FieldsSeq(list) {
		files = append(files, strings.ReplaceAll(name, "\x00", " "))
	}
	return files
}
