package session

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/policy"
	"aidb-mcp/internal/project/source"
	"aidb-mcp/internal/system/boundedfile"
)

// Code is the code of a session's program: where files and lines are that somebody's
// words mean, and what is written there, as far as the policy lets it be seen. It needs no
// program that runs.
type Code struct {
	adapter adapters.Adapter
	program adapters.Request
	policy  policy.Policy
	files   *source.Files

	file         atomic.Pointer[string] // where "line" without a file points
	toldWithheld atomic.Bool            // that code outside of the policy's folders is not shown
	dirs         func() []string        // in which the program that runs has its sources
	lastPlace    func() string          // the file in which something was looked for last, empty where nothing was
}

// ResolveLocation turns "file:line[:col]", "line" or a function name into a
// spec whose file is absolute.
func (c *Code) ResolveLocation(location string) (BreakpointSpec, error) {
	at, err := source.ParseLocation(location)
	if err != nil {
		return BreakpointSpec{}, err
	}
	spec := BreakpointSpec{File: at.File, Line: at.Line, Column: at.Column, Function: at.Function}
	if spec.Function != "" {
		return spec, nil
	}
	spec.File, err = c.resolveFile(spec.File)
	return spec, err
}

// resolveFile finds the one absolute name of a file; empty is the current file.
// A name alone, or the end of a path, will do where one file of the workspace
// has it. A remote program's files need not exist here.
func (c *Code) resolveFile(name string) (string, error) {
	if filepath.IsAbs(name) && !c.isRemote() { // nothing is told of what lies outside, not even whether it is there
		if err := c.policy.Path("location", name); err != nil {
			return "", err
		}
	}
	path, err := c.findFile(name)
	if err != nil && name != "" && !filepath.IsAbs(name) && !c.isRemote() {
		if outside := c.policy.Path("location", c.Workspace()+string(filepath.Separator)+name); outside != nil {
			return "", outside
		}
	}
	if err != nil || !filepath.IsAbs(path) {
		return path, err
	}
	if _, missing := os.Stat(path); missing != nil && c.isRemote() {
		return path, nil
	}
	if err := c.policy.Path("location", path); err != nil {
		return path, err
	}
	if kind := boundedfile.Special(path); kind != "" && !c.isRemote() { // debuggers would read it
		return path, fault.New(fault.InvalidLocation, "%s is %s: not a regular file", c.Rel(path), kind).WithHint("name a source file")
	}
	return path, nil
}

// isRemote says whether the program's files may be on another machine.
func (c *Code) isRemote() bool {
	mode := c.program.Mode
	return mode == adapters.RemoteAttach || mode == adapters.Core
}

func (c *Code) findFile(name string) (string, error) {
	if name == "" {
		return c.currentFile()
	}
	path, err := source.Canonical(name, c.roots()...)
	if err != nil && c.isRemote() && filepath.IsAbs(name) && errors.Is(err, fs.ErrNotExist) {
		return filepath.Clean(name), nil
	}
	if errors.Is(err, fs.ErrNotExist) {
		if found, ambiguous := source.ByEnd(c.program.Workspace, name); found != "" || ambiguous != nil {
			return found, ambiguous
		}
	}
	return path, err
}

// roots are the directories that relative paths are tried against.
func (c *Code) roots() []string {
	p := c.program
	roots := []string{p.Workspace}
	add := func(dir string) {
		if dir == "" {
			return
		}
		if !filepath.IsAbs(dir) {
			dir = filepath.Join(p.Workspace, dir)
		}
		roots = append(roots, dir)
	}
	add(p.Cwd)
	for _, dir := range c.dirs() {
		add(dir)
	}
	add(targetDir(p.Workspace, p.Target))
	return append(roots, ".")
}

// currentFile is where the program stood last, else the program's own file.
func (c *Code) currentFile() (string, error) {
	if file := c.file.Load(); file != nil {
		return *file, nil
	}
	if file := c.lastPlace(); file != "" {
		return file, nil
	}
	target := c.program.Target
	if path, err := source.Canonical(target, c.program.Workspace, "."); err == nil {
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() && slices.Contains(c.adapter.Info().Extensions, filepath.Ext(path)) {
			return path, nil
		}
	}
	return "", fault.New(fault.InvalidLocation, "there is no current file yet").
		WithHint(`name the file: "pkg/file.go:42"`).WithField("location")
}

// StatementLocation is "file:line" of the one line of a file that holds a
// statement; the file may be given with a line near it.
func (c *Code) StatementLocation(location, statement string) (string, error) {
	at, err := source.ParseLocation(location)
	if err != nil {
		return "", err
	}
	file := at.File
	if file == "" {
		file = location
	}
	if file, err = c.resolveFile(file); err != nil {
		return "", err
	}
	line, err := c.statementLine(file, statement, at.Line)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%s:%d", file, line), nil
}

// statementLine finds the one line that holds a statement.
func (c *Code) statementLine(file, statement string, near int) (int, error) {
	lines, err := c.files.FindStatement(file, statement, near)
	if err != nil {
		return 0, err
	}
	if len(lines) == 1 || near > 0 {
		return lines[0], nil
	}
	shown := make([]string, 0, 10)
	for _, n := range lines[:min(len(lines), cap(shown))] {
		text, _ := c.files.Text(file, n)
		shown = append(shown, fmt.Sprintf("%d: %s", n, strings.TrimSpace(text)))
	}
	return 0, fault.New(fault.InvalidLocation, "%d lines of %s hold that statement", len(lines), c.Rel(file)).
		WithHint("give the line too; there are %s", strings.Join(shown, " | ")).
		WithField("statement").WithDetails(lines)
}

// unboundReason puts what the source shows before the adapter's own reason.
func (c *Code) unboundReason(file string, line int, reason string) string {
	n, err := c.files.Count(file)
	if err != nil {
		return reason
	}
	if line > n {
		return fmt.Sprintf("the file has only %d lines", n)
	}
	switch kind, _ := c.files.Kind(file, line); kind {
	case source.Blank:
		return fmt.Sprintf("line %d is blank", line)
	case source.Comment:
		return fmt.Sprintf("line %d is a comment", line)
	}
	return reason
}

// nearestCodeLines names the nearest lines with code by the look of the source; none for
// one that looks like code itself, for then they are no better.
func (c *Code) nearestCodeLines(file string, line int) []int {
	n, err := c.files.Count(file)
	if err != nil {
		return nil
	}
	if kind, err := c.files.Kind(file, line); err == nil && kind == source.Code && line <= n {
		return nil
	}
	var found []int
	for d := 1; d <= n && len(found) < 2; d++ {
		for _, at := range []int{min(line, n+1) + d, min(line, n+1) - d} {
			if at < 1 || at > n {
				continue
			}
			if kind, err := c.files.Kind(file, at); err == nil && kind == source.Code {
				found = append(found, at)
			}
		}
	}
	return found
}

// SourceLines reads the lines [from,to] of the program's source file, through path mappings.
func (c *Code) SourceLines(file string, from, to int) ([]string, error) {
	return c.files.Lines(c.localPath(file), from, to)
}

// localPath finds a file of the program on this machine.
func (c *Code) localPath(file string) string {
	if _, err := os.Stat(file); err == nil {
		return file
	}
	p := c.program
	for _, m := range p.PathMappings {
		if rest, below := source.Below(file, m.Remote); below {
			return filepath.Join(m.Local, rest)
		}
	}
	slashed := strings.Split(filepath.ToSlash(file), "/")
	for _, root := range append(p.SourcePaths, p.Workspace) {
		for i := 1; i < len(slashed); i++ {
			try := filepath.Join(append([]string{root}, slashed[i:]...)...)
			if info, err := os.Stat(try); err == nil && info.Mode().IsRegular() {
				return try
			}
		}
	}
	return file
}

// Language is the adapter's language, such as "go".
func (c *Code) Language() string { return c.adapter.Info().Language }

// Workspace is the absolute root that paths are shown relative to.
func (c *Code) Workspace() string { return c.program.Workspace }

// Rel shows a path the way replies do: relative to the workspace when inside it.
func (c *Code) Rel(path string) string { return source.Rel(c.Workspace(), path) }

// unsupportedError says that this adapter lacks a capability, and what it can do instead.
func (c *Code) unsupportedError(what, instead string) error {
	return fault.New(fault.NotSupported, "%s (%s) has no %s", c.adapter.Info().Name, c.Language(), what).
		WithHint("%s", instead)
}

// withheldReason says why the source of a frame is not shown, once a session; empty
// when it is, or was told before.
func (c *Code) withheldReason(f *Frame) string {
	if !c.policy.Confined() || f == nil || f.File == "" { // nothing is read for the many that are not
		return ""
	}
	if _, err := c.SourceLines(f.File, 1, 1); !fault.Is(err, fault.PolicyDenied) {
		return ""
	}
	if c.toldWithheld.Swap(true) {
		return ""
	}
	return fmt.Sprintf("the code of %s is not shown: it lies outside of the folders that this server may use", c.Rel(f.File))
}
