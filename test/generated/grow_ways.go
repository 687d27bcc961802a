package generated

// counted says that a place can be counted up by ++ in each language that has it.
func counted(e Expr) bool {
	switch e := e.(type) {
	case Use, Field:
		return true
	case At:
		return e.List.kind() == Array
	}
	return false
}

// condition may call.
func (g *grower) condition(depth int) Expr {
	if g.IntN(4) > 0 {
		return g.truth(depth)
	}
	call := g.call()
	if call == nil {
		return g.truth(depth)
	}
	called := Op{[]string{"<", ">", "!="}[g.IntN(3)], call, g.literal()}
	if g.IntN(2) == 0 {
		return called
	}
	return Op{[]string{"&&", "||"}[g.IntN(2)], g.truth(0), called}
}

// result is a return, of a call now and then.
func (g *grower) result() *Stmt {
	if c := g.call(); c != nil && g.IntN(3) == 0 {
		return &Stmt{Kind: Return, Value: c, Long: g.IntN(3) == 0}
	}
	return &Stmt{Kind: Return, Value: g.number(2)}
}

// leave goes out of a loop, or on with its next turn.
func (g *grower) leave(kind Kind) *Stmt {
	s := &Stmt{Kind: kind}
	if g.Labels && g.loops > 1 && g.outer != "" && (g.cased && kind == Break || g.IntN(2) == 0) {
		s.Label, g.named = g.outer, true
	} else if g.cased && kind == Break {
		s.Kind = Continue
	}
	return g.lined(&Stmt{Kind: If, Value: g.truth(1), Body: []*Stmt{s}})
}

// lined puts what a condition leads to on its line, now and then.
func (g *grower) lined(s *Stmt) *Stmt {
	if g.Inline && len(s.Body) == 1 && !s.Body[0].Long && g.IntN(2) == 0 {
		s.Inline, s.Body[0].Joined = true, true
	}
	return s
}

// turns draws the body of a loop, which gets a name where something in it leaves it.
func (g *grower) turns(s *Stmt, draw func()) {
	outermost, cased := g.loops == 0, g.cased
	g.loops++
	g.cased = false
	if outermost && g.Labels {
		g.outer, g.named = "outer", false
	}
	draw()
	if outermost {
		if g.named {
			s.Label = g.outer
		}
		g.outer, g.named = "", false
	}
	g.loops--
	g.cased = cased
}

// choice chooses by a number.
func (g *grower) choice(depth int) *Stmt {
	s := &Stmt{Kind: Switch, Value: Op{"%", Op{"+", g.number(1), Lit{60}}, Lit{3}}}
	if v := g.pick(Int); v != nil && g.IntN(3) == 0 {
		s.Value = Use{v}
	}
	cased := g.cased
	g.cased = true
	for i := range 2 + g.IntN(2) {
		s.Body = append(s.Body, &Stmt{Kind: Case, Value: Lit{i}, Body: g.body(1+g.IntN(2), depth+1)})
	}
	s.Else = g.body(1, depth+1)
	g.cased = cased
	return s
}

// mapped declares a list that is made of another one.
func (g *grower) mapped() *Stmt {
	of := g.pick([]Type{Array, List}[g.IntN(2)])
	name := "made"
	for g.given[name] {
		name += "2"
	}
	if of == nil {
		return g.plain()
	}
	g.given[name] = true
	x := &Var{"x", Int}
	made := &Var{name, List}
	s := &Stmt{Kind: Declare, Var: made, Value: Mapped{Use{of}, x, Op{"+", Op{"*", Use{x}, Lit{1 + g.IntN(2)}}, g.literal()}}}
	g.vars = append(g.vars, made)
	return s
}
