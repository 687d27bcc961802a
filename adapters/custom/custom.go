// Package custom debugs languages that this build does not know, with adapters
// that the user describes: a table in the settings file says how an adapter is
// started, what it is told, and what it says differently.
//
// It knows no adapter and no language by name, nothing of sessions and nothing
// of MCP. A table runs commands: it is the user's own, never a project's.
package custom

import (
	"cmp"
	"encoding/json"
	"log/slog"
	"maps"
	"slices"
	"strings"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/system/process"
)

// Options configure the adapters of a settings file.
type Options struct {
	File string        // the settings file, for the errors
	Log  *slog.Logger  // nil is slog's default
	Root *process.Root // where sockets lie; nil is one of its own

	// Taken says that a name or alias belongs to an adapter of this build.
	Taken func(language string) bool
}

// Load makes an adapter of each table in the settings file, in the order of
// their languages. A faulty table is an adapter that says what is wrong with it
// whenever it is asked, so that the server starts all the same.
func Load(tables map[string]json.RawMessage, o Options) []adapters.Adapter {
	o.Log = cmp.Or(o.Log, slog.Default())
	o.Root = cmp.Or(o.Root, process.NewRoot(o.Log))
	var list []adapters.Adapter
	for _, language := range slices.Sorted(maps.Keys(tables)) {
		list = append(list, load(language, tables[language], o))
	}
	return list
}

func load(language string, raw json.RawMessage, o Options) *adapter {
	at := "adapters." + language
	a := &adapter{language: language, log: o.Log, root: o.Root}
	a.table, a.broken = parse(raw, at)
	if a.broken == nil {
		a.broken = names(language, a.table, o)
	}
	if a.broken != nil {
		a.broken.Message += " (in " + o.File + ")"
		a.table = &definition{at: at, Table: outline(raw)}
		o.Log.Warn("a table of the settings file is not usable", "error", a.broken.Message, "hint", a.broken.Hint)
	}
	return a
}

// outline is what a faulty table still says of whose it is, so that programs of
// its language lead to the word on what is wrong with it.
func outline(raw json.RawMessage) Table {
	var t struct {
		Name       json.RawMessage `json:"name"`
		Extensions json.RawMessage `json:"extensions"`
	}
	var outline Table
	if json.Unmarshal(raw, &t) == nil {
		_ = json.Unmarshal(t.Name, &outline.Name)
		_ = json.Unmarshal(t.Extensions, &outline.Extensions)
	}
	return outline
}

// names refuses names that an adapter of this build answers to.
func names(language string, d *definition, o Options) *fault.Error {
	if language == "" || strings.ToLower(language) != language || strings.ContainsAny(language, " ./-") {
		return invalid(d.at, "the name of a language in lower case, such as ruby")
	}
	for _, name := range append([]string{language}, d.Aliases...) {
		if o.Taken != nil && o.Taken(name) {
			return fault.New(fault.ConfigInvalid, "%s: %s is debugged by an adapter of this build already", d.at, name).
				WithField(d.at).WithHint("give your language another name, for example my%s, and start with that language", name)
		}
	}
	return nil
}

// adapter is one table. Broken says what is wrong with it, nil when it is usable.
type adapter struct {
	language string
	table    *definition
	broken   *fault.Error
	log      *slog.Logger
	root     *process.Root
}

func (a *adapter) Info() adapters.Info {
	d := a.table
	return adapters.Info{
		Language:   a.language,
		Aliases:    d.Aliases,
		Name:       cmp.Or(d.Name, a.language+" adapter"),
		Extensions: d.Extensions,
		LaunchRest: true,
		Failures:   failureSyntax,
		Modes:      d.modes(),
		Elsewhere:  cmp.Or(d.Install, "whatever brings the command of "+d.at+" in the settings file"),
	}
}

// modes are what the templates can say.
func (d *definition) modes() []adapters.Mode {
	var modes []adapters.Mode
	if len(d.Launch) > 0 {
		modes = append(modes, adapters.Launch)
	}
	if d.Test != nil {
		modes = append(modes, adapters.Test)
	}
	if d.attachesByPID() {
		modes = append(modes, adapters.Attach)
	}
	if d.attachesElsewhere() {
		modes = append(modes, adapters.RemoteAttach)
	}
	return modes
}

func (d *definition) attachesByPID() bool {
	return len(d.Attach) > 0 && !d.DebuggeeServes && mentions(string(d.Attach), "pid")
}

// attachesElsewhere: an adapter that is told where the program listens, or a
// DAP server elsewhere that we join ourselves.
func (d *definition) attachesElsewhere() bool {
	return len(d.Attach) > 0 && (d.attachesByPort() || d.Transport == tcp || d.DebuggeeServes)
}

// attachesByPort says that the adapter itself connects to the program.
func (d *definition) attachesByPort() bool { return mentions(string(d.Attach), "port") }
