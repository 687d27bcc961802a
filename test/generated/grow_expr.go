package generated

import "slices"

// pick is a variable of a type that is in sight, the last ones sooner.
func (g *grower) pick(t Type) *Var {
	var found []*Var
	hidden := map[string]bool{}
	for _, v := range slices.Backward(g.vars) {
		if v.Type == t && !hidden[v.Name] {
			found = append(found, v)
		}
		hidden[v.Name] = true
	}
	if len(found) == 0 {
		return nil
	}
	return found[min(g.IntN(len(found)), g.IntN(len(found)))]
}

func (g *grower) literal() Expr { return Lit{g.IntN(10)} }

func (g *grower) elements(t Type) Expr {
	e := Elements{Type: t}
	for range 3 + g.IntN(2) {
		e.Values = append(e.Values, g.literal())
	}
	return e
}

// place is a number that can be read, and written to unless it is fixed.
func (g *grower) place() Expr {
	kinds := []Type{Int, Int, Int, Array, Object, Map, List, Row, Shelf}
	for range 4 {
		t := kinds[g.IntN(len(kinds))]
		v := g.pick(t)
		if v == nil {
			continue
		}
		switch t {
		case Int:
			return Use{v}
		case Array:
			return At{Use{v}, g.index()}
		case List:
			return At{Use{v}, Lit{g.IntN(2)}}
		case Object:
			return Field{Use{v}, g.p.Class.Fields[g.IntN(2)].Name}
		case Row, Shelf:
			return Field{g.slot(v), g.p.Class.Fields[g.IntN(2)].Name}
		case Map:
			return Item{Use{v}, []string{"k", "m"}[g.IntN(2)]}
		}
	}
	return nil
}

// slot is an object in a row or on a shelf.
func (g *grower) slot(v *Var) Slot {
	i := g.IntN(2)
	return Slot{Use{v}, i, []string{"p", "q"}[i]}
}

func (g *grower) index() Expr {
	if v := g.pick(Int); v != nil && g.fixed[v] && v.Name[0] == 'i' && g.IntN(2) == 0 {
		return Use{v}
	}
	return Lit{g.IntN(3)}
}

func (g *grower) target() Expr {
	for range 6 {
		e := g.place()
		if u, is := e.(Use); is && g.fixed[u.Var] || e == nil {
			continue
		}
		return e
	}
	return nil
}

// number is an expression without calls.
func (g *grower) number(depth int) Expr {
	if depth > 0 && g.IntN(3) > 0 {
		sign := []string{"+", "+", "-", "*"}[g.IntN(4)]
		right := g.number(depth - 1)
		if sign == "*" {
			right = Lit{2 + g.IntN(2)}
		}
		return Op{sign, g.number(depth - 1), right}
	}
	if v := g.pick(Array); v != nil && !g.Bare && g.IntN(10) == 0 {
		return Len{Use{v}}
	}
	if e := g.place(); e != nil && g.IntN(4) > 0 {
		return e
	}
	return g.literal()
}

// small is added to something or taken away.
func (g *grower) small() Expr {
	if e := g.place(); e != nil && g.IntN(3) == 0 {
		return e
	}
	return Lit{1 + g.IntN(3)}
}

// bounded does not grow from round to round.
func (g *grower) bounded() Expr {
	e := g.number(2)
	if g.IntN(2) == 0 {
		return Op{"%", Op{"+", e, Lit{40}}, Lit{17}}
	}
	return e
}

func (g *grower) truth(depth int) Expr {
	if depth > 0 && g.IntN(3) == 0 {
		if g.IntN(4) == 0 {
			return Not{g.truth(depth - 1)}
		}
		return Op{[]string{"&&", "||"}[g.IntN(2)], g.truth(depth - 1), g.truth(depth - 1)}
	}
	if v := g.pick(Bool); v != nil && g.IntN(3) == 0 {
		return Use{v}
	}
	if g.IntN(3) == 0 {
		return Op{"==", Op{"%", Op{"+", g.number(1), Lit{60}}, Lit{2}}, Lit{g.IntN(2)}}
	}
	return Op{[]string{"<", ">", "!="}[g.IntN(3)], g.number(1), g.number(1)}
}

// call is one of a function that may be called here, or of a method.
func (g *grower) call() Expr {
	if v := g.pick(Object); v != nil && g.fn.Of == nil && g.IntN(3) == 0 {
		m := g.p.Class.Methods
		var self Expr = Use{v}
		for _, t := range []Type{Row, Shelf} {
			if held := g.pick(t); held != nil && g.IntN(2) == 0 {
				self = g.slot(held)
			}
		}
		arg := g.number(1)
		if _, held := self.(Slot); held && !g.Alias { // it would be lent twice
			arg = g.literal()
		}
		return Call{m[g.IntN(len(m))], self, []Expr{arg}}
	}
	for range 6 {
		if len(g.calls) == 0 {
			break
		}
		f := g.calls[g.IntN(len(g.calls))]
		if f.Name == "check" || f.Name == "risk" || f.Closure && g.fn.Name != "main" || g.fn.Of != nil {
			continue
		}
		if args := g.arguments(f); args != nil {
			return Call{f, nil, args}
		}
	}
	return nil
}

func (g *grower) arguments(f *Func) []Expr {
	var args []Expr
	inner := -1 // is a call
	if g.inner == 0 && g.IntN(4) == 0 {
		inner = g.IntN(2)
	}
	for i, p := range f.Params {
		switch {
		case f.Name == "deep" && i == 0:
			args = append(args, Lit{1 + g.IntN(3)})
		case i == len(f.Params)-1 && f.Default != 0 && g.IntN(2) == 0:
		case i == inner && p.Type == Int && g.fn.Of == nil:
			g.inner++
			call := g.call()
			g.inner--
			if call == nil {
				call = g.literal()
			}
			args = append(args, call)
		case p.Type == Int && inner >= 0 && !g.Ordered:
			args = append(args, g.literal())
		case p.Type == Int:
			args = append(args, g.number(1))
		default:
			v := g.pick(p.Type)
			if v == nil {
				return nil
			}
			args = append(args, Use{v})
		}
	}
	return args
}

// calling is a statement with a call.
func (g *grower) calling() *Stmt {
	value := g.call()
	if value == nil {
		return g.plain()
	}
	if g.Ordered && g.IntN(3) == 0 {
		first := g.number(1)
		if c := g.call(); c != nil && g.IntN(2) == 0 {
			first = c
		}
		value = Op{"+", first, value}
	}
	if target := g.target(); target != nil && g.IntN(3) == 0 {
		kind := Assign
		if g.Ordered && g.IntN(2) == 0 {
			kind = Augment
		}
		return &Stmt{Kind: kind, Op: "+", Target: target, Value: value}
	}
	if name := g.name(Int); name != "" {
		s := &Stmt{Kind: Declare, Var: &Var{name, Int}, Value: value, Long: g.IntN(5) == 0}
		g.vars = append(g.vars, s.Var)
		return s
	}
	return &Stmt{Kind: Do, Value: value}
}

func (g *grower) plainCall() *Stmt {
	if c := g.call(); c != nil {
		return &Stmt{Kind: Do, Value: c}
	}
	return &Stmt{Kind: Augment, Op: "+", Target: Use{g.fn.Params[0]}, Value: Lit{1}}
}
