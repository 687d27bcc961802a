package handlers

import (
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/project/launch"
	"aidb-mcp/internal/telemetry"
	"aidb-mcp/responses"
	"aidb-mcp/session"
	"aidb-mcp/tools"
)

// compound is a start of several programs under way.
type compound struct {
	*launch.Compound
	h        *Handlers
	names    []string // of the members
	sessions []*session.Session
}

// compoundOf is the compound that a call names, nil when it names something else.
func (sr startResolver) compoundOf(p *tools.SessionStartParams) (*launch.Set, *launch.Compound, error) {
	if p.LaunchConfigName == "" {
		return nil, nil, nil
	}
	set, err := sr.launches(p.WorkspaceRoot)
	if err != nil || set.Entry(launch.Member{Name: p.LaunchConfigName}) != nil {
		return nil, nil, err
	}
	return set, set.Compound(p.LaunchConfigName), nil
}

// startCompound starts every program of a compound in a session of its own, and
// answers with the first that stops. One that cannot be started ends them all.
func (h *Handlers) startCompound(ctx context.Context, c *Call, p *tools.SessionStartParams, set *launch.Set, of *launch.Compound) (*responses.Envelope, error) {
	if param := ownOfMember(p); param != "" {
		return nil, fault.New(fault.InvalidParam, "%s is a matter of each program, and %q starts several", param, of.Name).WithField(param).
			WithHint("leave it out, or start the configurations one by one: %s", memberNames(of))
	}
	requests, names, err := h.starts().members(ctx, c, p, set, of)
	if err != nil {
		return nil, err
	}
	x := &compound{Compound: of, h: h, names: names}
	for i, r := range requests {
		r.Call = telemetry.CallOf(ctx)
		s, err := h.Sessions.Open(r)
		if err != nil {
			x.end(ctx)
			return nil, x.memberError(i, err)
		}
		h.subscribers.set(s, p.SubscribeEvents)
		x.sessions = append(x.sessions, s)
	}
	first, err := x.wait(ctx, p)
	if err != nil {
		x.end(ctx)
		return nil, err
	}
	if of.StopAll {
		h.groups.join(x.sessions)
	}
	return x.view(ctx, c, first)
}

// startInstalling is startCompound that asks whether the adapters that its programs lack are
// to be installed, one after the other.
func (h *Handlers) startInstalling(ctx context.Context, c *Call, p *tools.SessionStartParams, set *launch.Set, of *launch.Compound) (*responses.Envelope, error) {
	for left := len(of.Members); ; left-- {
		env, err := h.startCompound(ctx, c, p, set, of)
		if err == nil || left == 0 {
			return env, err
		}
		if err := h.install(ctx, c, err); err != nil {
			return nil, err
		}
	}
}

// ownOfMember is a parameter that says of one program what a compound has several of.
func ownOfMember(p *tools.SessionStartParams) string {
	for _, x := range []struct {
		param string
		given bool
	}{
		{"target", p.Target != ""}, {"module", p.Module != ""}, {"test", p.Test != ""}, {"args", p.Args != nil}, {"mode", p.Mode != ""},
		{"language", p.Language != ""}, {"cwd", p.Cwd != ""}, {"pid", p.PID != 0}, {"host", p.Host != ""}, {"port", p.Port != 0},
		{"core_file", p.CoreFile != ""}, {"runtime_path", p.RuntimePath != ""}, {"build_args", p.BuildArgs != nil},
		{"adapter_options", p.AdapterOptions != nil}, {"stdin", p.Stdin != nil},
	} {
		if x.given {
			return x.param
		}
	}
	return ""
}

func memberNames(c *launch.Compound) string {
	var names []string
	for _, m := range c.Members {
		names = append(names, m.Name)
	}
	return strings.Join(names, ", ")
}

// members are the requests of a compound's programs, before any is started.
func (sr startResolver) members(ctx context.Context, c *Call, p *tools.SessionStartParams, set *launch.Set, of *launch.Compound) (requests []session.StartRequest, names []string, err error) {
	entries, err := set.Members(of)
	if err != nil {
		return nil, nil, err
	}
	first, err := sr.firstTask(ctx, c, p, set, of)
	if err != nil {
		return nil, nil, err
	}
	tasks := sharedTasks{}
	for i, e := range entries {
		own := *p
		own.Env = maps.Clone(p.Env)
		if own.SessionID != "" {
			own.SessionID = fmt.Sprintf("%s-%d", p.SessionID, i+1)
		}
		b, err := sr.applyEntry(ctx, c, &own, set, e)
		if err != nil {
			return nil, nil, err
		}
		sr.onlyOwnFiles(&own)
		if _, err := sr.whichProcess(ctx, c, &own); err != nil {
			return nil, nil, err
		}
		b = tasks.share(b)
		b.before = inSequence(first, b.before)
		requests, names = append(requests, b.with(sr.request(&own))), append(names, e.Name)
	}
	return requests, names, nil
}

// onlyOwnFiles leaves out the breakpoints in files of another language.
func (sr startResolver) onlyOwnFiles(p *tools.SessionStartParams) {
	own := sr.Adapters.Get(p.Language)
	p.Breakpoints = slices.DeleteFunc(slices.Clone(p.Breakpoints), func(b tools.BreakpointParams) bool {
		ext := filepath.Ext(b.File)
		if ext == "" || own == nil || slices.Contains(own.Info().Extensions, ext) {
			return false
		}
		return slices.ContainsFunc(sr.Adapters.All(), func(a adapters.Adapter) bool { return slices.Contains(a.Info().Extensions, ext) })
	})
}

// wait waits for the first program that stops, until all have answered. The error is
// why one of them has not started.
func (x *compound) wait(ctx context.Context, p *tools.SessionStartParams) (first *session.Session, err error) {
	waiting, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	type answer struct {
		i   int
		st  session.State
		err error
	}
	answers := make(chan answer, len(x.sessions))
	for i, s := range x.sessions {
		go func() {
			st, err := s.WaitFirstOrListen(waiting, p.Timeout())
			answers <- answer{i, st, err}
		}()
	}
	var ended *session.Session
	for range x.sessions {
		a := <-answers
		switch {
		case a.err != nil && ctx.Err() != nil:
			return nil, context.Cause(ctx)
		case a.err != nil:
			return nil, x.memberError(a.i, a.err)
		case a.st.Status.Stopped():
			return x.sessions[a.i], nil
		case a.st.Status == session.Terminated && ended == nil:
			ended = x.sessions[a.i]
		}
	}
	if ended == nil {
		ended = x.sessions[0]
	}
	return ended, nil
}

// memberError names the member of which an error speaks.
func (x *compound) memberError(i int, err error) error {
	return fault.Changed(err, func(f *fault.Error) {
		f.Message = fmt.Sprintf("%q of the compound %q: %s", x.names[i], x.Name, f.Message)
	})
}

// end ends all that was started.
func (x *compound) end(ctx context.Context) {
	ctx = context.WithoutCancel(ctx)
	var all sync.WaitGroup
	for _, s := range x.sessions {
		all.Go(func() { _ = x.h.Sessions.Remove(ctx, s.ID()) })
	}
	all.Wait()
}

// view answers with one of the sessions, and names the others.
func (x *compound) view(ctx context.Context, c *Call, first *session.Session) (*responses.Envelope, error) {
	if _, err := x.h.Sessions.Switch(first.ID()); err != nil {
		return nil, err
	}
	if err := c.Adopt(ctx, first); err != nil {
		return nil, err
	}
	c.What = "start " + x.Name
	env, data, err := x.h.stopReply(ctx, c, stopDetail{note: fmt.Sprintf("one of %d sessions of %q", len(x.sessions), x.Name)})
	if err != nil {
		return nil, err
	}
	for i, s := range x.sessions {
		if s == first {
			continue
		}
		data.Others = append(data.Others, responses.OtherSession{ID: s.ID(), Name: x.names[i], Status: string(s.State().Status)})
		if len(env.NextSteps) < maxSteps && !s.State().Status.Stopped() && s.State().Status != session.Terminated {
			env.NextSteps = append(env.NextSteps, responses.NewCall("execute", "action", "wait", "session_id", s.ID()).Why("wait for a stop of "+x.names[i]))
		}
	}
	return env, nil
}

// sessionGroups are the sessions that are stopped together.
type sessionGroups struct {
	mu   sync.Mutex // guards all
	each map[*session.Session][]*session.Session
}

func (p *sessionGroups) join(list []*session.Session) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.each == nil {
		p.each = map[*session.Session][]*session.Session{}
	}
	for _, s := range list {
		p.each[s] = list
	}
}

// leave are the others that stop with a session, which then is in no group any more.
func (p *sessionGroups) leave(s *session.Session) []*session.Session {
	p.mu.Lock()
	defer p.mu.Unlock()
	list := p.each[s]
	for _, member := range list {
		delete(p.each, member)
	}
	return slices.DeleteFunc(slices.Clone(list), func(other *session.Session) bool { return other == s })
}

// stopOthers ends the sessions that a compound has tied to one that was stopped, and
// names them.
func (h *Handlers) stopOthers(ctx context.Context, s *session.Session, kill bool) string {
	var ids []string
	for _, other := range h.groups.leave(s) {
		if other.State().Status == session.Terminated {
			continue
		}
		if _, err := other.Stop(ctx, kill); err != nil {
			h.Log.Warn("stop a session of a compound", "session", other.ID(), "error", err)
			continue
		}
		ids = append(ids, other.ID())
	}
	if len(ids) == 0 {
		return ""
	}
	return "and with it " + strings.Join(ids, ", ") + " (stopAll)"
}
