package session

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/source"
)

// ResolveLocation turns "file:line[:col]", "line" or a function name into a
// spec whose file is absolute.
func (s *Session) ResolveLocation(location string) (BreakpointSpec, error) {
	at, err := source.ParseLocation(location)
	if err != nil {
		return BreakpointSpec{}, err
	}
	spec := BreakpointSpec{File: at.File, Line: at.Line, Column: at.Column, Function: at.Function}
	if spec.Function != "" {
		return spec, nil
	}
	spec.File, err = s.resolveFile(spec.File)
	return spec, err
}

// resolveFile finds the one absolute name of a file; empty is the current file.
// A remote program's files need not exist here.
func (s *Session) resolveFile(name string) (string, error) {
	if name == "" {
		return s.currentFile()
	}
	path, err := source.Canonical(name, s.roots()...)
	remote := s.request.Program.Mode == adapters.RemoteAttach || s.request.Program.Mode == adapters.Core
	if err != nil && remote && filepath.IsAbs(name) && errors.Is(err, fs.ErrNotExist) {
		return filepath.Clean(name), nil
	}
	return path, err
}

// roots are the directories that relative paths are tried against.
func (s *Session) roots() []string {
	p := s.request.Program
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
	s.mu.Lock()
	if l := s.life; l != nil && l.plan != nil {
		add(l.plan.Dir)
	}
	s.mu.Unlock()
	add(targetDir(p.Workspace, p.Target))
	return append(roots, ".")
}

// targetDir is the directory that a target on disk is or lies in, else empty.
func targetDir(workspace, target string) string {
	if target == "" {
		return ""
	}
	if !filepath.IsAbs(target) {
		target = filepath.Join(workspace, target)
	}
	info, err := os.Stat(target)
	switch {
	case err != nil:
		return ""
	case info.IsDir():
		return target
	}
	return filepath.Dir(target)
}

// currentFile is where the program stood last, else the program's own file.
func (s *Session) currentFile() (string, error) {
	s.mu.Lock()
	file := s.file
	if file == "" && len(s.store.entries) > 0 {
		file = s.store.entries[len(s.store.entries)-1].File
	}
	s.mu.Unlock()
	if file != "" {
		return file, nil
	}
	target := s.request.Program.Target
	if path, err := source.Canonical(target, s.request.Program.Workspace, "."); err == nil {
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() && slices.Contains(s.adapter.Info().Extensions, filepath.Ext(path)) {
			return path, nil
		}
	}
	return "", fault.New(fault.InvalidLocation, "there is no current file yet").
		WithHint(`name the file: "pkg/file.go:42"`).WithField("location")
}

// entryFor validates what is asked for as far as files tell.
func (s *Session) entryFor(spec BreakpointSpec) (*entry, error) {
	if spec.HitCondition != "" {
		if _, _, ok := parseHit(spec.HitCondition); !ok {
			return nil, fault.New(fault.InvalidParam, "hit condition %q cannot be read", spec.HitCondition).
				WithHint(`use a count from 1, alone or after an operator: "5", ">5", ">=5", "<5", "<=5", "==5", "%%5"`).
				WithField("hit_condition")
		}
	}
	e := &entry{Breakpoint: Breakpoint{
		Kind:         LineBreakpoint,
		Column:       spec.Column,
		Condition:    strings.TrimSpace(spec.Condition),
		HitCondition: strings.TrimSpace(spec.HitCondition),
		LogMessage:   spec.LogMessage,
		Enabled:      true,
	}}
	if spec.Function != "" {
		e.Kind, e.Function = FunctionBreakpoint, spec.Function
		return e, nil
	}
	file, err := s.resolveFile(spec.File)
	if err != nil {
		return nil, err
	}
	line := spec.Line
	if spec.Statement != "" {
		if line, err = s.statementLine(file, spec.Statement, spec.Line); err != nil {
			return nil, err
		}
	}
	if line < 1 {
		return nil, fault.New(fault.InvalidLocation, "the breakpoint in %s has no line", s.Rel(file)).
			WithHint("give line, statement or function").WithField("line")
	}
	e.File, e.asked, e.Line = file, line, line
	return e, nil
}

// statementLine finds the one line that holds a statement.
func (s *Session) statementLine(file, statement string, near int) (int, error) {
	lines, err := s.files.FindStatement(file, statement, near)
	if err != nil {
		return 0, err
	}
	if len(lines) == 1 || near > 0 {
		return lines[0], nil
	}
	shown := make([]string, 0, 10)
	for _, n := range lines[:min(len(lines), cap(shown))] {
		text, _ := s.files.Text(file, n)
		shown = append(shown, fmt.Sprintf("%d: %s", n, strings.TrimSpace(text)))
	}
	return 0, fault.New(fault.InvalidLocation, "%d lines of %s hold that statement", len(lines), s.Rel(file)).
		WithHint("give the line too; there are %s", strings.Join(shown, " | ")).
		WithField("statement").WithDetails(lines)
}

// accept takes in the breakpoints of a new session, before anything is started.
func (s *Session) accept(r StartRequest) error {
	for _, spec := range r.Break {
		e, err := s.entryFor(spec)
		if err != nil {
			return err
		}
		s.mu.Lock()
		s.place(e)
		s.mu.Unlock()
	}
	return nil
}

// explainUnbound says of entries (of all when none are named) why they are not
// bound and what would bind instead.
func (s *Session) explainUnbound(ctx context.Context, l *life, k *link, entries ...*entry) {
	s.mu.Lock()
	if entries == nil {
		entries = append(entries, s.store.entries...)
	}
	var unbound []*entry
	for _, e := range entries {
		if !e.Verified && e.Enabled && !e.Temporary && !e.lost && e.Kind != WatchBreakpoint {
			unbound = append(unbound, e)
		}
	}
	s.mu.Unlock()
	for _, e := range unbound {
		s.explain(ctx, l, k, e)
	}
}

func (s *Session) explain(ctx context.Context, l *life, k *link, e *entry) {
	b := s.breakpoint(e)
	finder, canFind := l.plan.Dialect.(adapters.LineFinder)
	var nearest []int
	var similar []string
	s.mu.Lock()
	message := e.said
	if b.Kind == FunctionBreakpoint && !k.caps.SupportsFunctionBreakpoints && !e.asLine && e.soughtBy != l {
		message = noFunctions
	}
	s.mu.Unlock()
	if plain, _ := l.plan.Dialect.Fault("setBreakpoints", errors.New(message)); plain != "" && message != "" {
		message = plain
	}
	if b.Kind == FunctionBreakpoint {
		similar = b.Similar
		if canFind {
			similar, _ = finder.Functions(ctx, k, b.Function, 5)
		}
	} else {
		if canFind {
			line := b.Line
			if n, err := s.files.Count(b.File); err == nil {
				line = min(line, n)
			}
			nearest, _ = finder.Lines(ctx, k, b.File, line, 3)
		} else {
			nearest = s.codeLines(b.File, b.Line)
		}
		message = s.whyUnbound(b.File, b.Line, message)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	e.Message, e.Nearest, e.Similar = message, nearest, similar
}

const noFunctions = "this debug adapter has no function breakpoints; use file:line"

// whyUnbound puts what the source says before what the adapter says.
func (s *Session) whyUnbound(file string, line int, said string) string {
	n, err := s.files.Count(file)
	if err != nil {
		return said
	}
	if line > n {
		return fmt.Sprintf("the file has only %d lines", n)
	}
	switch kind, _ := s.files.Kind(file, line); kind {
	case source.Blank:
		return fmt.Sprintf("line %d is blank", line)
	case source.Comment:
		return fmt.Sprintf("line %d is a comment", line)
	}
	return said
}

// codeLines names the nearest lines with code by the look of the source.
func (s *Session) codeLines(file string, line int) []int {
	n, err := s.files.Count(file)
	if err != nil {
		return nil
	}
	var found []int
	for d := 1; d <= n && len(found) < 2; d++ {
		for _, at := range []int{min(line, n+1) + d, min(line, n+1) - d} {
			if at < 1 || at > n {
				continue
			}
			if kind, err := s.files.Kind(file, at); err == nil && kind == source.Code {
				found = append(found, at)
			}
		}
	}
	return found
}

// SourceLines reads the lines [from,to] of the program's source file, through path mappings.
func (s *Session) SourceLines(file string, from, to int) ([]string, error) {
	return s.files.Lines(s.localPath(file), from, to)
}

// localPath finds a file of the program on this machine.
func (s *Session) localPath(file string) string {
	if _, err := os.Stat(file); err == nil {
		return file
	}
	p := s.request.Program
	for _, m := range p.PathMappings {
		if rest, ok := strings.CutPrefix(file, m.Remote); ok && m.Remote != "" {
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
