package session

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/project/mapping"
	"aidb-mcp/internal/project/source"
	"aidb-mcp/internal/system/process"
)

// Mapping is a path mapping that was found, with what shows that it is right.
type Mapping struct {
	adapters.PathMapping
	Evidence string
}

// filesNamed bounds how many files of a program are named in one sentence.
const filesNamed = 3

// withMappings is the request with the path mappings that follow from plain evidence,
// where the user has given none: the program that is attached to may have been
// started from another directory than this one, or in a container. Of those that
// the user has given it says which lead nowhere.
func (l *run) withMappings(ctx context.Context, r adapters.Request) adapters.Request {
	files := l.s.adapter.Services().Files
	if files == nil || !r.Attaches() {
		return r
	}
	program := knownProgram(ctx, files, r)
	if len(r.PathMappings) > 0 {
		l.notices.warnUnusedMappings(r, program)
		return r
	}
	here := mapping.Workspace{Root: r.Workspace, May: l.s.manager.policy.Allows}
	for _, b := range l.s.Breakpoints() {
		if b.File != "" {
			here.Wanted = append(here.Wanted, b.File)
		}
	}
	var found []Mapping
	for _, m := range mapping.Find(here, program) {
		pair := adapters.PathMapping{Local: m.Local, Remote: m.Remote}
		evidence := source.Rel(r.Workspace, m.File) + " is the only file here with that end of its path; its content there could not be compared"
		if m.Compared {
			evidence = source.Rel(r.Workspace, m.File) + " has the same content there"
		}
		r.PathMappings = append(r.PathMappings, pair)
		found = append(found, Mapping{pair, evidence})
	}
	switch runsHere := slices.ContainsFunc(slices.Concat(program.Files, program.Dirs), func(path string) bool { _, in := source.Below(path, r.Workspace); return in }); {
	case runsHere || len(found) > 0:
	case len(l.s.request.Mounts) > 0:
		for found = l.s.request.Mounts; len(r.PathMappings) < len(found); {
			r.PathMappings = append(r.PathMappings, found[len(r.PathMappings)].PathMapping)
		}
	case len(here.Wanted) > 0:
		l.notices.warnForeignSources(program)
	}
	l.notices.setMappings(found)
	return r
}

// knownProgram is what is known of a program before it is attached to.
func knownProgram(ctx context.Context, files func(context.Context, adapters.Request) []string, r adapters.Request) mapping.Program {
	r.Debuggee = adapters.FindDebuggee(r)
	program := mapping.Program{Files: files(ctx, r)}
	if pid := r.Debuggee.PID; pid != 0 {
		program.Root = fmt.Sprintf("/proc/%d/root", pid)
		if dir, _ := process.WorkOf(pid); dir != "" {
			program.Dirs = []string{dir}
		}
	}
	return program
}

// warnUnusedMappings warns of mappings that the user has given and the program has
// nothing for.
func (n *notices) warnUnusedMappings(r adapters.Request, program mapping.Program) {
	for _, m := range r.PathMappings {
		if has, sure := mapping.Has(program, m.Remote); sure && !has {
			n.add(fmt.Sprintf("path_mappings: the program has nothing at %s; %s", m.Remote, filesOf(program)))
		}
	}
}

// warnForeignSources warns that a program runs no file of the workspace, so that no
// breakpoint there can be hit.
func (n *notices) warnForeignSources(program mapping.Program) {
	if len(program.Files) == 0 {
		return
	}
	n.add(fmt.Sprintf("no file of the workspace could be found in the program: %s. Breakpoints in files that it has elsewhere need path_mappings [{local, remote}]", filesOf(program)))
}

// filesOf says where the files of a program lie, by its own paths.
func filesOf(p mapping.Program) string {
	switch {
	case len(p.Files) > 0:
		return "its files are " + strings.Join(p.Files[:min(len(p.Files), filesNamed)], ", ")
	case len(p.Dirs) > 0:
		return "it works in " + p.Dirs[0]
	}
	return "where its files lie is not known"
}
