package generated

import (
	"fmt"
	"slices"
	"strings"
)

// The values that are not numbers, truth values or texts are pointers to these.
type (
	series struct{ elements []int }
	dict   struct {
		keys   []string
		values map[string]int
	}
	object struct {
		class  *Class
		fields map[string]int
	}
	holder struct { // a row, or a shelf with keys
		keys    []string
		objects []*object
	}
)

// cell is a variable as it lives.
type cell struct {
	of    *Var
	value any // nil: none yet
}

// spot is what can be written to: a variable, an element, an entry or a field.
type spot struct {
	in  any // *cell, *series, *dict or *object
	key any
}

// write is what a statement wrote.
type write struct {
	At         *Stmt
	In         *frame
	To         spot
	Was, Value any // Was is nil where there was nothing

	wholeWas, wholeNow any // of the list in which the element lies
}

// frame is a call as it runs.
type frame struct {
	Func   *Func
	Number int
	From   *frame
	At     *Stmt // where it is
	Args   []any // as they came in, copied
	Self   *object
	Result any
	Raised bool

	names map[string]*cell // of a language that knows functions only
	scope *scope
}

type scope struct {
	outer *scope
	cells map[*Var]*cell
}

func (s *scope) find(v *Var) *cell {
	for ; s != nil; s = s.outer {
		if c := s.cells[v]; c != nil {
			return c
		}
	}
	return nil
}

// machine runs a program and tells what happens.
type machine struct {
	features
	Before  func(*frame, *Stmt)
	Wrote   func(write)
	Entered func(*frame)
	Left    func(*frame)

	steps, calls, depth int
	label               string // of the loop that is left
	failed              *Stmt
	sides               [2]any
	Out                 strings.Builder
}

// unfit is why a program is none that can be asked about; another is drawn.
type unfit string

type outcome int

const (
	on outcome = iota
	broken
	continued
	returned
	raised
	ended // an assertion failed
)

// Run runs the whole program; an error says that it is not fit.
func (m *machine) Run(p *Program) (err error) {
	defer func() {
		if reason, is := recover().(unfit); is {
			err = fmt.Errorf("%s", string(reason))
		}
	}()
	if _, how := m.call(p.Main, nil, nil, nil, nil); how == raised {
		return fmt.Errorf("nobody handles it")
	}
	return nil
}

func (m *machine) call(f *Func, self *object, args []any, from *frame, around *scope) (any, outcome) {
	m.calls++
	if m.depth++; m.depth > 12 || m.calls > 120 {
		panic(unfit("too many calls"))
	}
	defer func() { m.depth-- }()
	in := &frame{Func: f, Number: m.calls, From: from, Self: self, names: map[string]*cell{}}
	in.scope = &scope{outer: around, cells: map[*Var]*cell{}}
	for i, p := range f.Params {
		in.Args = append(in.Args, copied(args[i]))
		c := &cell{of: p, value: args[i]}
		in.scope.cells[p], in.names[p.Name] = c, c
	}
	if self != nil {
		in.scope.cells[f.Of.This] = &cell{of: f.Of.This, value: self}
	}
	tell(m.Entered, in)
	how := m.block(in, f.Body)
	in.Raised = how == raised
	if how != ended {
		tell(m.Left, in)
	}
	if how == raised || how == ended {
		return in.Result, how
	}
	return in.Result, on
}

func tell[T any](hook func(T), what T) {
	if hook != nil {
		hook(what)
	}
}

func (m *machine) block(in *frame, body []*Stmt) outcome {
	outer := in.scope
	in.scope = &scope{outer: outer, cells: map[*Var]*cell{}}
	defer func() { in.scope = outer }()
	for _, s := range body {
		if how := m.step(in, s); how != on {
			return how
		}
	}
	return on
}

// step runs a statement; a raise or a failure in one of its calls comes as a panic.
func (m *machine) step(in *frame, s *Stmt) (how outcome) {
	if m.steps++; m.steps > 1500 {
		panic(unfit("too long"))
	}
	m.pass(in, s)
	scope := in.scope
	defer func() {
		switch r := recover().(type) {
		case nil:
		case outcome:
			how, in.scope = r, scope
		default:
			panic(r)
		}
	}()
	switch s.Kind {
	case If:
		if m.value(in, s.Value).(bool) {
			return m.block(in, s.Body)
		}
		return m.block(in, s.Else)
	case Range, Each, While, Until:
		return m.loop(in, s)
	case Switch:
		return m.choose(in, s)
	case Break:
		m.label = s.Label
		return broken
	case Continue:
		m.label = s.Label
		return continued
	case Return:
		in.Result = m.value(in, s.Value)
		return returned
	case Raise:
		in.Result = m.value(in, s.Value)
		return raised
	case Try:
		return m.try(in, s)
	case Define:
	case Do:
		m.value(in, s.Value)
	case Print:
		fmt.Fprintln(&m.Out, m.value(in, s.Value))
	case Assert:
		m.sides = [2]any{m.value(in, s.Target), m.value(in, s.Value)}
		if m.sides[0] != m.sides[1] {
			m.failed = s
			return ended
		}
	default:
		m.change(in, s)
	}
	return on
}

// choose runs the case of a number.
func (m *machine) choose(in *frame, s *Stmt) outcome {
	n := m.value(in, s.Value)
	for _, c := range s.Body {
		if m.value(in, c.Value) == n {
			return m.block(in, c.Body)
		}
	}
	return m.block(in, s.Else)
}

func (m *machine) try(in *frame, s *Stmt) outcome {
	how := m.block(in, s.Body)
	if how == raised {
		how = m.block(in, s.Else)
	}
	if how == ended {
		return how
	}
	if last := m.block(in, s.Last); last != on {
		return last
	}
	return how
}

func (m *machine) loop(in *frame, s *Stmt) outcome {
	outer := in.scope
	defer func() { in.scope = outer }()
	next := m.turns(in, s)
	for i := 0; ; i++ {
		around := in.scope
		if !next(i) {
			return on
		}
		how := m.block(in, s.Body)
		if (how == broken || how == continued) && m.label != "" {
			if m.label != s.Label {
				return how
			}
			m.label = ""
		}
		switch how {
		case broken:
			return on
		case on, continued:
		default:
			return how
		}
		if m.steps++; m.steps > 1500 {
			panic(unfit("too long"))
		}
		in.scope = around
		m.pass(in, s)
	}
}

// pass notes that a statement stands before it runs.
func (m *machine) pass(in *frame, s *Stmt) {
	in.At = s
	if m.Before != nil {
		m.Before(in, s)
	}
}

// turns begins each turn of a loop and says whether there is one.
func (m *machine) turns(in *frame, s *Stmt) func(i int) bool {
	begin := func(value any) {
		in.scope = &scope{outer: in.scope, cells: map[*Var]*cell{}}
		m.declare(in, s, s.Var, value)
	}
	switch s.Kind {
	case Range:
		n := m.value(in, s.Target).(int)
		if m.Counts {
			begin(0)
		}
		return func(i int) bool {
			switch {
			case m.Counts && i > 0:
				m.set(in, s, spot{in: in.scope.find(s.Var)}, i)
				m.pass(in, s)
			case !m.Counts && i < n:
				begin(i)
			}
			return i < n
		}
	case Each:
		list := m.value(in, s.Target).(*series)
		return func(i int) bool {
			if i < len(list.elements) {
				begin(list.elements[i])
			}
			return i < len(list.elements)
		}
	}
	return func(i int) bool { return s.Kind == Until && i == 0 || m.value(in, s.Value).(bool) }
}

// declare gives a variable its value, a new one where its language has it so.
func (m *machine) declare(in *frame, s *Stmt, v *Var, value any) {
	c := in.names[v.Name]
	if !m.Flat || c == nil {
		c = &cell{of: v}
	}
	in.names[v.Name], in.scope.cells[v] = c, c
	m.set(in, s, spot{in: c}, value)
}

// change runs what writes.
func (m *machine) change(in *frame, s *Stmt) {
	switch s.Kind {
	case Declare:
		m.declare(in, s, s.Var, m.value(in, s.Value))
	case Assign:
		value := m.value(in, s.Value)
		m.set(in, s, m.spot(in, s.Target), value)
	case Augment:
		left := m.value(in, s.Target)
		right := m.value(in, s.Value)
		m.set(in, s, m.spot(in, s.Target), operate(s.Op, left, right))
	case Swap:
		a, b := m.value(in, s.Target), m.value(in, s.Other)
		first, second := m.spot(in, s.Target), m.spot(in, s.Other)
		m.set(in, s, first, b)
		m.set(in, s, second, a)
	case Push, Sort, Pop:
		list := m.value(in, s.Target).(*series)
		was := copied(list)
		switch s.Kind {
		case Push:
			list.elements = append(list.elements, m.value(in, s.Value).(int))
		case Pop:
			if len(list.elements) < 2 {
				panic(unfit("nothing to take"))
			}
			list.elements = list.elements[:len(list.elements)-1]
		default:
			slices.Sort(list.elements)
		}
		tell(m.Wrote, write{s, in, spot{in: list}, was, copied(list), was, copied(list)})
	}
}

// spot is where an expression lies.
func (m *machine) spot(in *frame, e Expr) spot {
	switch e := e.(type) {
	case Use:
		return spot{in: in.scope.find(e.Var)}
	case At:
		return spot{m.value(in, e.List), m.value(in, e.Index)}
	case Item:
		return spot{m.value(in, e.Map), e.Key}
	case Field:
		return spot{m.value(in, e.Object), e.Name}
	}
	panic(fmt.Sprintf("%T is no place", e))
}

func (m *machine) set(in *frame, s *Stmt, to spot, value any) {
	var was any
	whole := copied(to.in)
	switch place := to.in.(type) {
	case *cell:
		was, place.value = copied(place.value), value
	case *series:
		i := to.key.(int)
		if i < 0 || i >= len(place.elements) {
			panic(unfit("out of range"))
		}
		was, place.elements[i] = place.elements[i], value.(int)
	case *dict:
		if v, has := place.values[to.key.(string)]; has {
			was = v
		} else {
			place.keys = append(place.keys, to.key.(string))
		}
		place.values[to.key.(string)] = value.(int)
	case *object:
		if v, has := place.fields[to.key.(string)]; has {
			was = v
		}
		place.fields[to.key.(string)] = value.(int)
	}
	tell(m.Wrote, write{s, in, to, was, copied(value), whole, copied(to.in)})
}
