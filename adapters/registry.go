package adapters

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"

	"aidb-mcp/adapters/install"
	"aidb-mcp/internal/project/workspace"
)

// Registry holds the adapters of this build, one a language.
type Registry struct{ list []Adapter }

// NewRegistry keeps the order given: it breaks ties between claims.
func NewRegistry(list ...Adapter) *Registry { return &Registry{list: list} }

// With is the registry with more adapters after its own.
func (r *Registry) With(more []Adapter) *Registry {
	return &Registry{list: slices.Concat(r.list, more)}
}

// All returns the adapters in order.
func (r *Registry) All() []Adapter { return r.list }

// Languages returns the names, in order.
func (r *Registry) Languages() []string {
	names := make([]string, len(r.list))
	for i, a := range r.list {
		names[i] = a.Info().Language
	}
	return names
}

// Projects are what is known of the languages' projects.
func (r *Registry) Projects() workspace.Languages {
	var list []*workspace.Support
	for _, a := range r.list {
		if project := a.Info().Project; project != nil {
			list = append(list, project)
		}
	}
	return workspace.NewLanguages(list...)
}

// Components are what can be downloaded for the languages, each once: first those without
// which a language cannot be debugged.
func (r *Registry) Components() install.Manifest {
	var list install.Manifest
	for _, a := range r.list {
		named := a.Info().Components
		if named == nil {
			continue
		}
		for _, c := range named() {
			if !slices.ContainsFunc(list, func(known install.Component) bool { return known.Name == c.Name }) {
				list = append(list, c)
			}
		}
	}
	slices.SortStableFunc(list, func(a, b install.Component) int { return workspace.CompareBool(a.Optional, b.Optional) })
	return list
}

// Get finds an adapter by its language or an alias of it, nil when there is none.
func (r *Registry) Get(language string) Adapter {
	want := strings.ToLower(strings.TrimSpace(language))
	for _, a := range r.list {
		if info := a.Info(); info.Language == want || slices.Contains(info.Aliases, want) {
			return a
		}
	}
	return nil
}

// ForLaunch finds the adapter that a type of launch.json means: of several the
// one that claims the request most surely. Nil when there is none.
func (r *Registry) ForLaunch(kind string, req Request) Adapter {
	if a := r.Get(kind); a != nil {
		return a
	}
	var meant []Adapter
	for _, a := range r.list {
		if slices.Contains(a.Info().LaunchTypes, kind) {
			meant = append(meant, a)
		}
	}
	if len(meant) == 0 {
		return nil
	}
	if best := NewRegistry(meant...).Infer(req); best != nil {
		return best
	}
	return meant[0]
}

// Address is where a program runs already that adapter_options name; none where they name none.
func (r *Registry) Address(options json.RawMessage) (host string, port int, err error) {
	for _, a := range r.list {
		if address := a.Services().Address; address != nil {
			if host, port, err = address(options); port != 0 || err != nil {
				return host, port, err
			}
		}
	}
	return "", 0, nil
}

// Infer returns the adapter that claims the request most surely, nil when none does.
func (r *Registry) Infer(req Request) Adapter {
	best, _ := r.Surest(req)
	return best
}

// Claims above which an adapter is sure, above which it has evidence that is good
// enough not to disturb what listens at a port, and below which it only hopes.
const (
	Certain  = 100
	BySource = 70 // breakpoints in files of the language
	byChance = 30 // the workspace holds the language, which may be any program's
)

// Surest is Infer that says how sure the adapter is. Of several that only hope
// to know a program that runs already none is taken.
func (r *Registry) Surest(req Request) (best Adapter, top int) {
	tie := false
	for _, a := range r.list {
		n := a.Claims(req)
		if req.Attaches() && slices.ContainsFunc(req.Debuggee.Sources, func(file string) bool {
			return slices.Contains(a.Info().Extensions, filepath.Ext(file))
		}) {
			n = max(n, BySource)
		}
		switch {
		case n > top:
			best, top, tie = a, n, false
		case n == top:
			tie = true
		}
	}
	if req.Attaches() && tie && top <= byChance {
		return nil, 0
	}
	return best, top
}
