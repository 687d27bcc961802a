package generated

import "slices"

// noted are all writes of a run, and the statements before which each stood.
func (a *asker) noted(before func(m *machine, in *frame, s *Stmt)) []write {
	var list []write
	m := &machine{Wrote: func(w write) { list = append(list, w) }}
	if before != nil {
		m.Before = func(in *frame, s *Stmt) { before(m, in, s) }
	}
	a.run(m)
	return list
}

// same says that a write is to a variable: the one that is declared there, or each of the
// name where a variable belongs to its function.
func (a *asker) same(w write, v *Var, f *Func) bool {
	c, is := w.To.in.(*cell)
	if !is {
		return false
	}
	if a.d.Flat && v.Name == c.of.Name {
		return w.In.Func == f || w.In.Func.Closure
	}
	return c.of == v
}

// local asks for the writes to a number of a function.
func (a *asker) local() *question {
	return a.writes(false, Int)
}

// other asks for those to a text or a truth value of a function.
func (a *asker) other() *question {
	if a.d.Watched || a.IntN(2) == 0 { // a text lies in several places
		return a.writes(false, Bool)
	}
	return a.writes(false, Text)
}

func (a *asker) writes(params bool, of Type) *question {
	s := a.one(func(s *place) bool { return a.plain(s) && a.variable(s, params, of) != nil })
	if s == nil {
		return nil
	}
	v := a.variable(s, params, of)
	q := &question{Kind: "writes local", Columns: []string{"was", "value"}}
	q.Args = map[string]any{"what": "writes", "expression": v.Name, "location": a.at(s.Line)}
	for _, w := range a.noted(nil) {
		if a.same(w, v, s.In) {
			a.add(q, w)
		}
	}
	return q
}

// resized is by how much a write made a list longer.
func resized(w write) int {
	was, is := w.Was.(*series)
	now, too := w.Value.(*series)
	if !is || !too {
		return 0
	}
	return len(now.elements) - len(was.elements)
}

// mayLie says that a value may be in the memory that a variable is given: nothing, or what an
// earlier one of its name had.
func (q *question) mayLie(value string) bool {
	last := len(q.Rows) - 1
	return value == "0" || value == "false" || last >= 0 && q.Rows[last].Cells[1] == value
}

func (a *asker) add(q *question, w write) {
	was, value := shown(w.Was), shown(w.Value)
	given := a.d.Given && (w.At.Kind == Range || w.At.Kind == Each)
	q.Watched = a.d.Watched
	if w.At.Line == 0 { // no line of the program's does it
		return
	}
	r := row{Line: w.At.Line, End: w.At.End, Cells: []string{was, value}}
	r.May = was == value || given || q.Watched && (q.Loose && resized(w) == 0 || w.Was == nil && q.mayLie(value))
	r.Anywhere = a.d.Shares && w.At.Kind == Declare && moved(w.At.Value)
	r.Sorted = q.Watched && w.At.Kind == Sort
	q.Rows = append(q.Rows, r)
}

// number is a variable of a number that can be seen at a place: of the parameters only
// where they are asked for.
func (a *asker) number(s *place, params bool) *Var { return a.variable(s, params, Int) }

func (a *asker) variable(s *place, params bool, of Type) *Var {
	seen := map[string]bool{}
	var found []*Var
	for i, v := range slices.Backward(s.Sight) {
		if !seen[v.Name] && v.Type == of && (params || i >= len(s.In.Params)) {
			found = append(found, v)
		}
		seen[v.Name] = true
	}
	if len(found) == 0 {
		return nil
	}
	return found[a.IntN(len(found))]
}

// part asks for the writes to an element, an entry, a field or a whole list of main, by
// whatever name they are made.
func (a *asker) part() *question {
	end := a.all[len(a.all)-2].Stmt // prints
	kind, e := a.ofMain()
	q := &question{Kind: "writes " + kind, Columns: []string{"was", "value"}}
	q.Args = map[string]any{"what": "writes", "expression": a.w.outer(e), "location": a.at(end.Line)}
	var at spot
	var list any
	all := a.noted(func(m *machine, in *frame, s *Stmt) {
		if s == end {
			at, list = m.spot(in, e), m.value(in, e)
		}
	})
	q.Moves = a.d.Addresses && kind == "element" && e.(At).List.kind() == List
	q.Marked = a.d.Addresses && !a.d.Watched && kind != "list"
	q.Loose = a.d.Watched && kind == "list"
	for i, w := range all {
		switch {
		case w.To == at:
			a.add(q, w)
		case kind == "element" && w.To.in == at.in && w.To.key == nil: // sorted, or with one more or less
			w.Was, w.Value = element(w.wholeWas, at.key), element(w.wholeNow, at.key)
			a.add(q, w)
		case kind == "list" && w.To.in == list && twice(all, i):
			all[i+1].wholeWas = w.wholeWas // both are one change of the list
		case kind == "list" && w.To.in == list:
			w.Was, w.Value = w.wholeWas, w.wholeNow
			a.add(q, w)
		}
	}
	return q
}

// twice says that a write is the first of two of one exchange within a list.
func twice(all []write, i int) bool {
	return all[i].At.Kind == Swap && i+1 < len(all) && all[i+1].At == all[i].At && all[i+1].In == all[i].In &&
		all[i+1].To.in == all[i].To.in
}

// whyPart asks where an element, an entry or a field has what it holds at the end.
func (a *asker) whyPart() *question {
	q := a.part()
	if q.Kind == "writes list" || q.Moves || len(q.Rows) == 0 {
		return nil
	}
	q.Kind = "why part"
	delete(q.Args, "what")
	all := q.Rows
	q.Rows = nil
	for _, r := range slices.Backward(all) {
		q.Rows = append(q.Rows, r)
		if r.Cells[0] != r.Cells[1] && !r.May {
			return q
		}
	}
	return nil // it has what its list was made with
}

// element is one of a list, or nil where it is shorter.
func element(list, at any) any {
	if l := list.(*series).elements; at.(int) < len(l) {
		return l[at.(int)]
	}
	return nil
}

// ofMain is one of the things that main declares first, and what it is called.
func (a *asker) ofMain() (string, Expr) {
	kinds := []string{}
	list := []Expr{}
	for _, s := range a.p.Main.Body {
		if s.Kind != Declare {
			break
		}
		switch e := (Use{s.Var}); s.Var.Type {
		case Array, List:
			kinds, list = append(kinds, "element"), append(list, At{e, Lit{a.IntN(2)}})
			if s.Var.Type == List || a.d.Aliases {
				kinds, list = append(kinds, "list"), append(list, e)
			}
		case Map:
			kinds = append(kinds, "entry")
			list = append(list, Item{e, "k"})
		case Row, Shelf:
			i := a.IntN(2)
			kinds = append(kinds, "field")
			list = append(list, Field{Slot{e, i, []string{"p", "q"}[i]}, []string{"low", "high"}[a.IntN(2)]})
		case Object:
			kinds = append(kinds, "field")
			list = append(list, Field{e, []string{"low", "high"}[a.IntN(2)]})
		}
	}
	i := a.IntN(len(list))
	return kinds[i], list[i]
}

// member is a field, an element or an entry that can be read at a place, and the variable that
// it is a part of.
func (a *asker) member(s *place) (Expr, *Var) {
	for _, e := range a.readable(s) {
		var of Expr
		switch e := e.(type) {
		case At:
			of = e.List
		case Item:
			of = e.Map
		case Field:
			of = e.Object
			if s, is := of.(Slot); is {
				of = s.In
			}
		}
		if u, is := of.(Use); is {
			return e, u.Var
		}
	}
	return nil, nil
}

// first asks when a condition first held: of a number, or of a part of what a variable holds.
func (a *asker) first(part bool) *question {
	s := a.one(func(s *place) bool { return a.plain(s) && s.In.Of == nil && a.number(s, true) != nil })
	if s == nil {
		return nil
	}
	v := a.number(s, true)
	var e Expr = Use{v}
	if part {
		if e, v = a.member(s); v == nil {
			return nil
		}
	}
	if v.Name == "total" && s.In == a.p.Main { // a closure changes it, which is another function
		return nil
	}
	condition := Op{[]string{">", "<"}[a.IntN(2)], e, Lit{a.IntN(20) - 2}}
	name := s.In.Name
	q := &question{Kind: "first", Columns: []string{"value"}}
	if part {
		q.Kind = "first part"
	}
	q.Args = map[string]any{"what": "first", "condition": a.w.outer(condition), "scope": []string{a.d.scope(name)}}
	done := map[*frame]*Stmt{}
	clear := true // a variable of the same name elsewhere in the function makes it less clear
	for _, o := range a.all {
		if o.In == s.In && o.Var != nil && o.Var != v && o.Var.Name == v.Name {
			clear = false
		}
	}
	if !clear {
		return nil
	}
	var m *machine
	m = &machine{Before: func(in *frame, at *Stmt) {
		if in.Func != s.In {
			return
		}
		before := done[in]
		done[in] = at
		c := in.scope.find(v)
		if len(q.Rows) > 0 || c == nil || c.value == nil || !m.value(in, condition).(bool) {
			return
		}
		r := row{Line: in.Func.Line, End: at.End, Cells: []string{shown(m.value(in, e))}}
		if before != nil {
			r.Line, r.End = before.Line, before.End
		}
		r.May = at.Joined // judged at the end of the line
		q.Rows = append(q.Rows, r)
	}}
	a.run(m)
	if len(q.Rows) == 0 {
		return nil
	}
	return q
}

// why asks where the last value of a number came from, at the last pass of a line.
func (a *asker) why() *question {
	s := a.one(func(s *place) bool { return a.plain(s) && a.number(s, false) != nil })
	if s == nil {
		return nil
	}
	v := a.number(s, false)
	q := &question{Kind: "why", Columns: []string{"was", "value"}}
	q.Args = map[string]any{"expression": v.Name, "location": a.at(s.Line)}
	var last, seen []write
	a.run(&machine{
		Wrote: func(w write) {
			if a.same(w, v, s.In) {
				if w.Was != w.Value {
					last = nil
				}
				last = append(last, w)
			}
		},
		Before: func(in *frame, at *Stmt) {
			if at == s.Stmt {
				seen = slices.Clone(last)
			}
		},
	})
	if len(seen) == 0 {
		return nil
	}
	if seen[0].In.Func == a.p.Funcs[len(a.p.Funcs)-1] { // of another depth
		return nil
	}
	for _, w := range slices.Backward(seen) {
		a.add(q, w)
	}
	return q
}
