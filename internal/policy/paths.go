package policy

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"aidb-mcp/internal/text/pattern"
)

// root is a folder that may be used.
type root struct {
	given string // absolute, as the user named it
	real  string // without symbolic links
}

// Within is the policy with these folders as the only ones that may be used.
func (p Policy) Within(dirs []string) (Policy, error) {
	p.roots = nil
	for _, dir := range dirs {
		given, err := filepath.Abs(dir)
		if err != nil {
			return p, fmt.Errorf("--allow-root %s: %w", dir, err)
		}
		real, err := filepath.EvalSymlinks(given)
		if errors.Is(err, fs.ErrNotExist) {
			return p, fmt.Errorf("--allow-root %s: there is no such directory", dir)
		}
		if err != nil {
			return p, fmt.Errorf("--allow-root %s: %w", dir, err)
		}
		if info, err := os.Stat(real); err != nil || !info.IsDir() {
			return p, fmt.Errorf("--allow-root %s is not a directory", dir)
		}
		p.roots = append(p.roots, root{given, real})
	}
	return p, nil
}

// Confined says that only some folders may be used.
func (p Policy) Confined() bool { return len(p.roots) > 0 }

// First is the first folder that may be used, empty when all may.
func (p Policy) First() string {
	if !p.Confined() {
		return ""
	}
	return p.roots[0].given
}

// Allows says whether an absolute path lies in a folder that may be used, once
// every symbolic link on the way is followed, and every ".." after that.
func (p Policy) Allows(path string) bool {
	if !p.Confined() {
		return true
	}
	// A program that is given the path may take ".." by its text or follow the
	// link before it; both must stay inside.
	for _, way := range []string{path, filepath.Clean(path)} {
		real, err := resolve(way)
		if err != nil || !slices.ContainsFunc(p.roots, func(r root) bool { return inside(r.real, real) }) {
			return false
		}
	}
	return true
}

// Path refuses an absolute path outside; param is where it was named.
func (p Policy) Path(param, path string) error {
	if p.Allows(path) {
		return nil
	}
	where := filepath.Clean(path)
	if real, err := resolve(path); err == nil && real != where {
		where += " (which is " + real + ")"
	}
	return denial(param, "%s lies outside of the folders that this server may use", where).
		WithHint("allowed is what lies below %s, symbolic links followed; the user of the server sets it with --allow-root", p.folders())
}

// Located refuses a path as a call names it: absolute, or relative to the
// workspace, else to the server's directory where it exists only there. Cwd is
// another directory of the call from which it may start, empty for none.
func (p Policy) Located(param, path, workspace, cwd string) error {
	if !p.Confined() || path == "" {
		return nil
	}
	if err := p.Path(param, locate(path, workspace)); err != nil || cwd == "" || starts(path) {
		return err
	}
	return p.Path(param, locate(cwd, workspace)+string(filepath.Separator)+path)
}

// Text refuses a text that is passed on (an option, an argument of a build) when
// it is a path outside, or assigns one.
func (p Policy) Text(param, text, workspace string) error {
	if !p.Confined() {
		return nil
	}
	_, value, _ := strings.Cut(text, "=")
	parts := []string{text, value}
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" \t,='\"", r) }) { // -Wl,-T,/x and -ldflags='-r /x'
		parts = append(parts, strings.TrimPrefix(word, "@"), gluedOption.ReplaceAllString(word, "")) // a file of more arguments, or -I/x
	}
	if !strings.Contains(text, "://") { // a list of paths
		parts = append(parts, filepath.SplitList(value)...)
		parts = append(parts, filepath.SplitList(text)...)
	}
	for _, part := range parts {
		if !leads(part) {
			continue
		}
		if err := p.Located(param, part, workspace, ""); err != nil {
			return err
		}
	}
	return nil
}

// gluedOption matches options of compilers and linkers whose path may stand in the same word.
var gluedOption = pattern.New(`^-(?:include-pch|include|imacros|isystem|iquote|idirafter|iprefix|isysroot|iwithprefix|[ILBFT])`)

// leads says that a text is a path that may lead out of the workspace.
func leads(text string) bool {
	if strings.Contains(text, "\n") {
		return false
	}
	return starts(text) || slices.Contains(strings.FieldsFunc(text, func(r rune) bool { return r == '/' || r == filepath.Separator }), "..")
}

// Tool refuses a program that only runs others (an interpreter, a toolchain)
// unless it lies inside, be it as a link, or in a directory of PATH.
func (p Policy) Tool(param, path, workspace string) error {
	if !p.Confined() || path == "" || !strings.ContainsRune(filepath.ToSlash(path), '/') {
		return nil
	}
	path = locate(path, workspace)
	for _, dir := range filepath.SplitList(os.Getenv("PATH")) {
		if filepath.IsAbs(dir) && filepath.Clean(dir) == filepath.Dir(path) {
			return nil
		}
	}
	if p.Allows(filepath.Dir(path)) {
		return nil
	}
	return p.Path(param, path)
}

// Process is a process as far as is known of it.
type Process struct {
	Program string   // its executable
	Dir     string   // it works in
	Args    []string // without the executable
}

// Process refuses a process that runs no code of the folders: its executable lies
// outside, and so does what that runs as an interpreter: the first argument
// that is a file, else the directory it works in.
func (p Policy) Process(param string, pid int, is Process) error {
	if !p.Confined() {
		return nil
	}
	code := is.Program
	if !p.Allows(is.Program) || is.Program == "" {
		if code = is.code(); code != "" && code != is.Program && p.Allows(code) {
			return nil
		}
	}
	if code == "" {
		return denial(param, "what process %d runs cannot be told, so that it counts as outside of the folders that this server may use", pid).
			WithHint("allowed are programs below %s", p.folders())
	}
	if p.Allows(code) {
		return nil
	}
	return denial(param, "process %d runs %s, which lies outside of the folders that this server may use", pid, code).
		WithHint("allowed are programs below %s, symbolic links followed", p.folders())
}

// code is what an interpreter runs, as far as its arguments tell.
func (is Process) code() string {
	for _, arg := range is.Args {
		path := arg
		if !filepath.IsAbs(path) {
			path = filepath.Join(is.Dir, path)
		}
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
			return path
		}
	}
	return is.Dir
}

func (p Policy) folders() string {
	names := make([]string, len(p.roots))
	for i, r := range p.roots {
		names[i] = r.given
	}
	return strings.Join(names, " or ")
}

// locate is where a path leads that a call names.
func locate(path, workspace string) string {
	path = strings.TrimPrefix(path, "file://")
	if rest, ok := strings.CutPrefix(path, "~/"); ok {
		if home, err := os.UserHomeDir(); err == nil {
			return home + string(filepath.Separator) + rest
		}
	}
	if filepath.IsAbs(path) {
		return path
	}
	there := workspace + string(filepath.Separator) + path
	if _, err := os.Stat(there); err != nil {
		if here, err := os.Getwd(); err == nil {
			here += string(filepath.Separator) + path
			if _, err := os.Stat(here); err == nil {
				return here
			}
		}
	}
	return there
}

// starts says that a path says itself where it starts.
func starts(path string) bool {
	return filepath.IsAbs(path) || strings.HasPrefix(path, "~/") || strings.HasPrefix(path, "file://")
}

// resolve follows the symbolic links of a path as far as it exists; what does
// not is below the last directory that does. A link that leads nowhere is an
// error: whoever writes to it would make what it names.
func resolve(path string) (string, error) {
	real, err := filepath.EvalSymlinks(path)
	if err == nil || !errors.Is(err, fs.ErrNotExist) {
		return real, err
	}
	if _, exists := os.Lstat(path); exists == nil {
		return "", fmt.Errorf("%s leads nowhere", path)
	}
	parent := filepath.Dir(strings.TrimRight(path, string(filepath.Separator)))
	if parent == path {
		return path, nil
	}
	if real, err = resolve(parent); err != nil {
		return "", err
	}
	return filepath.Join(real, filepath.Base(path)), nil
}

// inside says that a path is a folder or lies below it.
func inside(dir, path string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}
