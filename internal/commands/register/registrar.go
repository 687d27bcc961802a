package register

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"aidb-mcp/internal/text/pattern"
)

// Registrar changes the settings of the clients of a machine.
type Registrar struct {
	Machine Machine
	Notes   string // the file that says what was put in
}

// Sign is by what a client was found: its command, or a file or a folder of it.
// Empty: it is not here.
func (r *Registrar) Sign(c Client) string {
	if name := r.find(c); name != "" {
		return name
	}
	for _, path := range c.traces(r.Machine) {
		if exists(path) {
			return path
		}
	}
	return ""
}

// Apply makes a planned change, and notes it. What it says is worth telling a
// person: how it went with the client's own command, where the file was edited
// after all.
func (r *Registrar) Apply(ctx context.Context, p Plan) (said string, err error) {
	notes, err := r.notes()
	if err != nil {
		return "", err
	}
	_, now, err := read(p.File)
	if err != nil {
		return "", err
	}
	if !slices.Equal(now, p.before) {
		return "", fmt.Errorf("%s has been changed meanwhile, and was left alone: run setup again", p.File)
	}
	saved := ""
	if !p.undo && !notes.mentions(p.File) {
		if saved, err = backup(p.File); err != nil {
			return "", err
		}
	}
	if len(p.Command) > 0 {
		if err = r.command(ctx, &p); err == nil {
			return backupNote(saved), r.note(notes, p)
		}
		said = err.Error() + "\nthe file was edited instead"
	}
	if _, now, err = read(p.File); err != nil {
		return said, err
	}
	if !slices.Equal(now, p.before) {
		return said, fmt.Errorf("%s has been changed meanwhile, and was left alone: run setup again", p.File)
	}
	made, err := write(p.File, p.after, p.Scope)
	if err != nil {
		return said, err
	}
	if p.undo {
		tidy(p)
	} else {
		p.change.MadeDir = made
	}
	return strings.TrimSpace(said + "\n" + backupNote(saved)), r.note(notes, p)
}

// backupNote says where the file is as it was.
func backupNote(saved string) string {
	if saved == "" {
		return ""
	}
	return "the file as it was: " + saved
}

// command has the client itself make the change, and looks whether it has.
func (r *Registrar) command(ctx context.Context, p *Plan) error {
	printed, err := r.Machine.Run(ctx, p.Command)
	if err != nil {
		return fmt.Errorf("%s failed: %w: %s", p.Command[0], err, lastLines(printed))
	}
	d, _, err := read(p.File)
	if err != nil {
		return err
	}
	value, there := d.get(p.change.Path)
	if p.undo {
		if there {
			return fmt.Errorf("%s has left the server in %s", p.Command[0], p.File)
		}
		return nil
	}
	if !there || !reflect.DeepEqual(command(value), command(p.change.Value)) {
		return fmt.Errorf("%s has not put the server into %s", p.Command[0], p.File)
	}
	p.change.Value = value
	return nil
}

// command is what an entry starts.
func command(entry any) any {
	table, _ := entry.(map[string]any)
	return []any{table["command"], table["args"]}
}

// Check asks a client how the server does there. None: it has no command for that,
// or is not here.
func (r *Registrar) Check(ctx context.Context, c Client) (said string, err error) {
	if len(c.check) == 0 {
		return "", nil
	}
	if _, err := r.Machine.LookPath(c.check[0]); err != nil {
		return "", nil
	}
	printed, err := r.Machine.Run(ctx, c.check)
	if err != nil {
		return "", fmt.Errorf("%s failed: %w: %s", strings.Join(c.check, " "), err, lastLines(printed))
	}
	var found []string
	for line := range strings.Lines(colours.ReplaceAllLiteralString(printed, "")) {
		line = strings.TrimSpace(line)
		if c.tells.MatchString(line) {
			found = append(found, line)
		}
	}
	if len(found) == 0 {
		return "", errors.New(strings.Join(c.check, " ") + " does not name it: " + lastLines(printed))
	}
	return strings.Join(found, "\n"), nil
}

// colours are what a terminal is told.
var colours = pattern.New("\x1b\\[[0-9;]*m")

// lastLines is the end of what a command printed.
func lastLines(printed string) string {
	lines := strings.Split(strings.TrimSpace(colours.ReplaceAllLiteralString(printed, "")), "\n")
	return strings.Join(lines[max(0, len(lines)-4):], "\n")
}
