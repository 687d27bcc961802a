package generated

import (
	"maps"
	"slices"
)

// value works an expression out.
func (m *machine) value(in *frame, e Expr) any {
	switch e := e.(type) {
	case Lit:
		return e.Value
	case Use:
		c := in.scope.find(e.Var)
		if c == nil || c.value == nil {
			panic(unfit("no value: " + e.Var.Name))
		}
		return c.value
	case Op:
		left := m.value(in, e.L)
		if e.Sign == "&&" && left == false || e.Sign == "||" && left == true {
			return left
		}
		return operate(e.Sign, left, m.value(in, e.R))
	case Not:
		return !m.value(in, e.E).(bool)
	case Pick:
		if m.value(in, e.If).(bool) {
			return m.value(in, e.Then)
		}
		return m.value(in, e.Else)
	case At:
		list, i := m.value(in, e.List).(*series), m.value(in, e.Index).(int)
		if i < 0 || i >= len(list.elements) {
			panic(unfit("out of range"))
		}
		return list.elements[i]
	case Item:
		v, has := m.value(in, e.Map).(*dict).values[e.Key]
		if !has {
			panic(unfit("no such key"))
		}
		return v
	case Field:
		return m.value(in, e.Object).(*object).fields[e.Name]
	case Slot:
		return m.value(in, e.In).(*holder).get(e)
	case Step:
		c := in.scope.find(e.Var)
		m.set(in, in.At, spot{in: c}, operate(e.Sign, m.value(in, Use{e.Var}), e.By))
		return c.value
	case Len:
		return len(m.value(in, e.List).(*series).elements)
	}
	return m.made(in, e)
}

// made are the expressions that make something, or call.
func (m *machine) made(in *frame, e Expr) any {
	switch e := e.(type) {
	case Elements:
		list := &series{}
		for _, v := range e.Values {
			list.elements = append(list.elements, m.value(in, v).(int))
		}
		return list
	case Entries:
		d := &dict{keys: slices.Clone(e.Keys), values: map[string]int{}}
		for i, k := range e.Keys {
			d.values[k] = m.value(in, e.Values[i]).(int)
		}
		return d
	case Mapped:
		made, outer := &series{}, in.scope
		defer func() { in.scope = outer }()
		for _, v := range m.value(in, e.List).(*series).elements {
			in.scope = &scope{outer: outer, cells: map[*Var]*cell{e.Var: {of: e.Var, value: v}}}
			made.elements = append(made.elements, m.value(in, e.Value).(int))
		}
		return made
	case Holds:
		made := &holder{keys: e.Keys}
		for _, v := range e.Values {
			made.objects = append(made.objects, m.value(in, v).(*object))
		}
		return made
	case New:
		made := &object{e.Class, map[string]int{}}
		m.enter(in, e.Class.New, made, e.Args)
		return made
	case Call:
		var self *object
		if e.Self != nil {
			self = m.value(in, e.Self).(*object)
		}
		return m.enter(in, e.Func, self, e.Args)
	}
	panic("an expression that nobody works out")
}

// enter calls a function; what it raises, or its failure, goes on as a panic.
func (m *machine) enter(in *frame, f *Func, self *object, args []Expr) any {
	var values []any
	for _, a := range args {
		values = append(values, m.value(in, a))
	}
	if f.Default != 0 && len(args) < len(f.Params) {
		values = append(values, f.Default)
	}
	var around *scope
	if f.Closure {
		around = in.scope
	}
	at := in.At
	result, how := m.call(f, self, values, in, around)
	if how != on {
		if how == raised {
			in.Result = result
		}
		panic(how)
	}
	in.At = at
	return result
}

// get is the object of a place.
func (h *holder) get(at Slot) *object {
	if h.keys != nil {
		return h.objects[slices.Index(h.keys, at.Key)]
	}
	return h.objects[at.Index]
}

func operate(sign string, left, right any) any {
	switch sign {
	case "==":
		return left == right
	case "!=":
		return left != right
	case "&&", "||":
		return right
	}
	if l, is := left.(string); is {
		if len(l) > 40 {
			panic(unfit("a long text"))
		}
		return l + right.(string)
	}
	l, r := left.(int), right.(int)
	switch sign {
	case "<":
		return l < r
	case ">":
		return l > r
	case "+":
		l += r
	case "-":
		l -= r
	case "*":
		l *= r
	case "%":
		if l < 0 || r < 1 {
			panic(unfit("a negative remainder"))
		}
		l %= r
	}
	if l > 20_000 || l < -20_000 {
		panic(unfit("too large"))
	}
	return l
}

// copied is a value as it is now.
func copied(value any) any {
	switch v := value.(type) {
	case *series:
		return &series{slices.Clone(v.elements)}
	case *dict:
		return &dict{slices.Clone(v.keys), maps.Clone(v.values)}
	case *object:
		return &object{v.class, maps.Clone(v.fields)}
	}
	return value
}
