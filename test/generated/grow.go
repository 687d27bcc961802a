package generated

import (
	"fmt"
	"math/rand/v2"
)

// features are what a language, or its debugger, has.
type features struct {
	Flat       bool // variables belong to functions and not to blocks
	Shadow     bool // an inner block may declare a name again
	Own        bool // a variable is in sight in its own first value
	Hoisted    bool // a variable is in sight in its whole block, and cannot be read before it is declared
	Unique     bool // a name is given once in a function
	Counts     bool // a loop over numbers counts one variable up
	Bare       bool // arrays do not know their length, and are not walked
	Exceptions bool
	Always     bool // what is tried may have a last part that runs in each case
	Closures   bool // that change what they capture
	Alias      bool // two names of one array or object
	Lists      bool // that grow
	Maps       bool
	Texts      bool
	Ternary    bool
	Swap       bool // two at once
	Ordered    bool // operands are worked out from the left to the right
	Labels     bool // loops have names
	Steps      bool // an assignment is an expression
	Ends       bool // a loop may ask at its end
	Short      bool // ++ and --
	Inline     bool // a condition and what it leads to stand on one line
	Defaults   bool // of parameters
	Mapped     bool // lists are made of lists in one expression
}

// grower draws a program.
type grower struct {
	*rand.Rand
	features
	p     *Program
	fn    *Func
	vars  []*Var // in sight
	block int    // the first of them that is of this block
	loops int
	outer string          // the name of the outermost loop that is run
	named bool            // it is used
	cased bool            // in a case, which a break would leave
	inner int             // calls around
	fixed map[*Var]bool   // is not written to here: a loop depends on it
	calls []*Func         // may be called
	tries int             // try blocks around
	given map[string]bool // names that the function has
}

// Draw is the program of a seed: of those that its numbers give, the first that runs to its
// end and does enough.
func Draw(seed uint64, f features) *Program {
	r := rand.New(rand.NewPCG(seed, 25))
	for {
		g := &grower{Rand: r, features: f, p: &Program{}, fixed: map[*Var]bool{}}
		g.program()
		if early(g.p, f) {
			continue
		}
		m := &machine{features: f}
		if err := m.Run(g.p); err != nil || m.steps < 60 || m.calls < 6 {
			continue
		}
		g.fail(m)
		return g.p
	}
}

// fail makes every second program end with an assertion that does not hold.
func (g *grower) fail(m *machine) {
	body := g.p.Main.Body
	last := body[len(body)-1]
	var sum int
	_, _ = fmt.Sscan(m.Out.String(), &sum)
	if g.IntN(2) == 0 {
		sum += 1 + g.IntN(9)
	}
	last.Value = Lit{sum}
}

var names = []string{"a", "b", "n", "total", "step", "count", "best", "left", "sum", "near", "size", "part"}

func (g *grower) program() {
	g.class()
	if g.Exceptions {
		g.p.Funcs = append(g.p.Funcs, g.guard())
		g.calls = append(g.calls, g.p.Funcs[0])
		g.p.Funcs = append(g.p.Funcs, g.risk())
		g.calls = append(g.calls, g.p.Funcs[1])
	}
	for i := range 2 + g.IntN(3) {
		g.p.Funcs = append(g.p.Funcs, g.function(i))
		g.calls = append(g.calls, g.p.Funcs[len(g.p.Funcs)-1])
	}
	g.p.Funcs = append(g.p.Funcs, g.recursion())
	g.calls = append(g.calls, g.p.Funcs[len(g.p.Funcs)-1])
	g.main()
}

func (g *grower) class() {
	c := &Class{Name: "Box", This: &Var{"box", Object}, Fields: []*Var{{"low", Int}, {"high", Int}}}
	low, high := &Var{"low", Int}, &Var{"high", Int}
	c.New = &Func{Name: "new", Of: c, Params: []*Var{low, high}, Body: []*Stmt{
		{Kind: Assign, Target: Field{Use{c.This}, "low"}, Value: Use{low}},
		{Kind: Assign, Target: Field{Use{c.This}, "high"}, Value: Use{high}},
	}}
	g.p.Class = c
	for i := range 1 + g.IntN(2) {
		n := &Var{"n", Int}
		f := &Func{Name: []string{"grow", "shift"}[i], Of: c, Params: []*Var{n}}
		g.begin(f)
		g.vars = append(g.vars, c.This)
		f.Body = append(f.Body, &Stmt{Kind: Augment, Op: "+", Target: Field{Use{c.This}, "low"}, Value: Use{n}})
		f.Body = append(f.Body, g.body(1+g.IntN(3), 1)...)
		f.Body = append(f.Body, &Stmt{Kind: Return, Value: g.number(1)})
		c.Methods = append(c.Methods, f)
	}
}

func (g *grower) begin(f *Func) {
	g.fn, g.loops, g.tries = f, 0, 0
	g.vars, g.block, g.given = append([]*Var(nil), f.Params...), 0, map[string]bool{}
}

func (g *grower) function(i int) *Func {
	f := &Func{Name: []string{"walk", "fold", "mix", "tune"}[i], Params: []*Var{{"a", Int}}}
	if g.IntN(2) == 0 {
		f.Params = append(f.Params, &Var{"items", Array})
	}
	if g.IntN(2) == 0 {
		f.Params = append(f.Params, &Var{"chest", Object})
	}
	if g.Defaults && g.IntN(2) == 0 {
		f.Params = append(f.Params, &Var{"by", Int})
		f.Default = 1 + g.IntN(3)
	}
	g.begin(f)
	f.Body = g.body(3+g.IntN(3), 0)
	f.Body = append(f.Body, g.result())
	return f
}

// recursion is a function that calls itself.
func (g *grower) recursion() *Func {
	n, sum := &Var{"n", Int}, &Var{"sum", Int}
	f := &Func{Name: "deep", Params: []*Var{n, sum}}
	g.begin(f)
	f.Body = []*Stmt{{Kind: If, Value: Op{"<", Use{n}, Lit{1}}, Body: []*Stmt{{Kind: Return, Value: Use{sum}}}}}
	f.Body = append(f.Body, g.body(1+g.IntN(2), 1)...)
	result := Call{f, nil, []Expr{Op{"-", Use{n}, Lit{1}}, g.number(1)}}
	if g.IntN(2) == 0 {
		v := &Var{"later", Int}
		f.Body = append(f.Body, &Stmt{Kind: Declare, Var: v, Value: result},
			&Stmt{Kind: Return, Value: Op{"+", Use{v}, Use{n}}})
	} else {
		f.Body = append(f.Body, &Stmt{Kind: Return, Value: result})
	}
	return f
}

// guard is a function that raises for large arguments.
func (g *grower) guard() *Func {
	a := &Var{"a", Int}
	f := &Func{Name: "check", Params: []*Var{a}}
	g.begin(f)
	f.Body = append(g.body(1, 1),
		&Stmt{Kind: If, Value: Op{">", Use{a}, Lit{3 + g.IntN(5)}}, Body: []*Stmt{{Kind: Raise, Value: Lit{"large"}}}},
		&Stmt{Kind: Return, Value: g.number(1)})
	return f
}

// risk is a function that goes on only where what it calls does not raise.
func (g *grower) risk() *Func {
	a, got := &Var{"a", Int}, &Var{"got", Int}
	f := &Func{Name: "risk", Params: []*Var{a}}
	g.begin(f)
	f.Body = append(g.body(1, 1), &Stmt{Kind: Declare, Var: got, Value: Call{g.raises(), nil, []Expr{g.number(1)}}})
	g.vars = append(g.vars, got)
	f.Body = append(f.Body, g.body(1, 1)...)
	f.Body = append(f.Body, &Stmt{Kind: Return, Value: Op{"+", Use{got}, Use{a}}})
	return f
}

func (g *grower) main() {
	f := &Func{Name: "main"}
	g.p.Main = f
	g.begin(f)
	add := func(name string, t Type, value Expr) {
		v := &Var{name, t}
		f.Body = append(f.Body, &Stmt{Kind: Declare, Var: v, Value: value})
		g.vars = append(g.vars, v)
	}
	add("xs", Array, g.elements(Array))
	add("chest", Object, New{g.p.Class, []Expr{g.literal(), g.literal()}})
	if g.Lists {
		add("ys", List, g.elements(List))
	}
	if g.Maps {
		add("seen", Map, Entries{[]string{"k", "m"}, []Expr{g.literal(), g.literal()}})
	}
	add("spare", Object, New{g.p.Class, []Expr{g.literal(), g.literal()}})
	held := []Expr{New{g.p.Class, []Expr{g.literal(), g.literal()}}, New{g.p.Class, []Expr{g.literal(), g.literal()}}}
	if g.Alias {
		held[g.IntN(2)] = Use{g.vars[1]}
	}
	if g.Maps && g.IntN(2) == 0 {
		add("shelf", Shelf, Holds{Shelf, []string{"p", "q"}, held})
	} else {
		add("boxes", Row, Holds{Row, nil, held})
	}
	if g.Alias {
		add("same", Array, Use{g.vars[0]})
		add("other", Object, Use{g.vars[1]})
	}
	add("total", Int, g.literal())
	total := g.vars[len(g.vars)-1]
	if g.Closures {
		g.closure(f)
	}
	f.Body = append(f.Body, g.body(9+g.IntN(6), 0)...)
	got := &Var{"got", Int}
	sum := Op{"+", Op{"+", Use{total}, At{Use{f.Body[0].Var}, Lit{0}}}, Field{Use{f.Body[1].Var}, "low"}}
	f.Body = append(f.Body, &Stmt{Kind: Declare, Var: got, Value: sum, Long: g.IntN(2) == 0},
		&Stmt{Kind: Print, Value: Use{got}},
		&Stmt{Kind: Assert, Target: Use{got}, Value: Use{got}})
}

// closure is a function in a function that changes one of its variables.
func (g *grower) closure(f *Func) {
	total, n := g.vars[len(g.vars)-1], &Var{"n", Int}
	bump := &Func{Name: "bump", Closure: true, Params: []*Var{n}, Changes: []*Var{total}}
	bump.Body = []*Stmt{
		{Kind: Augment, Op: "+", Target: Use{total}, Value: Op{"*", Use{n}, Lit{2 + g.IntN(2)}}},
		{Kind: Return, Value: Op{"+", Use{total}, Use{n}}},
	}
	f.Body = append(f.Body, &Stmt{Kind: Define, Func: bump})
	g.calls = append(g.calls, bump)
}

// early says that a variable would be read before its language lets it be.
func early(p *Program, f features) bool {
	found := false
	for _, fn := range p.functions() {
		blocks(fn.Body, func(body []*Stmt) {
			for i, s := range body {
				if s.Kind != Declare {
					continue
				}
				before := body[i : i+1]
				if f.Hoisted {
					before = body[:i+1]
				}
				uses(before, func(v *Var) {
					found = found || (f.Own || f.Hoisted) && v != s.Var && v.Name == s.Var.Name
				})
			}
		})
	}
	return found
}
