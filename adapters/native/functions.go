package native

import (
	"cmp"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	godap "github.com/google/go-dap"
)

// wantedFunction is a breakpoint on a function as our scripts read it.
type wantedFunction struct {
	Name      string `json:"name"`
	Condition string `json:"condition,omitempty"`
}

// foundFunction is what our scripts say of one.
type foundFunction struct {
	ID     int             `json:"id"`
	IDs    []int           `json:"ids"` // where the debugger needs several for the one
	Places []functionPlace `json:"places"`
}

// functionPlace is a line on which the bodies of functions begin that have the name.
type functionPlace struct {
	File  string `json:"file"` // empty where there is no debug information
	Line  int    `json:"line"`
	Count int    `json:"count"` // of places in the code: a generic function has one for each type
	Name  string `json:"name"`
}

// FunctionRequest has our script find the functions (functions.py
// of scripts/aidb/debugger/{lldb,gdb}): the debuggers' own search misses Rust's generic
// functions and takes what lies outside of a function for it.
func (c *common) FunctionRequest(list []godap.FunctionBreakpoint) (command string, arguments any) {
	wanted := make([]wantedFunction, len(list))
	for i, b := range list {
		wanted[i] = wantedFunction{b.Name, b.Condition}
	}
	text, _ := json.Marshal(wanted)
	return "evaluate", godap.EvaluateArguments{Expression: "aidb breakpoints " + hex.EncodeToString(text), Context: c.commands}
}

// FunctionReply reads where the functions were found.
func (c *common) FunctionReply(body json.RawMessage) ([]godap.Breakpoint, error) {
	var said godap.EvaluateResponseBody
	if err := json.Unmarshal(body, &said); err != nil {
		return nil, fmt.Errorf("the debugger's answer: %w", err)
	}
	var found []foundFunction
	if err := readAnswer(said.Result, "breakpoints", &found); err != nil {
		return nil, err
	}
	list := make([]godap.Breakpoint, len(found))
	c.mu.Lock()
	defer c.mu.Unlock()
	c.parts = map[int]int{}
	for i, f := range found {
		slices.SortStableFunc(f.Places, func(a, b functionPlace) int { return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line)) })
		list[i] = f.breakpoint()
		for _, id := range f.IDs {
			c.parts[id] = f.ID
		}
	}
	return list, nil
}

// mergeParts puts the breakpoint that was asked for in the place of its parts; mu is held.
func (c *common) mergeParts(ids []int) []int {
	var list []int
	for _, id := range ids {
		id = cmp.Or(c.parts[id], c.ways[id], id)
		if !slices.Contains(list, id) {
			list = append(list, id)
		}
	}
	return list
}

func (f foundFunction) breakpoint() godap.Breakpoint {
	b := godap.Breakpoint{Id: f.ID, Verified: len(f.Places) > 0}
	if !b.Verified {
		b.Message = noFunction
		return b
	}
	if first := f.Places[0]; first.File != "" {
		b.Source, b.Line = &godap.Source{Name: filepath.Base(first.File), Path: first.File}, first.Line
	}
	b.Message = f.places()
	return b
}

const noFunction = "no function of the program is called so (generic arguments may be left out)"

// places says where a breakpoint is, when one line does not say it.
func (f foundFunction) places() string {
	const shown = 5
	total := 0
	var words []string
	for i, p := range f.Places {
		total += p.Count
		word := p.Name + " (without debug information)"
		if p.File != "" {
			word = fmt.Sprintf("%s:%d", filepath.Base(p.File), p.Line)
		}
		switch {
		case i == shown:
			words = append(words, "…")
		case i < shown && p.Count > 1:
			words = append(words, fmt.Sprintf("%s (%d times)", word, p.Count))
		case i < shown:
			words = append(words, word)
		}
	}
	if total == 1 && f.Places[0].File != "" {
		return ""
	}
	if total == 1 {
		return "in " + words[0]
	}
	return fmt.Sprintf("%d places: %s", total, strings.Join(words, ", "))
}
