package native

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"aidb-mcp/adapters"
	"aidb-mcp/adapters/native/build"
	"aidb-mcp/adapters/peer"
	"aidb-mcp/adapters/prepare"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/system/process"
)

// start is one session's way from a program to a debugger that holds it.
type start struct {
	*job
	program
	mappings []mapping
	io       *channels // nil when the program's streams are not ours
	scripts  string    // directory of the debugger's files, and of the session's
	library  string    // directory of our own scripts for the debugger, which may stay
	guard    *guard    // nil for gdb
}

// isLaunched says that the program is started here.
func (s *start) isLaunched() bool { return s.pid == 0 && s.remote == "" && s.program.core == "" }

// kit is what a kind of debugger needs to start.
type kit interface {
	// command is its command line.
	command(s *start) (args, env []string)
	// request is "launch" or "attach" with its arguments.
	request(s *start) (string, any)
	dialect(s *start) dialect
}

// dialect is what a debugger says of a language in its own way.
type dialect interface {
	adapters.Dialect
	Capabilities() adapters.Capabilities
}

func kitOf(kind debuggerKind) kit {
	switch kind {
	case codeLLDB:
		return codeLLDBKit{}
	case lldbDAP:
		return lldbKit{}
	}
	return gdbKit{}
}

// plan puts debugger and program together.
func (j *job) plan(p program) (*adapters.Plan, error) {
	if p.sanitized {
		p.env = underDebugger(p.env, j.debugger.kind)
	}
	scripts, err := j.adapter.Root.Sockets("native-")
	if err != nil {
		return nil, err
	}
	s := &start{job: j, program: p, scripts: scripts, library: j.adapter.scriptLibrary(scripts)}
	closing := sync.OnceFunc(s.close)
	if err := s.prepare(); err != nil {
		closing()
		return nil, err
	}
	k := kitOf(j.debugger.kind)
	d := k.dialect(s)
	warnings := p.warnings
	if s.guard != nil {
		warnings = append(warnings, s.leftOut()...)
	}
	plan := &adapters.Plan{
		Mode:     j.Mode,
		Target:   p.target,
		Dir:      p.dir,
		Modules:  p.modules,
		Program:  p.before,
		Warnings: warnings,
		Open:     func(context.Context) (*adapters.Peer, error) { return s.open(k) },
		Detach:   p.pid != 0 || p.remote != "",
		Dialect:  d, Capabilities: d.Capabilities(),
		Close: closing,
	}
	plan.Request, plan.Arguments = k.request(s)
	j.follow(plan)
	if s.io != nil {
		plan.Streams = s.io.streams()
	}
	return plan, nil
}

// prepare makes what the session needs before the debugger runs.
func (s *start) prepare() error {
	var err error
	if s.mappings, err = s.job.mappings(s.program); err != nil {
		return err
	}
	if s.debugger.kind != gdb {
		s.guard = newGuard(s)
	}
	if s.starts() {
		if s.io, err = openChannels(s.lang == build.CPP); err != nil {
			return fmt.Errorf("making the program's streams: %w", err)
		}
	}
	return nil
}

// starts says that the program is started by the debugger, not found running.
func (s *start) starts() bool { return s.pid == 0 && s.program.core == "" && s.remote == "" }

// open starts the debugger. What it leaves behind goes with it.
func (s *start) open(k kit) (*adapters.Peer, error) {
	args, env := k.command(s)
	p, err := peer.Start(process.Spec{
		Name: string(s.debugger.kind), Path: s.debugger.path, Args: args, Env: env,
		Remove: s.scratchDirs(), Root: s.adapter.Root, Fill: s.fill, Log: s.adapter.Log,
		Release: s.release(),
	})
	if err != nil {
		return nil, fault.New(fault.AdapterNotFound, "%s cannot be started: %w", s.debugger, err).WithHint("%s", s.adapter.remedy(s.debugger.kind))
	}
	return p, nil
}

// fill puts into the session's directory what the debugger reads there.
func (s *start) fill() error {
	if err := s.unpackScripts(); err != nil || s.guard == nil {
		return err
	}
	return s.guard.open(s.guardPath())
}

func (s *start) scratchDirs() []string {
	if s.scratch == "" {
		return []string{s.scripts}
	}
	return []string{s.scripts, s.scratch}
}

func (s *start) close() {
	if s.io != nil {
		s.io.close()
	}
	s.guard.close()
	for _, dir := range s.scratchDirs() {
		if err := os.RemoveAll(dir); err != nil {
			s.adapter.Log.Warn("a scratch directory stays", "dir", filepath.Base(dir), "error", err)
		}
	}
}

// environment as the debuggers want it.
func (s *start) environment() map[string]string {
	env := make(map[string]string, len(s.env))
	for _, pair := range s.env {
		if name, value, ok := cutPair(pair); ok {
			env[name] = value
		}
	}
	return env
}

// debuggerEnv is the debugger's own environment; its files go with the session.
func (s *start) debuggerEnv() []string {
	env := prepare.Overlay(adapterEnv(os.Environ()), map[string]string{"TMPDIR": s.scripts})
	if !s.isRelayed() {
		return env
	}
	relayed, err := s.relayEnv()
	if err != nil {
		s.adapter.Log.Warn("the program is debugged without a relay", "error", err)
	}
	return prepare.Overlay(env, relayed)
}
