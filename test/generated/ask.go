package generated

import (
	"fmt"
	"math/rand/v2"
	"slices"
)

// row is what one row of an answer must say: the lines that its place may have, and the
// cells in the order of the question's columns.
type row struct {
	Line, End int
	Cells     []string
	May       bool // may be left out: nothing changed, or no statement did it
	Anywhere  bool // the place is not compared: it is that of what was copied
	Sorted    bool // what is done to one element in between is seen, too
}

// question is one that is put to the server, and the truth.
type question struct {
	Kind    string
	Args    map[string]any
	Columns []string
	Stack   []*frame // of a stop: the calls that stand
	Rows    []row
	Func    *Func // whose calls they are
	Marked  bool  // the rows of this object are marked
	Watched bool  // a write that leaves a value as it was is not seen
	Loose   bool  // of what was there before, what the row before has is told
	Moves   bool  // what was written before a list grew is at another address

	Tool   string       // other than trace and why
	Folded map[int]bool // lines that a compiler may leave no code of
	Passes map[int]int  // of the lines of one call: how often it came to each
	Failed *Stmt        // of a diagnosis: what failed, and its two sides
	Sides  [2]string
	Funcs  []*Func // whose calls the rows are
}

// tool is what answers it.
func (q *question) tool() string {
	switch {
	case q.Tool != "":
		return q.Tool
	case q.Kind == "why" || q.Kind == "why part":
		return "why"
	}
	return "trace"
}

// asker makes questions about a program.
type asker struct {
	*rand.Rand
	d    *dialect
	w    *writer
	p    *Program
	file string
	all  []*place
	last *machine
}

// place is a statement, with the function in which it stands and the variables in sight.
type place struct {
	*Stmt
	In    *Func
	Sight []*Var
	Hits  int
	Last  bool // of its block
}

func newAsker(seed uint64, d *dialect, p *Program, file string) *asker {
	a := &asker{Rand: rand.New(rand.NewPCG(seed, 26)), d: d, w: &writer{asks: true, dialect: d, program: p, name: file}, p: p, file: file}
	for _, f := range p.functions() {
		if !f.Closure {
			a.places(f, f.Body, f.Params)
		}
	}
	hits := map[*Stmt]int{}
	a.run(&machine{Before: func(_ *frame, s *Stmt) { hits[s]++ }})
	for _, s := range a.all {
		s.Hits = hits[s.Stmt]
	}
	return a
}

// questions are those about the program.
func (a *asker) questions() []*question {
	var list []*question
	for _, q := range []*question{a.values(false), a.values(true), a.calls(), a.local(), a.part(), a.part(), a.first(false), a.why(), a.why(),
		a.limited(), a.never(), a.within(), a.stop(), a.first(true), a.diagnosis(), a.whyPart(), a.stopIf(), a.other(), a.worked()} {
		if q != nil {
			list = append(list, q)
		}
	}
	return list
}

// run runs the program once more, with hooks.
func (a *asker) run(m *machine) *machine {
	m.features = a.d.features
	if err := m.Run(a.p); err != nil {
		panic(err)
	}
	a.last = m
	return m
}

// places notes the statements of a block.
func (a *asker) places(f *Func, body []*Stmt, sight []*Var) {
	sight = slices.Clone(sight)
	if a.d.Hoisted { // what is declared further down hides what has its name, and cannot be read yet
		for _, s := range body {
			if s.Kind == Declare {
				sight = slices.DeleteFunc(sight, func(v *Var) bool { return v.Name == s.Var.Name })
			}
		}
	}
	for i, s := range body {
		a.all = append(a.all, &place{Stmt: s, In: f, Sight: slices.Clone(sight), Last: i == len(body)-1})
		inner := sight
		if s.Var != nil && s.Kind != Declare && s.Kind != Try {
			inner = append(slices.Clone(sight), s.Var)
		}
		for _, b := range [][]*Stmt{s.Body, s.Else, s.Last} {
			a.places(f, b, inner)
		}
		if s.Kind == Declare {
			sight = append(sight, s.Var)
		}
	}
}

// one is a place that was passed and is good for a question, or nil.
func (a *asker) one(good func(*place) bool) *place {
	var found []*place
	for _, s := range a.all {
		if s.Line > 0 && s.Hits > 0 && s.Hits < 60 && good(s) {
			found = append(found, s)
		}
	}
	if len(found) == 0 {
		return nil
	}
	return found[a.IntN(len(found))]
}

// worked asks for expressions that are worked out at a line.
func (a *asker) worked() *question {
	s := a.one(func(s *place) bool { return a.plain(s) && a.number(s, true) != nil })
	if s == nil {
		return nil
	}
	n := func() Expr {
		for _, e := range a.readable(s) {
			if e.kind() == Int && a.IntN(2) == 0 {
				return e
			}
		}
		return Use{a.number(s, true)}
	}
	list := []Expr{Op{"+", n(), Op{"*", n(), Lit{2}}}, Op{"&&", Op{">", n(), n()}, Op{"!=", n(), Lit{a.IntN(9)}}}, Op{"-", Lit{3}, n()}}
	return a.ask(&question{Kind: "values worked out", Args: map[string]any{"what": "values", "location": a.at(s.Line)}}, s, list, nil)
}

func (a *asker) at(line int) string { return fmt.Sprintf("%s:%d", a.file, line) }

// plain says that a statement's line is passed once each time that it runs, and that the
// line is its own.
func (a *asker) plain(s *place) bool {
	switch s.Kind {
	case Declare, Assign, Augment, Swap, Push, Pop, Sort, Do, Return, If, Switch, Print:
		return !s.Joined && !a.elsif(s.Stmt)
	}
	return false
}

func (a *asker) elsif(s *Stmt) bool {
	for _, p := range a.all {
		if p.Kind == If && len(p.Else) == 1 && p.Else[0] == s && !s.Inline {
			return true
		}
	}
	return false
}

// folded are the lines of which a compiler may leave no code: conditions that it can tell, and
// what is put where it is.
func (a *asker) folded() map[int]bool {
	lines := map[int]bool{}
	for _, s := range a.all {
		known := s.Kind == If || s.Kind == Assign && a.w.outer(s.Target) == a.w.outer(s.Value) || s.Kind == Augment && s.Op == "*" && s.Value == (Lit{1})
		if a.d.Folds && known || a.d.Shares && (s.Kind == Declare || s.Kind == Return) && moved(s.Value) {
			lines[s.Line] = true
		}
	}
	return lines
}

// moved says that a variable is given a constant or another variable, for which a compiler may
// do nothing where that stands.
func moved(e Expr) bool {
	switch e.(type) {
	case Use, Lit:
		return true
	}
	return false
}

// readable are the expressions that can be asked about at a place.
func (a *asker) readable(s *place) []Expr {
	var list []Expr
	hidden := map[string]bool{}
	for _, v := range slices.Backward(s.Sight) {
		if hidden[v.Name] {
			continue
		}
		hidden[v.Name] = true
		list = append(list, Use{v})
		if v.Type == Array && a.d.Bare && !a.d.Lists { // it is a pointer
			list[len(list)-1] = At{Use{v}, Lit{2}}
		}
		switch v.Type {
		case Array, List:
			list = append(list, At{Use{v}, Lit{a.IntN(2)}})
		case Map:
			list = append(list, Item{Use{v}, "k"})
		case Row, Shelf:
			i := a.IntN(2)
			list[len(list)-1] = Field{Slot{Use{v}, i, []string{"p", "q"}[i]}, "low"}
		case Object:
			list[len(list)-1] = Field{Use{v}, "low"}
			list = append(list, Field{Use{v}, "high"})
		}
	}
	a.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	return list[:min(len(list), 4)]
}

// values asks for expressions at a line.
func (a *asker) values(conditional bool) *question {
	s := a.one(func(s *place) bool { return a.plain(s) && len(a.readable(s)) > 0 && (!conditional || s.Hits > 1) })
	if s == nil {
		return nil
	}
	list := a.readable(s)
	q := &question{Kind: "values", Args: map[string]any{"what": "values", "location": a.at(s.Line)}}
	var condition Expr
	if conditional {
		q.Kind = "values if"
		for _, e := range list {
			if e.kind() == Int {
				condition = Op{">", e, Lit{a.IntN(12)}}
			}
		}
		if condition == nil {
			return nil
		}
		q.Args["condition"] = a.w.outer(condition)
	}
	return a.ask(q, s, list, condition)
}

// ask asks for expressions at a line, where a condition holds.
func (a *asker) ask(q *question, s *place, list []Expr, condition Expr) *question {
	for _, e := range list {
		q.Columns = append(q.Columns, a.w.outer(e))
	}
	q.Args["expressions"] = q.Columns
	var m *machine
	m = &machine{Before: func(in *frame, at *Stmt) {
		if at != s.Stmt || condition != nil && !m.value(in, condition).(bool) {
			return
		}
		r := row{Line: s.Line, End: s.End}
		for _, e := range list {
			r.Cells = append(r.Cells, shown(m.value(in, e)))
		}
		q.Rows = append(q.Rows, r)
	}}
	m.features = a.d.features
	if m.Run(a.p) != nil || len(q.Rows) == 0 { // what is worked out may be too large
		return nil
	}
	return q
}

// calls asks for the calls of a function.
func (a *asker) calls() *question {
	var called []*Func
	a.run(&machine{Entered: func(f *frame) {
		if f.Func != a.p.Main && f.Func != a.p.Class.New && !f.Func.Closure {
			called = append(called, f.Func)
		}
	}})
	if len(called) == 0 {
		return nil
	}
	f := called[a.IntN(len(called))]
	q := &question{Kind: "calls", Func: f, Args: map[string]any{"what": "calls", "functions": []string{f.Name}}}
	rows := map[*frame]int{}
	a.run(&machine{
		Entered: func(in *frame) {
			if in.Func != f {
				return
			}
			r := row{Line: in.From.At.Line, End: in.From.At.End}
			for _, v := range in.Args {
				text := shown(v)
				if _, is := v.(int); !is && a.d.Pointers {
					text = anything
				}
				r.Cells = append(r.Cells, text)
			}
			rows[in] = len(q.Rows)
			q.Rows = append(q.Rows, r)
		},
		Left: func(in *frame) {
			if i, is := rows[in]; is {
				result := shown(in.Result)
				if in.Raised {
					result = "raised"
				}
				q.Rows[i].Cells = append(q.Rows[i].Cells, result)
			}
		},
	})
	return q
}

// anything stands for a value that is not compared.
const anything = "?"

// shown is a value as answers are normalised to.
func shown(value any) string {
	switch v := value.(type) {
	case *series:
		return fmt.Sprint(v.elements)
	case *dict:
		list := []string{}
		for k, n := range v.values {
			list = append(list, fmt.Sprint(k, ":", n))
		}
		slices.Sort(list)
		return fmt.Sprint(list)
	case *object:
		return fmt.Sprintf("low:%d high:%d", v.fields["low"], v.fields["high"])
	case nil:
		return "-"
	}
	return fmt.Sprint(value)
}
