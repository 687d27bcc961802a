package session

import (
	"cmp"
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
	"aidb-mcp/internal/project/source"
	"aidb-mcp/internal/system/boundedfile"
	"aidb-mcp/session/breakpoints"
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
// A name alone, or the end of a path, will do where one file of the workspace
// has it. A remote program's files need not exist here.
func (s *Session) resolveFile(name string) (string, error) {
	if filepath.IsAbs(name) && !s.isRemote() { // nothing is told of what lies outside, not even whether it is there
		if err := s.manager.policy.Path("location", name); err != nil {
			return "", err
		}
	}
	path, err := s.findFile(name)
	if err != nil && name != "" && !filepath.IsAbs(name) && !s.isRemote() {
		if outside := s.manager.policy.Path("location", s.Workspace()+string(filepath.Separator)+name); outside != nil {
			return "", outside
		}
	}
	if err != nil || !filepath.IsAbs(path) {
		return path, err
	}
	if _, missing := os.Stat(path); missing != nil && s.isRemote() {
		return path, nil
	}
	if err := s.manager.policy.Path("location", path); err != nil {
		return path, err
	}
	if kind := boundedfile.Special(path); kind != "" && !s.isRemote() { // debuggers would read it
		return path, fault.New(fault.InvalidLocation, "%s is %s: not a regular file", s.Rel(path), kind).WithHint("name a source file")
	}
	return path, nil
}

// isRemote says whether the program's files may be on another machine.
func (s *Session) isRemote() bool {
	mode := s.request.Program.Mode
	return mode == adapters.RemoteAttach || mode == adapters.Core
}

func (s *Session) findFile(name string) (string, error) {
	if name == "" {
		return s.currentFile()
	}
	path, err := source.Canonical(name, s.roots()...)
	if err != nil && s.isRemote() && filepath.IsAbs(name) && errors.Is(err, fs.ErrNotExist) {
		return filepath.Clean(name), nil
	}
	if errors.Is(err, fs.ErrNotExist) {
		if found, ambiguous := source.ByEnd(s.request.Program.Workspace, name); found != "" || ambiguous != nil {
			return found, ambiguous
		}
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
	if l := s.currentRun(); l != nil && l.plan() != nil {
		add(l.plan().Dir)
		if isAttached(l.plan()) { // nothing else tells where its sources lie
			for _, dir := range l.plan().Modules {
				add(dir)
			}
		}
	}
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
	if file := s.file.Load(); file != nil {
		return *file, nil
	}
	if all := s.breakpoints.List(); len(all) > 0 && all[len(all)-1].Path() != "" {
		return all[len(all)-1].Path(), nil
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

// newWish validates what is asked for as far as files tell.
func (s *Session) newWish(spec BreakpointSpec) (breakpoints.Wish, error) {
	w := breakpoints.Wish{
		Kind:         LineBreakpoint,
		Column:       spec.Column,
		Condition:    breakpoints.ParseExpression(spec.Condition),
		HitCondition: strings.TrimSpace(spec.HitCondition),
		LogMessage:   spec.LogMessage,
	}
	for _, e := range spec.Show {
		w.Show = append(w.Show, breakpoints.ParseExpression(e))
	}
	if w.HitCondition != "" {
		if _, _, ok := breakpoints.ParseHit(w.HitCondition); !ok {
			return w, fault.New(fault.InvalidParam, "hit condition %q cannot be read", spec.HitCondition).
				WithHint(`use a count from 1, alone or after an operator: "5", ">5", ">=5", "<5", "<=5", "==5", "%%5"`).
				WithField("hit_condition")
		}
	}
	if err := s.checkSpec(spec); err != nil {
		return w, err
	}
	if spec.ID != 0 {
		return s.wishFor(spec.ID, w)
	}
	var err error
	if spec.Function != "" {
		w.Kind, w.Function = FunctionBreakpoint, spec.Function
		if spec.File != "" {
			w.File, err = s.resolveFile(spec.File)
		}
		return w, err
	}
	if w.File, err = s.resolveFile(spec.File); err != nil {
		return w, err
	}
	w.Line = spec.Line
	if spec.Statement != "" {
		if w.Line, err = s.statementLine(w.File, spec.Statement, spec.Line); err != nil {
			return w, err
		}
	}
	if w.Line < 1 {
		return w, fault.New(fault.InvalidLocation, "the breakpoint in %s has no line", s.Rel(w.File)).
			WithHint("give line, statement or function").WithField("line")
	}
	return w, nil
}

// wishFor is the wish of a breakpoint that is there, with what w asks for changed.
func (s *Session) wishFor(id int, w breakpoints.Wish) (breakpoints.Wish, error) {
	b, known := s.breakpoints.Get(id)
	if !known || b.Temporary {
		return w, s.noBreakpointError(fmt.Sprintf("there is no breakpoint %d", id))
	}
	changed := b.Wish
	if w.Condition.Text != "" {
		changed.Condition = w.Condition
	}
	changed.HitCondition = cmp.Or(w.HitCondition, b.HitCondition)
	changed.LogMessage = cmp.Or(w.LogMessage, b.LogMessage)
	if len(w.Show) > 0 {
		changed.Show = w.Show
	}
	return changed, nil
}

// StatementLocation is "file:line" of the one line of a file that holds a
// statement; the file may be given with a line near it.
func (s *Session) StatementLocation(location, statement string) (string, error) {
	at, err := source.ParseLocation(location)
	if err != nil {
		return "", err
	}
	file := at.File
	if file == "" {
		file = location
	}
	if file, err = s.resolveFile(file); err != nil {
		return "", err
	}
	line, err := s.statementLine(file, statement, at.Line)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%s:%d", file, line), nil
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

// addStartBreakpoints takes in the breakpoints of a new session, before anything is started:
// each stands for itself, also where several share a place.
func (s *Session) addStartBreakpoints(r StartRequest) error {
	if err := s.checkEvaluate("show", r.Show...); err != nil {
		return err
	}
	for _, spec := range r.Break {
		w, err := s.newWish(spec)
		if err != nil {
			return err
		}
		s.breakpoints.Add(w, s.files)
	}
	return nil
}

// explainUnbound says of breakpoints (of all when none are named) why they are
// not bound and what would bind instead.
func (s *Session) explainUnbound(ctx context.Context, l *run, k *connection, ids ...int) {
	unbound := s.breakpoints.Unbound(ids...)
	for _, id := range unbound {
		s.explain(ctx, l, k, id)
	}
}

func (s *Session) explain(ctx context.Context, l *run, k *connection, id int) {
	b := s.breakpoint(id)
	can := l.plan().Capabilities.Breakpoints
	var nearest []int
	var similar []string
	message := s.breakpoints.Reason(id)
	if why, ok := s.breakpoints.Sendable(id, k.breakpointConnection()); !ok {
		message = why
	}
	message = l.plainReason(message)
	if l.isPending(message) {
		s.breakpoints.Explain(id, message, nil, nil)
		return
	}
	if b.Kind == FunctionBreakpoint {
		similar = b.Similar
		if can.Functions != nil {
			similar, _ = can.Functions(ctx, k, b.Function, 5)
		}
		similar = slices.DeleteFunc(similar, func(name string) bool { return name == b.Function }) // it has just failed
	} else {
		if can.Lines != nil {
			line := b.Line
			if n, err := s.files.Count(b.File); err == nil {
				line = min(line, n)
			}
			nearest, _ = can.Lines(ctx, k, b.File, line, 3)
		} else {
			nearest = s.nearestCodeLines(b.File, b.Line)
		}
		message = s.unboundReason(b.File, b.Line, message)
	}
	s.breakpoints.Explain(id, message, nearest, similar)
}

// isPending says by an adapter's reason that a breakpoint waits for its file.
func (l *run) isPending(reason string) bool {
	pending := l.plan().Capabilities.Breakpoints.Pending
	return pending != nil && pending(reason)
}

// unboundReason puts what the source shows before the adapter's own reason.
func (s *Session) unboundReason(file string, line int, reason string) string {
	n, err := s.files.Count(file)
	if err != nil {
		return reason
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
	return reason
}

// nearestCodeLines names the nearest lines with code by the look of the source; none for
// one that looks like code itself, for then they are no better.
func (s *Session) nearestCodeLines(file string, line int) []int {
	n, err := s.files.Count(file)
	if err != nil {
		return nil
	}
	if kind, err := s.files.Kind(file, line); err == nil && kind == source.Code && line <= n {
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
