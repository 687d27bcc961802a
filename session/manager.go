package session

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"aidb-mcp/adapters"
	"aidb-mcp/dap"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/hub"
	"aidb-mcp/internal/policy"
	"aidb-mcp/internal/project/source"
	"aidb-mcp/internal/system/boundedfile"
	"aidb-mcp/internal/system/offspring"
	"aidb-mcp/internal/system/process"
	"aidb-mcp/internal/text/pattern"
	"aidb-mcp/internal/text/secret"
)

// Manager holds all sessions of one server. mu guards the list, the choice of
// the current session and the limits; it is never held while a session works.
type Manager struct {
	registry *adapters.Registry
	log      *slog.Logger
	trace    *dap.Tracer
	mask     *secret.Masker
	policy   policy.Policy
	root     *process.Root
	besides  func(adapters.Request) ([]string, error) // the environment of what runs beside a program
	files    *source.Files
	changes  changes
	journal  *Journal
	kernel   offspring.Kernel

	mu       sync.Mutex
	sessions sessionList
	closed   bool
	limits   Limits
}

// NewManager returns an empty manager.
func NewManager(o Options) *Manager {
	log := o.Log
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	return &Manager{
		registry: o.Registry,
		limits:   o.Limits.withDefaults(),
		log:      log,
		trace:    o.Trace,
		mask:     o.Mask,
		policy:   o.Policy,
		root:     o.Root,
		besides:  o.Environment,
		files:    source.NewFiles(func(path string) error { return o.Policy.Path("location", path) }),
		sessions: sessionList{counters: map[string]int{}, spell: o.Spell},
		journal:  newJournal(),
	}
}

// environment is that of what runs beside a program.
func (m *Manager) environment(r adapters.Request) ([]string, error) {
	if m.besides != nil {
		return m.besides(r)
	}
	env := os.Environ()
	for name, value := range r.Env {
		env = append(env, name+"="+value)
	}
	return env, nil
}

// Journal is that of all sessions, for one to read.
func (m *Manager) Journal() *Journal { return m.journal }

// Limits are those of the sessions that are opened from now on.
func (m *Manager) Limits() Limits {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.limits
}

// SetLimits changes them, zero values to the defaults; sessions that are open keep theirs.
func (m *Manager) SetLimits(l Limits) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.limits = l.withDefaults()
}

// Open validates the request as far as files allow, registers a session in
// status starting and goes on (build, launch, breakpoints) on the session's own
// goroutine. Wait for it with Session.WaitFirst, which forgets a session whose
// start fails; one that fails later stays known, so that its error can be had.
// The new session becomes the current one.
func (m *Manager) Open(r StartRequest) (*Session, error) {
	adapter, err := m.admit(&r)
	if err != nil {
		return nil, err
	}
	r.Program.Seed = cmp.Or(r.Program.Seed, NewSeed())
	s := newSession(m, adapter, r)
	if err := s.addStartBreakpoints(r); err != nil {
		r.Program.Debuggee.Line.Close()
		return nil, err
	}
	l := s.newRun(true)
	if err := m.register(s, r.ID); err != nil {
		r.Program.Debuggee.Line.Close()
		return nil, err
	}
	l.begin()
	return s, nil
}

// admit answers with the adapter of a request that may be run. Its secrets are known
// from then on.
func (m *Manager) admit(r *StartRequest) (adapters.Adapter, error) {
	if r.changed == nil {
		if err := m.checkStart(r.Program); err != nil {
			return nil, err
		}
	}
	if err := checkPaths(r.Program); err != nil {
		return nil, err
	}
	if err := m.checkAttachable(r.Program); err != nil {
		return nil, err
	}
	if err := m.checkPortFree(r.Program, nil); err != nil {
		return nil, err
	}
	adapter, err := m.adapterFor(r)
	if err != nil {
		return nil, err
	}
	if err := m.checkPortFree(r.Program, adapter); err != nil {
		return nil, err
	}
	if err := m.checkUntraced(r.Program, adapter); err != nil {
		return nil, err
	}
	m.mask.Learn(r.Program.Env, r.Program.Args)
	return adapter, nil
}

// checkPaths refuses a workspace that is none, and pipes and devices in the place
// of what is to be debugged: compilers and interpreters would wait for them, or read without end.
func checkPaths(p adapters.Request) error {
	if p.Workspace != "" {
		var f *fault.Error
		if errors.As(source.Directory(p.Workspace), &f) {
			return f.WithField("workspace_root")
		}
	}
	for _, x := range []namedPath{{"target", p.Target}, {"core_file", p.CoreFile}} {
		path := x.path
		if !filepath.IsAbs(path) {
			path = filepath.Join(p.Workspace, path)
		}
		if kind := boundedfile.Special(path); kind != "" && x.path != "" {
			return fault.New(fault.InvalidTarget, "%s is %s, and no file that could be debugged", x.path, kind).
				WithField(x.param).WithHint("give a source file, a directory or a program")
		}
	}
	return nil
}

func (m *Manager) adapterFor(r *StartRequest) (adapters.Adapter, error) {
	known := strings.Join(m.registry.Languages(), ", ")
	if r.Program.Language != "" {
		if a := m.registry.Get(r.Program.Language); a != nil {
			return a, nil
		}
		err := fault.New(fault.AdapterNotFound, "there is no debug adapter for language %q", r.Program.Language).WithField("language")
		if like := source.Closest(r.Program.Language, m.registry.Languages(), 1); len(like) > 0 {
			return nil, err.WithHint("did you mean %q? Known: %s", like[0], known)
		}
		return nil, err.WithHint("known languages: %s", known)
	}
	if r.Program.Attaches() {
		return m.adapterOf(r)
	}
	if a := m.registry.Infer(r.Program); a != nil {
		return a, nil
	}
	if all := m.registry.All(); len(all) == 1 {
		return all[0], nil // its Plan says best what is wrong with the target
	}
	switch p := r.Program; {
	case p.Target == "" && p.Test == "":
		return nil, fault.New(fault.MissingParam, "target is missing: what is to be debugged?").
			WithHint("give target, test or launch_config_name; init proposes some").WithField("target")
	case p.Target == "":
		return nil, fault.New(fault.InvalidTarget, "cannot tell the language of the test %q", p.Test).
			WithHint("give language, one of: %s", known).WithField("language")
	}
	like, absent := similarTargets(r.Program)
	switch {
	case len(like) > 0:
		return nil, fault.New(fault.InvalidTarget, "there is no %s", r.Program.Target).
			WithHint("did you mean %s?", strings.Join(like, " or ")).WithField("target")
	case absent:
		return nil, fault.New(fault.InvalidTarget, "there is no %s", r.Program.Target).
			WithHint("give language where it names a module, a class or what is still to be built: one of %s", known).WithField("target")
	}
	if language := m.registry.Projects().LanguageOf(r.Program.Target); language != "" && !slices.Contains(m.registry.Languages(), language) {
		return nil, noAdapterError(r.Program.Target, language)
	}
	return nil, fault.New(fault.InvalidTarget, "cannot tell the language of %q", r.Program.Target).
		WithHint("give language, one of: %s", known).WithField("target")
}

// noAdapterError names the table that would start a program whose language is known and
// has no debug adapter here.
func noAdapterError(target, language string) error {
	return fault.New(fault.InvalidTarget, "%q is %s, for which no debug adapter is built in", target, language).WithField("target").
		WithHint("a table %q under \"adapters\" in the settings file (--config) names one and starts it: docs/custom-adapters.md says how, with tables that work", language)
}

// similarTargets says whether nothing lies where the target is, and what is called like it there.
func similarTargets(p adapters.Request) (like []string, absent bool) {
	at := p.Target
	if !filepath.IsAbs(at) {
		at = filepath.Join(p.Workspace, at)
	}
	if _, err := os.Stat(at); !errors.Is(err, fs.ErrNotExist) {
		return nil, false
	}
	entries, _ := os.ReadDir(filepath.Dir(at)) // one that cannot be read has nothing like it
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	like = source.Closest(filepath.Base(at), names, 3)
	for i, name := range like {
		dir, _ := filepath.Split(p.Target)
		like[i] = dir + name
	}
	return like, true
}

var validID = pattern.New(`^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$`)

// register gives the session its id and makes it the current one.
func (m *Manager) register(s *Session, requested string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return fault.New(fault.SessionStart, "the server is shutting down")
	}
	if live := m.sessions.liveIDs(); len(live) >= m.limits.Sessions {
		return fault.New(fault.SessionLimit, "%d sessions are open, which is the limit: %s", len(live), strings.Join(live, ", ")).
			WithHint("stop one with session(action: stop, session_id: %q)", live[0])
	}
	var err error
	if s.name, s.id, err = m.sessions.choose(s.Language(), requested); err != nil {
		return err
	}
	s.log = m.log.With("session", s.id)
	m.sessions.add(s, 2*m.limits.Sessions)
	m.changes.add(News{})
	s.change(s.addToJournal)
	s.PublishBreakpoints(hub.Agent)
	return nil
}

// removeFailed removes a session whose start failed.
func (m *Manager) removeFailed(s *Session) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.sessions.remove(s)
	m.changes.add(News{})
}

// Get finds a session; an empty id is the current one. Errors: SESSION_NOT_FOUND
// (lists the known ids, did you mean), SESSION_NOT_STARTED.
func (m *Manager) Get(id string) (*Session, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if id == "" {
		if m.sessions.current != nil {
			return m.sessions.current, nil
		}
		return nil, fault.New(fault.SessionNotStarted, "no debug session has been started").
			WithHint(`start one with session_start, for example {"target": "./cmd/app"}`)
	}
	if s := m.sessions.find(id); s != nil {
		return s, nil
	}
	err := fault.New(fault.SessionNotFound, "there is no session %q", id).WithField("session_id")
	ids := make([]string, len(m.sessions.all))
	for i, s := range m.sessions.all {
		ids[i] = s.id
	}
	if len(ids) == 0 {
		return nil, err.WithHint("no session exists; start one with session_start")
	}
	if like := source.Closest(id, ids, 1); len(like) > 0 {
		return nil, err.WithHint("did you mean %q? Known: %s", like[0], strings.Join(ids, ", "))
	}
	return nil, err.WithHint("known sessions: %s", strings.Join(ids, ", "))
}

// Current is the current session, nil when there is none.
func (m *Manager) Current() *Session {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.sessions.current
}

// Switch makes a session the current one.
func (m *Manager) Switch(id string) (*Session, error) {
	s, err := m.Get(id)
	if err != nil {
		return nil, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.sessions.current = s
	return s, nil
}

// List returns the sessions, oldest first.
func (m *Manager) List() []*Session {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.sessions.all)
}

// Remove stops a session and forgets it.
func (m *Manager) Remove(ctx context.Context, id string) error {
	s, err := m.Get(id)
	if err != nil {
		return err
	}
	_, err = s.Stop(ctx, false)
	m.removeFailed(s)
	return err
}

// Cleanup forgets every ended session and returns their ids.
func (m *Manager) Cleanup(ctx context.Context) []string {
	var ids []string
	for _, s := range m.List() {
		if s.status() == Terminated {
			s.awaitRelease(ctx)
			m.removeFailed(s)
			ids = append(ids, s.id)
		}
	}
	return ids
}

// Close stops all sessions at once, bounded by ctx; no session can be opened afterwards.
func (m *Manager) Close(ctx context.Context) {
	m.mu.Lock()
	m.closed = true
	sessions := slices.Clone(m.sessions.all)
	m.mu.Unlock()
	var wg sync.WaitGroup
	for _, s := range sessions {
		// One for each session. They end when that has stopped, or with ctx.
		wg.Go(func() {
			if _, err := s.Stop(ctx, false); err != nil {
				m.log.Warn("stop session", "session", s.id, "error", err)
			}
		})
	}
	wg.Wait()
}
