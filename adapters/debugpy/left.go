package debugpy

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	godap "github.com/google/go-dap"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/text/pattern"
)

// leftVariable tells boot/leaving.py where to note what is left, and of what.
const leftVariable = "AIDB_LEFT"

// noteLeft has the program of a plan note what it leaves running, where that is asked for.
func (a *adapter) noteLeft(j *job, plan *adapters.Plan) error {
	args, ours := plan.Arguments.(arguments)
	if !ours || j.Left == adapters.LeftUnasked || j.Left == adapters.LeftOfTests && plan.Mode != adapters.Test {
		return nil
	}
	dir, err := a.Root.MakeScratch("left-")
	if err != nil {
		plan.Close()
		return fmt.Errorf("making a place for what the program leaves: %w", err)
	}
	of := "tests"
	if j.Left == adapters.LeftOfAny && plan.Mode != adapters.Test {
		of = "any"
	}
	args.Env[leftVariable] = of + ":" + dir
	done := plan.Close
	plan.Close = func() { done(); _ = os.RemoveAll(dir) }
	d, _ := plan.Dialect.(*dialect)
	plan.Capabilities.End.Left = func() adapters.Left { return d.readLeft(dir) }
	return nil
}

// leftRow is one thing as boot/leaving.py writes it.
type leftRow struct {
	Kind      string      `json:"kind"`
	Name      string      `json:"name"`
	Daemon    bool        `json:"daemon"`
	Made      []leftFrame `json:"made"`
	Test      string      `json:"test"`
	Frames    []leftFrame `json:"frames"`
	Awaits    string      `json:"awaits"`
	Cancelled bool        `json:"cancelled"`
}

// leftFrame is [file, line, function].
type leftFrame adapters.LeftPlace

func (f *leftFrame) UnmarshalJSON(text []byte) error {
	return json.Unmarshal(text, &[]any{&f.File, &f.Line, &f.Function})
}

func (f leftFrame) isUsers() bool { return !isLibrary(f.File) }

func (d *dialect) readLeft(dir string) adapters.Left {
	found := adapters.Left{Unit: "thread"}
	text, err := os.ReadFile(filepath.Join(dir, "left.json"))
	if errors.Is(err, os.ErrNotExist) {
		return found
	}
	var rows []leftRow
	if err = cmp.Or(err, json.Unmarshal(text, &rows)); err != nil {
		found.Unseen = []string{"what was left running could not be read: " + err.Error()}
		return found
	}
	found.Looked = true
	for _, r := range rows {
		if r.Kind == "unseen" {
			found.Unseen = append(found.Unseen, r.Name)
			continue
		}
		if t, tell := d.leftThing(r); tell {
			found.Things = append(found.Things, t)
		}
	}
	found.Fold()
	return found
}

// numbered matches what Python itself puts into the names of threads and tasks, of which each
// has another.
var numbered = pattern.New(`^(Thread|Task)-\d+( \(.*\))?$|[-_](\d+_)?\d+$`)

// leftThing is a row as it is told. What a library has made by itself, or has made to end
// with the program, is the library's.
func (d *dialect) leftThing(r leftRow) (t adapters.LeftThing, tell bool) {
	t = adapters.LeftThing{Kind: r.Kind, Name: numbered.ReplaceAllString(r.Name, ""), Test: r.Test, Count: 1}
	users := slices.IndexFunc(r.Made, leftFrame.isUsers)
	if users >= 0 {
		t.Made = adapters.LeftPlace(r.Made[users])
	}
	own := slices.IndexFunc(r.Frames, leftFrame.isUsers)
	switch {
	case own >= 0:
		t.At = adapters.LeftPlace(r.Frames[own])
	case len(r.Frames) > 0:
		t.At = adapters.LeftPlace(r.Frames[0])
	}
	switch r.Kind {
	case "thread":
		t.WaitsFor = d.Wait(leftFrames(r.Frames))
		return t, users == 0 || users > 0 && !r.Daemon
	case "task":
		if t.WaitsFor = r.Awaits; r.Cancelled {
			t.WaitsFor += "; cancelled unfinished as its event loop ended"
		}
		return t, users >= 0 && !slices.ContainsFunc(r.Made[:users], func(f leftFrame) bool { return !isAsyncio(f.File) })
	case "server":
		t.WaitsFor = "connections"
	}
	return t, true
}

// isAsyncio says that a file is of the library's own way to begin tasks.
func isAsyncio(file string) bool { return filepath.Base(filepath.Dir(file)) == "asyncio" }

func leftFrames(frames []leftFrame) []godap.StackFrame {
	var list []godap.StackFrame
	for _, f := range frames {
		list = append(list, godap.StackFrame{Name: f.Function, Line: f.Line, Source: &godap.Source{Path: f.File}})
	}
	return list
}
