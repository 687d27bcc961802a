package register

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/diff"

	"aidb-mcp/internal/system/boundedfile"
)

// State is how a client stands to this server.
type State string

// The states.
const (
	Absent  State = "not registered"
	Present State = "registered"                         // nothing is to be done
	Moved   State = "registered with another command"    // ours, and to be changed
	Foreign State = "has another server of that name"    // not ours
	Edited  State = "has been changed since"             // ours when it was written
	Unable  State = "has no such settings for a project" // of this scope
)

// Plan is what would change in one file. Nothing has been changed yet.
type Plan struct {
	Client   Client
	Scope    Scope
	State    State
	File     string
	Existing string   // the entry that stands there now, as JSON
	Diff     string   // of the file, in the unified form; empty: nothing changes
	Command  []string // the client's own that makes the change; none: the file is edited
	Asks     string   // of an approval: what the client does without it

	change        change
	undo          bool
	before, after []byte // the file; nil: there is none
}

// largest is the most that a file of settings has, in bytes. Claude Code keeps much
// in its own.
const largest = 64 << 20

// read opens a file of settings. One that is not there is empty.
func read(file string) (document, []byte, error) {
	text, err := boundedfile.Read(file, largest)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, nil, fmt.Errorf("reading %s: %w", file, reason(err))
	}
	d, err := parse(file, text)
	if err != nil {
		return nil, nil, fmt.Errorf("%s does not parse, and was not changed: %w", file, err)
	}
	return d, text, nil
}

// reason is an error of the system without the path, which its message has already.
func reason(err error) error {
	if wrong, ok := errors.AsType[*fs.PathError](err); ok {
		return wrong.Err
	}
	return err
}

// Plan works out how a client is told of the server. An entry of that name that is
// not ours is planned to be replaced only if replace says so.
func (r *Registrar) Plan(c Client, scope Scope, s Server, replace bool) (Plan, error) {
	p := Plan{Client: c, Scope: scope, File: c.file(r.Machine, scope)}
	if p.File == "" {
		p.State = Unable
		return p, nil
	}
	d, before, err := read(p.File)
	if err != nil {
		return p, err
	}
	p.before = before
	path := append(slices.Clone(c.servers), serverName)
	present, there := d.get(path)
	p.Existing = shownJSON(present)
	switch {
	case !there:
		p.State = Absent
		if c.add != nil && r.has(c) {
			p.Command = c.add(s, scope)
		}
		return p, r.fill(&p, d, path, c.entry(s, scope))
	case !isOurs(present):
		p.State = Foreign
		if !replace {
			return p, nil
		}
		if err := d.remove(path); err != nil {
			return p, fmt.Errorf("changing %s: %w", p.File, err)
		}
		p.change.Before = present
		return p, r.fill(&p, d, path, c.entry(s, scope))
	}
	changed := r.difference(present, c.entry(s, scope), len(s.Args) > 1)
	if len(changed) == 0 {
		p.State = Present
		return p, nil
	}
	p.State = Moved
	p.change.Before = present
	return p, r.fill(&p, d, path, changed)
}

// PlanApproval works out how a client is told to ask no more before it calls our
// tools. There is none where that is no setting, or is so already.
func (r *Registrar) PlanApproval(c Client, scope Scope) (Plan, bool, error) {
	if c.approval == nil {
		return Plan{}, false, nil
	}
	a := c.approval(r.Machine, scope)
	p := Plan{Client: c, Scope: scope, State: Absent, File: a.file, Asks: a.asks}
	d, before, err := read(p.File)
	if err != nil {
		return p, false, err
	}
	p.before = before
	present, there := d.get(a.path)
	if a.text == "" {
		if there && reflect.DeepEqual(present, plainValue(a.value)) {
			return p, false, nil
		}
		p.change.Before = present
		return p, true, r.fill(&p, d, a.path, a.value)
	}
	if list, ok := present.([]any); ok && slices.Contains(list, any(a.text)) {
		return p, false, nil
	}
	p.change.Text = a.text
	return p, true, r.fill(&p, d, a.path, nil)
}

// fill makes the change in the document, and notes it in the plan.
func (r *Registrar) fill(p *Plan, d document, path []string, value any) error {
	p.change.Client, p.change.Scope, p.change.File, p.change.Path = p.Client.Name, p.Scope, p.File, path
	for n := 1; n <= len(path) && p.change.Made == 0; n++ {
		if _, there := d.get(path[:n]); !there && (n < len(path) || p.change.Text != "") {
			p.change.Made = n
		}
	}
	p.change.NewFile = !exists(p.File)
	old, err := parse(p.File, p.before)
	if err != nil {
		return fmt.Errorf("reading %s: %w", p.File, err)
	}
	if p.change.Text != "" {
		err = d.add(path, p.change.Text)
	} else {
		err = d.set(path, value)
		p.change.Value, _ = d.get(path)
	}
	if err != nil {
		return fmt.Errorf("changing %s: %w", p.File, err)
	}
	return p.finish(old, d, p.change.reach())
}

// finish notes what the file becomes. Nothing but what lies below a path may differ.
func (p *Plan) finish(old, d document, path []string) error {
	p.after = d.bytes()
	again, err := parse(p.File, p.after)
	if err != nil || !reflect.DeepEqual(withoutValue(old, path), withoutValue(again, path)) {
		return fmt.Errorf("changing %s: its form is one that cannot be changed here: change it by hand", p.File)
	}
	p.Diff = string(diff.Diff(p.File, p.before, p.File, p.after))
	return nil
}

// withoutValue gives what a document has but for one value.
func withoutValue(d document, path []string) any {
	all, _ := d.get(nil)
	at, _ := all.(map[string]any)
	for _, name := range path[:len(path)-1] {
		at, _ = at[name].(map[string]any)
	}
	delete(at, path[len(path)-1])
	return all
}

// difference is what must be written into an entry of ours. A person may have given
// it other flags and settings: without flags to be written only the command changes.
func (r *Registrar) difference(present any, want fields, flags bool) fields {
	entry, _ := present.(map[string]any)
	if !isOurs(map[string]any{"command": entry["command"]}) {
		return nil // started by another program, such as npx
	}
	var changed fields
	for _, f := range want {
		switch now := entry[f.Name].(type) {
		case string:
			if f.Name == "command" && !r.isSameProgram(now, f.Value.(string)) {
				changed = append(changed, f)
			}
		case []any:
			list, _ := f.Value.([]string)
			switch {
			case flags && !reflect.DeepEqual(any(now), plainValue(list)):
				changed = append(changed, f)
			case f.Name == "command" && len(now) > 0 && !flags:
				command, _ := now[0].(string)
				if r.isSameProgram(command, list[0]) {
					continue
				}
				kept := []string{list[0]}
				for _, arg := range now[1:] {
					kept = append(kept, fmt.Sprint(arg))
				}
				changed = append(changed, field{f.Name, kept})
			}
		case nil:
			if flags && f.Name == "args" {
				changed = append(changed, f)
			}
		}
	}
	return changed
}

// isSameProgram says whether two commands start the same file.
func (r *Registrar) isSameProgram(a, b string) bool {
	if a == b {
		return true
	}
	first, second := r.program(a), r.program(b)
	return first != nil && second != nil && os.SameFile(first, second)
}

func (r *Registrar) program(command string) fs.FileInfo {
	path, err := r.Machine.LookPath(command)
	if err != nil {
		return nil
	}
	info, err := os.Stat(path)
	if err != nil {
		return nil
	}
	return info
}

// isOurs says whether an entry starts an aidb-mcp, in whatever way.
func isOurs(entry any) bool {
	table, _ := entry.(map[string]any)
	words := []any{table["command"]}
	for _, name := range []string{"command", "args"} {
		if list, ok := table[name].([]any); ok {
			words = append(words, list...)
		}
	}
	return slices.ContainsFunc(words, func(word any) bool {
		text, _ := word.(string)
		name := filepath.Base(strings.ReplaceAll(text, `\`, "/"))
		return strings.HasPrefix(name, "aidb-mcp")
	})
}

// shownJSON is a value as JSON; nothing for none.
func shownJSON(v any) string {
	if v == nil {
		return ""
	}
	text, _ := marshal(v)
	return string(text)
}

// has says whether one of a client's commands can be found.
func (r *Registrar) has(c Client) bool { return r.find(c) != "" }

// find is the first of a client's commands that can be found.
func (r *Registrar) find(c Client) string {
	for _, name := range c.programs {
		if _, err := r.Machine.LookPath(name); err == nil {
			return name
		}
	}
	return ""
}
