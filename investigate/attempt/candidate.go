package attempt

import (
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"aidb-mcp/internal/changes/change"
	"aidb-mcp/internal/fault"
)

// Candidate is one change that may be the remedy: a patch, edits, or what is done at a
// place of the running program.
type Candidate struct {
	Hypothesis string `json:"hypothesis,omitempty"`
	Patch      string `json:"patch,omitempty"`
	Edits      []Edit `json:"edits,omitempty"`
	At         *At    `json:"at,omitempty"`
}

// Edit replaces a text that stands once in a file.
type Edit struct {
	File string `json:"file"`
	Old  string `json:"old"`
	New  string `json:"new"`
}

// At changes the running program each time that it comes to a place.
type At struct {
	Location string            `json:"location"`
	Set      map[string]string `json:"set,omitempty"`
	Skip     bool              `json:"skip,omitempty"`
}

// change works out what a candidate makes of the workspace; nil for one that changes
// the running program only.
func (w *work) change(cand Candidate, n int) (*change.Change, error) {
	field := fmt.Sprintf("candidates[%d]", n)
	given := 0
	for _, is := range []bool{cand.Patch != "", len(cand.Edits) > 0, cand.At != nil} {
		if is {
			given++
		}
	}
	if given != 1 {
		return nil, fault.New(fault.InvalidParam, "a candidate is one of patch, edits and at, and this has %d of them", given).WithField(field).
			WithHint(`for example {"hypothesis":"off by one","edits":[{"file":"calc.py","old":"i < n","new":"i <= n"}]}`)
	}
	var made *change.Change
	var err error
	switch {
	case cand.Patch != "":
		made, err = change.Patch(w.Workspace, cand.Patch)
		field += ".patch"
	case len(cand.Edits) > 0:
		edits := make([]change.Edit, len(cand.Edits))
		for i, e := range cand.Edits {
			edits[i] = change.Edit{File: w.relativePath(e.File), Old: e.Old, New: e.New}
		}
		made, err = change.Edits(w.Workspace, edits)
		field += ".edits"
	default:
		if len(cand.At.Set) == 0 && !cand.At.Skip {
			return nil, fault.New(fault.InvalidParam, "at does nothing there").WithField(field + ".at").
				WithHint(`give set, as {"total":"0"}, or skip: true`)
		}
		return nil, nil
	}
	if err != nil {
		return nil, fault.New(fault.InvalidParam, "%w", err).WithField(field)
	}
	return made, w.checkPolicy(made, field)
}

// checkPolicy refuses a change of files that the policy does not allow.
func (w *work) checkPolicy(made *change.Change, field string) error {
	for _, f := range made.Files {
		if err := w.Policy.Path(field, filepath.Join(w.Workspace, filepath.FromSlash(f.Name))); err != nil {
			return err
		}
	}
	return nil
}

// relativePath is a path below the workspace, as agents give files: absolute ones too.
func (w *work) relativePath(file string) string {
	if rel, err := filepath.Rel(w.Workspace, file); err == nil && filepath.IsAbs(file) && filepath.IsLocal(rel) {
		return filepath.ToSlash(rel)
	}
	return strings.TrimPrefix(filepath.ToSlash(file), "./")
}

// describe says what a candidate does, where the caller has not said why it should
// help.
func (w *work) describe(cand Candidate) string {
	switch {
	case cand.At != nil:
		var what []string
		for _, name := range slices.Sorted(maps.Keys(cand.At.Set)) {
			what = append(what, "set "+name+" = "+cand.At.Set[name])
		}
		if cand.At.Skip {
			what = append(what, "skip")
		}
		if len(what) == 0 {
			return ""
		}
		return strings.Join(what, ", ") + " at " + w.relativePath(cand.At.Location)
	case len(cand.Edits) == 1:
		e := cand.Edits[0]
		return fmt.Sprintf("%s: %s → %s", w.relativePath(e.File), oneLine(e.Old), oneLine(e.New))
	case len(cand.Edits) > 1:
		return "edits of " + strings.Join(editedFiles(cand.Edits, w.relativePath), ", ")
	}
	return ""
}

// editedFiles are the files of edits, each once.
func editedFiles(edits []Edit, name func(string) string) []string {
	var files []string
	for _, e := range edits {
		if file := name(e.File); !slices.Contains(files, file) {
			files = append(files, file)
		}
	}
	return files
}

// keyOf names what a candidate does.
func keyOf(cand Candidate, made *change.Change) string {
	if made != nil {
		return made.Key()
	}
	text, err := json.Marshal(cand.At)
	if err != nil {
		return ""
	}
	return "at " + string(text)
}

// changedFiles are the files of a change.
func changedFiles(c *change.Change) []string {
	var list []string
	for _, f := range c.Files {
		list = append(list, f.Name)
	}
	return list
}
