package responses

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"aidb-mcp/internal/fault"
)

// Whatever a reply holds, each of its forms is within its budget, it says whether the
// call worked, keeps the state, and is valid JSON.
func FuzzFit(f *testing.F) {
	for seed := range uint64(40) {
		f.Add(seed, uint16(1000+seed*300), "text with \x00 control \xff bytes and ünïcode")
	}
	f.Fuzz(func(t *testing.T, seed uint64, budget uint16, text string) {
		max := 1000 + int(budget)%39001
		r := &random{rand.New(rand.NewPCG(seed, 1)), text}
		env := r.envelope()
		_, isStop := env.Data.(*StopView)
		read := Fit((&random{rand.New(rand.NewPCG(seed, 1)), text}).envelope(), max, Text)
		reply := Fit(env, max, Both)
		if len(reply.JSON) > max || len(reply.Text) > max || len(read.Text) > max {
			t.Errorf("%d, %d and %d bytes, more than %d", len(reply.JSON), len(reply.Text), len(read.Text), max)
		}
		if !utf8.Valid(read.Text) || Plain(string(read.Text)) != string(read.Text) || read.IsError != reply.IsError || read.JSON != nil {
			t.Errorf("not clean:\n%s", read.Text)
		}
		var got struct {
			Success bool
			Summary string
			Data    struct {
				State *struct{ Status string } `json:"execution_state"`
			}
			Error *struct{ Code string }
		}
		if err := json.Unmarshal(reply.JSON, &got); err != nil {
			t.Fatalf("not valid JSON: %v\n%s", err, reply.JSON)
		}
		if !utf8.Valid(reply.JSON) || bytes.Contains(reply.JSON, []byte(":null")) {
			t.Errorf("not clean:\n%s", reply.JSON)
		}
		if got.Success == reply.IsError || got.Success != (got.Error == nil) {
			t.Errorf("success %v, IsError %v, error %v", got.Success, reply.IsError, got.Error)
		}
		if isStop && (got.Data.State == nil || got.Data.State.Status != "stopped_at_breakpoint") {
			t.Errorf("the state is gone:\n%s", reply.JSON)
		}
	})
}

// random makes envelopes of every kind out of a text.
type random struct {
	*rand.Rand
	text string
}

func (r *random) string() string {
	return strings.Repeat(r.text, r.IntN(4)) + strings.Repeat("x", r.IntN(20))
}

func (r *random) long() string { return strings.Repeat(r.string()+"\n", r.IntN(60)) }

func (r *random) variables(depth int) *Variables {
	if r.IntN(4) == 0 {
		return nil
	}
	items := make([]Variable, r.IntN(12))
	for i := range items {
		items[i] = r.variable(depth)
	}
	return NewVariables(items, r.page())
}

func (r *random) variable(depth int) Variable {
	v := Variable{Name: r.string(), Value: r.string(), Type: r.string(), Ref: r.IntN(3), Count: r.IntN(3), Length: r.IntN(1000)}
	if r.IntN(10) == 0 {
		v.Value = r.long()
	}
	if depth > 0 {
		v.Children = r.variables(depth - 1)
	}
	return v
}

func (r *random) page() Page {
	return Page{What: r.string(), Total: r.IntN(100), More: func(start int) Call {
		return NewCall("inspect", "expression", r.text, "start", start)
	}}
}

func (r *random) stack() *Stack {
	frames := make([]Frame, r.IntN(40))
	for i := range frames {
		frames[i] = Frame{r.string(), r.string(), r.IntN(2) == 0}
	}
	return &Stack{Page: r.page(), Frames: frames}
}

func (r *random) lines() *List[string] {
	rows := make([]string, r.IntN(50))
	for i := range rows {
		rows[i] = r.string()
	}
	return NewList(rows, r.page())
}

func (r *random) texts() []string {
	texts := make([]string, r.IntN(6))
	for i := range texts {
		texts[i] = r.string()
	}
	return texts
}

func (r *random) breakpoints() *List[Breakpoint] {
	rows := make([]Breakpoint, r.IntN(20))
	for i := range rows {
		rows[i] = Breakpoint{ID: i, Location: r.string(), Text: r.string(), Message: r.string()}
	}
	return NewList(rows, r.page())
}

func (r *random) envelope() *Envelope {
	env := &Envelope{Success: true, Summary: r.string(), SessionID: r.string()}
	for range r.IntN(6) {
		env.NextSteps = append(env.NextSteps, NewCall(r.string(), "p", r.string()).Why(r.string()))
		env.Omitted = append(env.Omitted, Omission{What: r.string(), Shown: 1, Total: 2})
	}
	env.Events, env.Notes = r.texts(), r.texts()
	switch r.IntN(6) {
	case 0:
		env.Data = r.stop()
	case 1:
		env.Data = r.inspection()
	case 2:
		env.Data = &Breakpoints{Breakpoints: r.breakpoints(), Removed: make([]int, r.IntN(3000))}
	case 3:
		env.Data = &Context{Locals: r.variables(1), Stack: r.stack(), Breakpoints: r.breakpoints(), Snapshot: r.snapshot()}
	case 4:
		env.Data = Object{{r.string(), r.long()}, {r.string(), []string{r.long(), r.string()}}}
	default:
		failed := Failure(fault.New(fault.BuildFailed, "%s", r.long()).WithHint("%s", r.long()).WithField(r.text).
			WithDetails([]Object{{{r.string(), r.long()}}, {{"line", 3}}, {{"text", r.long()}}}))
		failed.SessionID, failed.Omitted = env.SessionID, env.Omitted
		return failed
	}
	return env
}

func (r *random) stop() *StopView {
	rest := NewCall("inspect", "target", "all")
	return &StopView{
		State:    ExecutionState{Status: "stopped_at_breakpoint", HitBreakpoints: make([]int, r.IntN(2000)), Doing: r.long()},
		Location: r.long(), Function: r.string(), Snapshot: r.snapshot(),
		Exception: &Exception{Type: r.string(), Message: r.long(), Stack: r.long(), Inner: &Exception{Message: r.long()}},
		Changed:   Changes{{r.string(), r.string(), r.long()}, {r.string(), r.long(), r.string()}},
		Locals:    r.variables(2), Returned: r.variables(0), Stack: r.stack(),
		Output:      &Output{Stdout: Stream{Text: r.long()}, Stderr: Stream{Text: r.long(), Cut: r.IntN(3), Lost: r.IntN(3)}},
		Breakpoints: r.breakpoints(), NeverHit: r.breakpoints(), Warnings: []string{r.string()}, Rest: &rest,
	}
}

func (r *random) printed() *Printed {
	p := &Printed{
		Stream: "stdout", Start: r.IntN(3), Tail: r.IntN(2) == 0,
		Page: func(start, count int) Call {
			return NewCall("inspect", "target", "output", "start", start, "count", count)
		},
		Rest: func(line, from int) Call { return NewCall("inspect", "start", line, "address", from) },
	}
	for range r.IntN(50) {
		p.Lines = append(p.Lines, NewLine(r.long(), r.IntN(5), 1000))
	}
	p.Total = p.Start + len(p.Lines) + r.IntN(3)
	return p
}

func (r *random) inspection() *Inspection {
	result := r.variable(3)
	threads := make([]Thread, r.IntN(10))
	for i := range threads {
		threads[i] = Thread{ID: ID(i), Name: r.string(), Stack: r.stack(), Labels: map[string]string{r.text: r.text}}
	}
	return &Inspection{
		Result: &result, Locals: r.variables(2), Globals: r.variables(0), Registers: r.variables(0), Stack: r.lines(),
		Threads: NewList(threads, r.page()), Memory: r.lines(), Disassembly: r.lines(), Stdout: r.printed(), Stderr: r.printed(),
		Source: r.snapshot(), SourcePage: &Page{Total: 100},
	}
}

func (r *random) snapshot() *Snapshot {
	lines := make([]string, 1+r.IntN(20))
	for i := range lines {
		lines[i] = r.long()
	}
	return &Snapshot{First: 1 + r.IntN(1000), Current: r.IntN(1010), Column: r.IntN(500), Lines: lines}
}

// What a budget takes is named, with the count and a call; what stays is whole.
func TestFitNamesWhatItCuts(t *testing.T) {
	reply := Fit(bigStop(), 2500, JSON)
	var got struct {
		Data struct {
			Locals map[string]struct {
				V   string
				Len int
			}
			Stack  []string
			Output struct{ Stdout string }
		}
		Omitted []struct {
			What         string
			Shown, Total int
			Get          *struct{ Tool string }
		}
	}
	if err := json.Unmarshal(reply.JSON, &got); err != nil {
		t.Fatal(err)
	}
	named := map[string]int{}
	for _, o := range got.Omitted {
		if o.Shown >= o.Total && o.Shown != 0 {
			t.Errorf("%s: %d of %d is not cut", o.What, o.Shown, o.Total)
		}
		named[o.What] = o.Shown
	}
	if n, ok := named["locals"]; !ok || n != len(got.Data.Locals) {
		t.Errorf("omitted says %d locals, the reply shows %d", n, len(got.Data.Locals))
	}
	if n, ok := named["stdout (bytes)"]; !ok || n != len(got.Data.Output.Stdout) {
		t.Errorf("omitted says %d bytes of stdout, the reply shows %d", n, len(got.Data.Output.Stdout))
	}
	if _, ok := named["stack frames"]; !ok {
		t.Errorf("the cut stack is not named: %v", named)
	}
	for name, v := range got.Data.Locals {
		if len(v.V) < 800 && v.Len != 800 {
			t.Errorf("%s is cut to %d bytes, its length reads %d", name, len(v.V), v.Len)
		}
	}
}

func TestFitLeavesSmallRepliesAlone(t *testing.T) {
	env := smallStop()
	whole := env.render(JSON).JSON
	if got := Fit(smallStop(), 8000, JSON); !bytes.Equal(got.JSON, whole) {
		t.Errorf("changed:\n%s\n%s", whole, got.JSON)
	}
	if step := Fit(examples()["plain_step"], 8000, JSON); len(step.JSON) > 600 {
		t.Errorf("a plain step takes %d bytes", len(step.JSON))
	}
}

// Where it is not known how long one of several values is, it is not of all.
func TestFoldedValuesOfUnknownLength(t *testing.T) {
	cut := func(name string, length int, unit string) Variable {
		return Variable{Name: name, Value: strings.Repeat("x", 100), Length: length, Unit: unit, Open: length == 0, Ref: 1}
	}
	for want, list := range map[string][]Variable{
		"values of c, d (bytes), 200 shown":                {cut("c", 300, ""), cut("d", 0, "")},
		"values of c, d (bytes) 200 of 700":                {cut("c", 300, ""), cut("d", 400, "")},
		"values of c, d (characters and bytes) 200 of 700": {cut("c", 300, "characters"), cut("d", 400, "")},
	} {
		all := NewVariables(list, Page{}).omissions()
		if len(all) != 1 || all[0].String() != want {
			t.Errorf("got %v, want %s", all, want)
		}
	}
}
