// Package setup brings a language to the point where it can be debugged: it
// knows which components and preparations an adapter needs, for the command line
// and for the tool alike.
//
// It knows nothing of sessions, MCP or terminals.
package setup

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"

	"aidb-mcp/adapters"
	"aidb-mcp/adapters/install"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/project/source"
)

// Setup is what installing works with.
type Setup struct {
	Store    install.Store
	Adapters *adapters.Registry
	Log      *slog.Logger
}

// What installing is told and tells, so that callers need not know the store.
type (
	Options = install.Options
	Event   = install.Event
	Health  = install.Health
	Lacking = install.Lacking
)

// need is something to install or prepare, once, for one or more languages; or
// an adapter that was named and for which we do neither.
type need struct {
	name      string
	languages []string
	component *install.Component                                     // nil: nothing to fetch
	prepare   func(ctx context.Context, progress func(string)) error // nil: nothing to prepare
	prepared  string                                                 // the folder that holds what that makes
	other     adapters.Adapter                                       // nil: one of the others is set
}

// needs finds what the languages need, each thing once. No names means all.
func (s *Setup) needs(languages []string) ([]need, error) {
	if len(languages) == 0 {
		return s.all(), nil
	}
	var found []need
	for _, name := range languages {
		some, err := s.needsOf(strings.ToLower(strings.TrimSpace(name)))
		if err != nil {
			return nil, err
		}
		for _, n := range some {
			if !slices.ContainsFunc(found, func(f need) bool { return f.name == n.name }) {
				found = append(found, n)
			}
		}
	}
	return found, nil
}

// all is what this platform has for every language.
func (s *Setup) all() []need {
	var found []need
	for _, c := range s.Adapters.Components().Here() {
		found = append(found, need{name: c.Name, languages: c.Languages, component: &c})
	}
	for _, a := range s.Adapters.All() {
		if can := a.Services(); can.Prepare != nil {
			found = append(found, need{name: a.Info().Name, languages: []string{a.Info().Language}, prepare: can.Prepare, prepared: can.Prepared})
		}
	}
	return found
}

// needsOf finds what one language (or a component by its own name) needs.
func (s *Setup) needsOf(name string) ([]need, error) {
	adapter := s.Adapters.Get(name)
	list := s.Adapters.Components().For(name)
	if adapter != nil && len(list) == 0 {
		name = adapter.Info().Language
		list = s.Adapters.Components().For(name)
	}
	var found []need
	for _, c := range list {
		found = append(found, need{name: c.Name, languages: c.Languages, component: &c})
	}
	if adapter != nil && adapter.Services().Prepare != nil {
		can := adapter.Services()
		found = append(found, need{name: adapter.Info().Name, languages: []string{adapter.Info().Language}, prepare: can.Prepare, prepared: can.Prepared})
	}
	switch {
	case len(found) > 0:
	case adapter == nil:
		return nil, s.unknown(name)
	default:
		found = append(found, need{name: adapter.Info().Name, languages: []string{adapter.Info().Language}, other: adapter})
	}
	return found, nil
}

func (s *Setup) unknown(name string) error {
	known := slices.Concat(s.Adapters.Languages(), s.Adapters.Components().Languages())
	slices.Sort(known)
	known = slices.Compact(known)
	err := fault.New(fault.AdapterNotFound, "there is no debug adapter for %q", name).WithField("language")
	if like := source.Closest(name, known, 1); len(like) > 0 {
		return err.WithHint("did you mean %q? there are adapters for: %s", like[0], strings.Join(known, ", "))
	}
	return err.WithHint("there are adapters for: %s", strings.Join(known, ", "))
}

// Did is what became of one thing.
type Did string

// What can become of it.
const (
	Installed Did = "installed"
	Updated   Did = "updated"
	Unchanged Did = "already there"
	Prepared  Did = "prepared"
	Removed   Did = "removed"
	NotThere  Did = "not installed"
	Failed    Did = "failed"
	BuiltIn   Did = "part of aidb-mcp"
	Elsewhere Did = "there, not installed by aidb-mcp"
)

// Step is one thing that was installed, prepared or removed, or was not.
type Step struct {
	Name      string
	Version   string
	Languages []string
	Did       Did
	Dir       string
	Optional  bool  // nothing is lost for good when it failed
	Err       error // only with Failed
}

// Install brings what the languages need (no names: all languages). Steps tell
// what was done; a failed one does not keep the others out.
func (s *Setup) Install(ctx context.Context, languages []string, o Options, report func(Event)) ([]Step, error) {
	needs, err := s.needs(languages)
	if err != nil {
		return nil, err
	}
	if err := s.checkArchive(needs, o); err != nil {
		return nil, err
	}
	report = countEvents(needs, report)
	steps, err := s.fetch(ctx, needs, o, report)
	if err != nil {
		return nil, err
	}
	for _, n := range needs {
		if n.other != nil {
			steps = append(steps, n.checkAdapter(ctx))
		}
		if n.prepare == nil || o.From != "" {
			continue
		}
		step := Step{Name: n.name, Languages: n.languages, Did: Prepared}
		step.Err = n.prepare(ctx, func(doing string) { report(Event{Component: n.name, Doing: doing}) })
		if step.Err != nil {
			step.Did = Failed
		}
		steps = append(steps, step)
	}
	return steps, ctx.Err()
}

// countEvents adds to each event which of the needs it is about.
func countEvents(needs []need, report func(Event)) func(Event) {
	step := 0 // they come in order, but for preparations, which come last
	return func(e Event) {
		if i := slices.IndexFunc(needs, func(n need) bool { return n.name == e.Component }); i > step {
			step = i
		}
		e.Step, e.Steps = step, len(needs)
		report(e)
	}
}

// checkAdapter finds out what is to be said of an adapter that we do not install.
func (n need) checkAdapter(ctx context.Context) Step {
	step := Step{Name: n.name, Languages: n.languages, Did: BuiltIn}
	if n.other.Info().Elsewhere == "" {
		return step
	}
	step.Did = Elsewhere
	if ready := n.other.Check(ctx); !ready.Ready {
		step.Did = Failed
		step.Err = fault.New(fault.AdapterInstall, "aidb-mcp does not install %s: %s", n.name, ready.Problem).WithHint("%s", ready.Remedy)
	}
	return step
}

// checkArchive refuses an archive for more than one component.
func (s *Setup) checkArchive(needs []need, o Options) error {
	var components, languages []string
	for _, n := range needs {
		if n.component != nil {
			components = append(components, n.name)
			languages = append(languages, n.component.Languages[0])
		}
	}
	if o.From == "" && o.Version == "" || len(components) == 1 {
		return nil
	}
	hint := "name one language"
	if len(slices.Compact(languages)) == 1 {
		hint = "name one of its parts in place of the language: " + strings.Join(components, ", ")
	}
	return fault.New(fault.InvalidParam, "an archive or a version is for one adapter, and %d were named", len(components)).WithHint("%s", hint)
}

// fetch installs the components among the needs.
func (s *Setup) fetch(ctx context.Context, needs []need, o Options, report func(Event)) ([]Step, error) {
	var list []install.Component
	for _, n := range needs {
		if n.component != nil {
			list = append(list, *n.component)
		}
	}
	if len(list) == 0 {
		return nil, nil
	}
	outcomes, err := s.installer(report).Install(ctx, list, o)
	if err != nil {
		return nil, err
	}
	var steps []Step
	for i, done := range outcomes {
		step := Step{Name: done.Component, Version: done.Version, Languages: list[i].Languages, Dir: done.Dir, Did: Installed, Optional: list[i].Optional, Err: done.Err}
		switch {
		case done.Err != nil:
			step.Did, step.Version = Failed, list[i].Version
		case done.Unchanged:
			step.Did = Unchanged
		case done.Was != "" && done.Was != done.Version:
			step.Did = Updated
		}
		steps = append(steps, step)
	}
	return steps, nil
}

func (s *Setup) installer(report func(Event)) *install.Installer {
	return &install.Installer{Store: s.Store, Log: s.Log, Report: report}
}

// Others are the adapters among the named ones that we do not install, of which
// there is nothing to verify.
func (s *Setup) Others(ctx context.Context, languages []string) ([]Step, error) {
	needs, err := s.needs(languages)
	if err != nil {
		return nil, err
	}
	var steps []Step
	for _, n := range needs {
		if n.other != nil {
			steps = append(steps, n.checkAdapter(ctx))
		}
	}
	return steps, nil
}

// Verify reads the installed files of the languages (no names: all) and compares
// them with the manifest.
func (s *Setup) Verify(ctx context.Context, languages []string) ([]Health, error) {
	needs, err := s.needs(languages)
	if err != nil {
		return nil, err
	}
	var found []Health
	for _, n := range needs {
		if n.component == nil {
			continue
		}
		health, err := s.Store.Verify(ctx, *n.component)
		if err != nil {
			return nil, err
		}
		found = append(found, health)
	}
	return found, nil
}

// Remove takes away what was installed for the languages.
func (s *Setup) Remove(ctx context.Context, languages []string) ([]Step, error) {
	needs, err := s.needs(languages)
	if err != nil {
		return nil, err
	}
	var steps []Step
	for _, n := range needs {
		if n.other != nil {
			step := n.checkAdapter(ctx)
			if step.Err != nil {
				step.Did, step.Err = NotThere, nil
			}
			steps = append(steps, step)
			continue
		}
		folder := n.name
		if n.component == nil {
			folder = n.prepared
		}
		step := Step{Name: n.name, Languages: n.languages, Did: Removed, Dir: s.Store.Dir(folder)}
		step.Version, _ = s.Store.Installed(folder)
		there, err := s.installer(func(Event) {}).Remove(ctx, folder)
		if err != nil {
			return nil, err
		}
		if !there {
			step.Did = NotThere
		}
		steps = append(steps, step)
	}
	return steps, nil
}

// Failure is the error of the steps that failed, nil when none did; those that
// are optional do not count.
func Failure(steps []Step) error {
	var failed []Step
	for _, step := range steps {
		if step.Err != nil && !step.Optional {
			failed = append(failed, step)
		}
	}
	if len(failed) == 0 {
		return nil
	}
	if len(failed) == 1 {
		return fault.TrueCause(failed[0].Err)
	}
	for i := range failed {
		failed[i].Err = fault.TrueCause(failed[i].Err)
	}
	var said, hints []string
	for i, step := range failed {
		alike := func(other Step) bool { return other.Err.Error() == step.Err.Error() }
		if slices.IndexFunc(failed, alike) < i {
			continue
		}
		var names []string
		for _, other := range failed[i:] {
			if alike(other) {
				names = append(names, other.Name)
			}
		}
		said = append(said, strings.Join(names, ", ")+": "+step.Err.Error())
		var f *fault.Error
		if errors.As(step.Err, &f) && f.Hint != "" && !slices.Contains(hints, f.Hint) {
			hints = append(hints, f.Hint)
		}
	}
	return fault.New(fault.AdapterInstall, "%s", strings.Join(said, "; ")).WithHint("%s", strings.Join(hints, "; "))
}
