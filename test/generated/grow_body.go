package generated

// body draws statements of a block, at a depth of nesting.
func (g *grower) body(n, depth int) []*Stmt {
	var list []*Stmt
	sight, block := len(g.vars), g.block
	if depth > 0 {
		g.block = sight
	}
	defer func() { g.block = block }()
	for range n {
		s := g.statement(depth)
		if s == nil {
			continue
		}
		list = append(list, s)
		if k := len(list); k > 1 && simple(list[k-2]) && simple(s) && g.IntN(8) == 0 {
			s.Joined = true
		}
	}
	g.vars = g.vars[:sight]
	if len(list) == 0 {
		list = []*Stmt{g.plain()}
		g.vars = g.vars[:sight]
	}
	return list
}

func simple(s *Stmt) bool {
	switch s.Kind {
	case Declare, Assign, Augment, Push:
		return !s.Long
	}
	return false
}

func (g *grower) statement(depth int) *Stmt {
	if depth < 3 && g.IntN(3) == 0 {
		return g.nested(depth)
	}
	switch k := g.IntN(20); {
	case k < 2 && g.loops > 0 && (k == 1 || !g.cased || g.loops > 1 && g.outer != ""):
		return g.leave([]Kind{Break, Continue}[k])
	case k == 2 && g.fn.Name != "main" && g.fn.Of == nil:
		return g.lined(&Stmt{Kind: If, Value: g.condition(1), Body: []*Stmt{g.result()}})
	case k == 3 && g.Swap:
		return g.swap()
	case k < 6 && g.Lists:
		return g.onList()
	case k == 6 && g.Mapped:
		return g.mapped()
	case k == 7 && g.Texts && g.pick(Text) != nil:
		return &Stmt{Kind: Augment, Op: "+", Target: Use{g.pick(Text)}, Value: Lit{[]string{"x", "yz"}[g.IntN(2)]}}
	case k == 8:
		if target := g.target(); target != nil {
			return g.lined(&Stmt{Kind: If, Value: g.condition(1), Body: []*Stmt{{Kind: Augment, Op: "+", Target: target, Value: g.small()}}})
		}
	case k < 12:
		return g.calling()
	}
	return g.plain()
}

// plain declares or writes.
func (g *grower) plain() *Stmt {
	switch k := g.IntN(10); {
	case k < 3:
		return g.declaration()
	case k < 6:
		if target := g.target(); target != nil {
			if g.Short && counted(target) && g.IntN(3) == 0 {
				return &Stmt{Kind: Augment, Op: []string{"+", "-"}[g.IntN(2)], Target: target, Value: Lit{1}, Short: true}
			}
			return &Stmt{Kind: Augment, Op: []string{"+", "+", "-", "*"}[g.IntN(4)], Target: target, Value: g.small()}
		}
	default:
		if target := g.target(); target != nil {
			return &Stmt{Kind: Assign, Target: target, Value: g.bounded(), Long: g.IntN(6) == 0}
		}
	}
	return g.declaration()
}

func (g *grower) declaration() *Stmt {
	s := &Stmt{Kind: Declare, Value: g.number(2)}
	t := Int
	switch k := g.IntN(10); {
	case k == 0:
		s.Value, t = g.truth(2), Bool
	case k == 1 && g.Texts:
		s.Value, t = Lit{[]string{"red", "blue", "it is"}[g.IntN(3)]}, Text
	case k < 5 && g.Ternary:
		s.Value = Pick{g.truth(1), g.number(1), g.number(1)}
	}
	name := g.name(t)
	if name == "" {
		return g.plainCall()
	}
	s.Var = &Var{name, t}
	g.vars = append(g.vars, s.Var)
	return s
}

// name is one that may be declared here.
func (g *grower) name(t Type) string {
	pool := names
	switch t {
	case Bool:
		pool = []string{"ok", "odd"}
	case Text:
		pool = []string{"word", "label"}
	}
	for range 8 {
		name := pool[g.IntN(len(pool))]
		taken := false
		for i, v := range g.vars {
			taken = taken || v.Name == name && (!g.Shadow || g.fn.Name == "main" && name == "total" || i < len(g.fn.Params) || i >= g.block)
		}
		if !taken && (!g.Unique || !g.given[name]) {
			g.given[name] = true
			return name
		}
	}
	return ""
}

func (g *grower) nested(depth int) *Stmt {
	inner := 1 + g.IntN(3)
	switch k := g.IntN(10); {
	case k == 8 && depth < 2:
		return g.choice(depth)
	case k < 3 || g.loops > 1:
		s := &Stmt{Kind: If, Value: g.condition(2), Long: g.IntN(6) == 0}
		s.Body = g.body(inner, depth+1)
		switch g.IntN(3) {
		case 0:
			s.Else = g.body(1+g.IntN(2), depth+1)
		case 1:
			s.Else = []*Stmt{{Kind: If, Value: g.truth(1), Body: g.body(1, depth+1), Else: g.body(1, depth+1)}}
		}
		return s
	case k == 3 && g.Exceptions && g.tries == 0 && g.raises() != nil:
		return g.attempt(depth)
	case k == 4:
		return g.while(depth)
	case k == 5 && !g.Bare:
		if v := g.pick(Array); v != nil {
			return g.over(&Stmt{Kind: Each, Target: Use{v}}, "item", v, inner, depth)
		}
	}
	return g.over(&Stmt{Kind: Range, Target: Lit{2 + g.IntN(3)}}, "i", nil, inner, depth)
}

func (g *grower) over(s *Stmt, name string, busy *Var, inner, depth int) *Stmt {
	for _, v := range g.vars {
		if v.Name == name {
			name += "2"
		}
	}
	for g.Unique && g.given[name] {
		name += "2"
	}
	g.given[name] = true
	s.Var = &Var{name, Int}
	g.vars = append(g.vars, s.Var)
	g.fixed[s.Var] = true
	g.turns(s, func() { s.Body = g.body(inner, depth+1) })
	g.vars = g.vars[:len(g.vars)-1]
	return s
}

func (g *grower) while(depth int) *Stmt {
	v := g.pick(Int)
	if v == nil || g.fixed[v] {
		return g.plain()
	}
	s := &Stmt{Kind: While, Value: Op{">", Use{v}, Lit{g.IntN(3)}}}
	less := &Stmt{Kind: Augment, Op: "-", Target: Use{v}, Value: Lit{1 + g.IntN(4)}}
	switch k := g.IntN(6); {
	case k < 2 && g.Steps:
		s.Value, less = Op{">", Step{v, "-", 1 + g.IntN(4)}, Lit{g.IntN(3)}}, nil
	case k == 2 && g.Ends:
		s.Kind = Until
	case k == 3 && !g.cased:
		s.Value = Lit{true}
	case k == 4 && !g.fixed[v]:
		s.Value = Op{"&&", s.Value, g.condition(0)}
	}
	g.turns(s, func() { s.Body = g.body(1+g.IntN(2), depth+1) })
	if s.Value == (Lit{true}) {
		s.Body = append([]*Stmt{g.lined(&Stmt{Kind: If, Value: Op{"<", Use{v}, Lit{g.IntN(3)}}, Body: []*Stmt{{Kind: Break}}})}, s.Body...)
	}
	if less != nil {
		s.Body = append([]*Stmt{less}, s.Body...)
	}
	return s
}

func (g *grower) raises() *Func {
	var found []*Func
	for _, f := range g.calls {
		if f.Name == "check" || f.Name == "risk" {
			found = append(found, f)
		}
	}
	if len(found) == 0 {
		return nil
	}
	return found[g.IntN(len(found))]
}

// attempt is a call that may raise, in a try.
func (g *grower) attempt(depth int) *Stmt {
	g.tries++
	s := &Stmt{Kind: Try, Var: &Var{"error", Nothing}}
	v := &Var{"tried", Int}
	s.Body = []*Stmt{{Kind: Declare, Var: v, Value: Call{g.raises(), nil, []Expr{g.number(1)}}}}
	for g.given[v.Name] {
		v.Name += "2"
	}
	g.given[v.Name] = true
	g.vars = append(g.vars, v)
	s.Body = append(s.Body, g.body(1, depth+1)...)
	g.vars = g.vars[:len(g.vars)-1]
	s.Else = g.body(1+g.IntN(2), depth+1)
	if g.Always && g.IntN(2) == 0 {
		s.Last = g.body(1, depth+1)
	}
	g.tries--
	return s
}

func (g *grower) swap() *Stmt {
	a, b := g.target(), g.target()
	if a == nil || b == nil {
		return g.plain()
	}
	return &Stmt{Kind: Swap, Target: a, Other: b}
}

func (g *grower) onList() *Stmt {
	v := g.pick(List)
	if v == nil {
		return g.plain()
	}
	switch g.IntN(5) {
	case 0:
		return &Stmt{Kind: Sort, Target: Use{v}}
	case 1:
		return &Stmt{Kind: Pop, Target: Use{v}}
	}
	return &Stmt{Kind: Push, Target: Use{v}, Value: g.bounded()}
}
