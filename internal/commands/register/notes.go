package register

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"

	"github.com/rogpeppe/go-internal/diff"

	"aidb-mcp/internal/system/boundedfile"
)

// change is one value that was put into a file.
type change struct {
	Client string   `json:"client"`
	Scope  Scope    `json:"scope"`
	File   string   `json:"file"`
	Path   []string `json:"path"`

	Value  any    `json:"value,omitempty"`  // that was put there
	Text   string `json:"text,omitempty"`   // or was added to a list
	Before any    `json:"before,omitempty"` // what stood there

	Made    int    `json:"made,omitempty"`     // so many names of the path lead to the first table that was made
	NewFile bool   `json:"new_file,omitempty"` // so was the file
	MadeDir string `json:"made_dir,omitempty"` // and this folder
}

// reach is the path to all that the change touches.
func (c change) reach() []string {
	if c.Made > 0 {
		return c.Path[:c.Made]
	}
	return c.Path
}

// notes are what was put in, in that order.
type notes struct {
	Changes []change `json:"changes"`
}

func (n notes) mentions(file string) bool {
	return slices.ContainsFunc(n.Changes, func(c change) bool { return c.File == file })
}

func (r *Registrar) notes() (n notes, err error) {
	text, err := boundedfile.ReadText(r.Notes)
	if errors.Is(err, fs.ErrNotExist) {
		return n, nil
	}
	if err == nil {
		err = json.Unmarshal(text, &n)
	}
	if err != nil {
		return n, fmt.Errorf("reading what setup has changed, %s: %w", r.Notes, reason(err))
	}
	return n, nil
}

// note remembers a change, or forgets one that was taken back.
func (r *Registrar) note(n notes, p Plan) error {
	same := func(c change) bool {
		return c.File == p.change.File && slices.Equal(c.Path, p.change.Path) && c.Text == p.change.Text
	}
	i := slices.IndexFunc(n.Changes, same)
	switch {
	case p.undo:
		n.Changes = slices.DeleteFunc(n.Changes, same)
	case i >= 0: // what stood there first is what comes back
		n.Changes[i].Value = inside(n.Changes[i].Value, p.change.Value)
	default:
		n.Changes = append(n.Changes, p.change)
	}
	if len(n.Changes) == 0 {
		if err := os.Remove(r.Notes); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("forgetting what setup has changed: %w", err)
		}
		return nil
	}
	text, err := json.MarshalIndent(n, "", "  ")
	if err != nil {
		return fmt.Errorf("noting what setup has changed: %w", err)
	}
	_, err = write(r.Notes, append(text, '\n'), User)
	return err
}

// inside is an entry with the values that it has now, of those that setup has put
// there: approvals are noted by themselves.
func inside(noted, now any) any {
	was, ok := noted.(map[string]any)
	is, _ := now.(map[string]any)
	if !ok {
		return now
	}
	was = maps.Clone(was)
	for name := range was {
		if value, there := is[name]; there {
			was[name] = value
		}
	}
	return was
}

// Undo works out how what setup has put in comes out again, the last first. Only
// changes for which wanted is true are.
func (r *Registrar) Undo(wanted func(client string, scope Scope) bool) ([]Noted, error) {
	n, err := r.notes()
	if err != nil {
		return nil, err
	}
	var found []Noted
	for _, c := range slices.Backward(n.Changes) {
		if wanted(c.Client, c.Scope) {
			found = append(found, Noted{c})
		}
	}
	return found, nil
}

// Noted is a change that can be taken back.
type Noted struct{ change change }

// PlanUndo works out how a change is taken back. What has been changed since is
// taken out only if anyway says so.
func (r *Registrar) PlanUndo(n Noted, anyway bool) (Plan, error) {
	c := n.change
	p := Plan{Scope: c.Scope, File: c.File, State: Present, change: c, undo: true}
	for _, client := range Clients() {
		if client.Name == c.Client {
			p.Client = client
		}
	}
	d, before, err := read(c.File)
	if err != nil {
		return p, err
	}
	p.before, p.after = before, before
	old, err := parse(c.File, before)
	if err != nil {
		return p, fmt.Errorf("reading %s: %w", c.File, err)
	}
	present, there := d.get(c.Path)
	if list, ok := present.([]any); c.Text != "" && (!ok || !slices.Contains(list, any(c.Text))) {
		there = false
	}
	if !there {
		p.State = Absent
		return p, nil
	}
	if p.Existing = shownJSON(present); c.Text == "" && !reflect.DeepEqual(present, c.Value) {
		if p.State = Edited; !anyway {
			return p, nil
		}
	}
	if c.Text == "" && c.Before == nil && p.Client.remove != nil && len(c.Path) == len(p.Client.servers)+1 && r.has(p.Client) {
		p.Command = p.Client.remove(Server{}, c.Scope)
	}
	return p, p.takeBack(old, d)
}

// takeBack changes the document back.
func (p *Plan) takeBack(old, d document) error {
	c := p.change
	var err error
	switch {
	case c.Text != "":
		err = d.drop(c.Path, c.Text)
	default:
		if err = d.remove(c.Path); err == nil && c.Before != nil {
			err = d.set(c.Path, orderedValue(c.Before))
		}
	}
	for n := len(c.Path); err == nil && c.Made > 0 && n >= c.Made; n-- {
		if left, there := d.get(c.Path[:n]); there && isEmpty(left) {
			err = d.remove(c.Path[:n])
		}
	}
	if err != nil {
		return fmt.Errorf("changing %s: %w", p.File, err)
	}
	if err := p.finish(old, d, c.reach()); err != nil {
		return err
	}
	if all, _ := d.get(nil); c.NewFile && isEmpty(all) {
		p.after = nil
		p.Diff = string(diff.Diff(p.File, p.before, p.File, nil))
	}
	return nil
}

// Forget drops the note of a change of which nothing is left.
func (r *Registrar) Forget(p Plan) error {
	n, err := r.notes()
	if err != nil {
		return err
	}
	return r.note(n, p)
}

func isEmpty(v any) bool {
	switch v := v.(type) {
	case map[string]any:
		return len(v) == 0
	case []any:
		return len(v) == 0
	}
	return false
}

// orderedValue is a value that was read as one that can be written.
func orderedValue(v any) any {
	switch v := v.(type) {
	case map[string]any:
		table := fields{}
		for _, name := range slices.Sorted(maps.Keys(v)) {
			table = append(table, field{name, orderedValue(v[name])})
		}
		return table
	case []any:
		list := []string{}
		for _, e := range v {
			text, ok := e.(string)
			if !ok {
				return v
			}
			list = append(list, text)
		}
		return list
	}
	return v
}

// tidy removes what setup has made round a file, and the backup if it says the same.
func tidy(p Plan) {
	saved := p.File + backupSuffix
	if text, err := boundedfile.Read(saved, largest); err == nil && slices.Equal(text, p.after) {
		_ = os.Remove(saved)
	}
	for dir := filepath.Dir(p.File); p.after == nil && p.change.MadeDir != "" && len(dir) >= len(p.change.MadeDir); dir = filepath.Dir(dir) {
		if os.Remove(dir) != nil { // it has something else in it
			return
		}
	}
}
