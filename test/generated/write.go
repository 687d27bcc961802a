package generated

import (
	"fmt"
	"strconv"
	"strings"
)

// dialect is how programs are written in one language. In the texts {a}, {b}, {v}, {n} and
// {op} stand for the target, the other target, the value, a name and an operator.
type dialect struct {
	Name string
	File func(program string) string // in which a program lies
	features
	Texts   map[Kind]string
	Open    string // behind the head of a block
	Close   string // ends one; empty where the indent does
	Other   string // what stands before the other block of If
	ElsIf   string // with {v}
	Catch   string
	Finally string
	// Declared are the texts of Declare by type, where they differ from that of Kind.
	Declared map[Type]string
	Lined    string            // a condition and its only statement, {s}, on one line
	Cases    [3]string         // the head of a case, of what else there is, and the end of each
	Leave    string            // the last line of a case
	Label    string            // of a loop, in front of its head; with a line's end on its own
	Until    string            // the head of a loop that asks at its end
	Outdent  bool              // cases stand below what is asked
	Signs    map[string]string // operators that are written otherwise
	Expr     func(w *writer, e Expr) string
	Head     func(w *writer, f *Func) string // of a function, without Open
	Begin    func(w *writer, f *Func)        // first lines of a body
	Before   func(w *writer, p *Program)     // what stands in front of the functions
	After    func(w *writer, p *Program)
	Behind   func(w *writer, f *Func)            // after a function's block
	Each     func(w *writer, s *Stmt) []string   // lines that the compiler wants behind what declares a variable
	Scope    func(name string) string            // a function, as a scope
	Start    func(program string) map[string]any // what starts it
	Files    map[string]string                   // that are needed besides
	// Aliases says that what is done to a list by its other names is told as done to it.
	Aliases   bool
	Addresses bool                            // what is written to is known by its address
	Watched   bool                            // writes are seen as changes of what is in a place
	Given     bool                            // what a loop runs over is a parameter of its block, and not written to
	Pointers  bool                            // a list or an object that is passed is shown as its address
	Stmt      func(w *writer, s *Stmt) string // is written otherwise; empty: it is not
	Folds     bool                            // a compiler leaves no code of what it can tell
	Shares    bool                            // a compiler has one place for a variable and for what it is a copy of
	Wrap      bool                            // a long expression stands in parentheses
}

// scope is how first is told of a function.
func (d *dialect) scope(name string) string {
	if d.Scope != nil {
		return d.Scope(name)
	}
	return name
}

// writer writes one program.
type writer struct {
	*dialect
	program *Program
	name    string
	lines   []string
	indent  int
	fn      *Func
	asks    bool // it writes what is asked about
}

// text writes the program and tells each statement its lines.
func (d *dialect) text(p *Program, name string) string {
	w := &writer{dialect: d, program: p, name: name}
	if d.Before != nil {
		d.Before(w, p)
	}
	for _, f := range append(p.Funcs[:len(p.Funcs):len(p.Funcs)], p.Main) {
		w.function(f)
		w.add("")
	}
	if d.After != nil {
		d.After(w, p)
	}
	return strings.Join(w.lines, "\n") + "\n"
}

func (w *writer) add(format string, args ...any) {
	line := format
	if len(args) > 0 {
		line = fmt.Sprintf(format, args...)
	}
	if line != "" {
		line = strings.Repeat("    ", w.indent) + line
	}
	w.lines = append(w.lines, line)
}

func (w *writer) function(f *Func) {
	outer := w.fn
	w.fn = f
	w.add("%s", w.Head(w, f)+w.Open)
	f.Line = len(w.lines)
	w.indent++
	if w.Begin != nil {
		w.Begin(w, f)
	}
	w.block(f.Body)
	w.indent--
	w.close()
	if w.Behind != nil {
		w.Behind(w, f)
	}
	w.fn = outer
}

// members writes the class with its constructor and its methods.
func (w *writer) members(p *Program, head, end string) {
	if head != "" {
		w.add("%s", head)
	}
	w.indent++
	for _, f := range append([]*Func{p.Class.New}, p.Class.Methods...) {
		w.function(f)
		w.add("")
	}
	w.indent--
	if end != "" {
		w.add("%s", end)
		w.add("")
	}
}

func (w *writer) close() {
	if w.Close != "" {
		w.add("%s", w.Close)
	}
}

func (w *writer) block(body []*Stmt) {
	for _, s := range body {
		w.statement(s)
		if w.Each != nil && s.Kind == Declare {
			for _, line := range w.Each(w, s) {
				w.add("%s", line)
			}
		}
	}
}

func (w *writer) statement(s *Stmt) {
	s.Line = len(w.lines) + 1
	switch s.Kind {
	case If:
		w.chain(s, w.fill(w.Texts[If], s))
	case Range, Each, While:
		head := w.fill(w.Texts[s.Kind], s) + w.Open
		if s.Label != "" {
			label, rest, _ := strings.Cut(strings.ReplaceAll(w.Label, "{l}", s.Label), "\n")
			if head = label + head; rest == "" && strings.Contains(w.Label, "\n") {
				w.add("%s", label)
				head = strings.TrimPrefix(head, label)
				s.Line++
			}
		}
		w.add("%s", head)
		w.turn(s)
		w.close()
	case Until:
		if s.Label != "" {
			w.add("%s", strings.ReplaceAll(w.Label, "{l}", s.Label)+w.Until)
		} else {
			w.add("%s", w.Until)
		}
		w.turn(s)
		w.add("%s", w.fill(w.Texts[Until], s))
		s.Line = len(w.lines)
	case Switch:
		w.choice(s)
	case Try:
		w.try(s)
	case Define:
		w.function(s.Func)
	default:
		w.line(s)
		return
	}
	s.End = s.Line
}

// turn is the body of a loop, which reads the variable that runs where the compiler wants.
func (w *writer) turn(s *Stmt) {
	if w.Each != nil && s.Var != nil {
		w.indent++
		for _, line := range w.Each(w, s) {
			w.add("%s", line)
		}
		w.indent--
	}
	w.inner(s.Body)
}

func (w *writer) inner(body []*Stmt) {
	w.indent++
	w.block(body)
	w.indent--
}

// choice writes the cases of a number.
func (w *writer) choice(s *Stmt) {
	w.add("%s", w.fill(w.Texts[Switch], s))
	if !w.Outdent {
		w.indent++
	}
	for i, c := range append(s.Body[:len(s.Body):len(s.Body)], &Stmt{Body: s.Else}) {
		head := w.Cases[1]
		if i < len(s.Body) {
			head = w.fill(w.Cases[0], c)
		}
		w.add("%s", head)
		c.Line, c.End = len(w.lines), len(w.lines)
		w.inner(c.Body)
		if w.Leave != "" {
			w.indent++
			w.add("%s", w.Leave)
			w.indent--
		}
		if w.Cases[2] != "" {
			w.add("%s", w.Cases[2])
		}
	}
	if !w.Outdent {
		w.indent--
	}
	w.close()
}

// lined writes a condition and what it leads to on one line.
func (w *writer) lined(s *Stmt) {
	inner := s.Body[0]
	w.add("%s", strings.Replace(w.fill(w.Lined, s), "{s}", w.simple(inner), 1))
	inner.Line, inner.End = len(w.lines), len(w.lines)
}

func (w *writer) line(s *Stmt) {
	text := w.simple(s)
	if s.Joined {
		last := len(w.lines) - 1
		w.lines[last] = strings.TrimSuffix(w.lines[last], ";") + "; " + text
		s.Line, s.End = last+1, last+1
		return
	}
	for line := range strings.SplitSeq(text, "\n") {
		w.add("%s", line)
	}
	s.End = len(w.lines)
}

// simple is the text of a statement without a block.
func (w *writer) simple(s *Stmt) string {
	text := w.Texts[s.Kind]
	if s.Kind == Declare {
		if t := w.Declared[s.Var.Type]; t != "" {
			text = t
		}
	}
	if s.Short {
		text = strings.Replace(text, " {op}= {v}", s.Op+s.Op, 1)
	}
	text = w.fill(text, s)
	if w.Stmt != nil {
		if other := w.Stmt(w, s); other != "" {
			text = other
		}
	}
	return text
}

func (w *writer) chain(s *Stmt, head string) {
	if s.Inline {
		w.lined(s)
		s.Line, s.End = len(w.lines), len(w.lines)
		return
	}
	s.Line = len(w.lines) + 1
	for line := range strings.SplitSeq(head+w.Open, "\n") {
		w.add("%s", line)
	}
	s.End = len(w.lines)
	w.inner(s.Body)
	switch {
	case len(s.Else) == 0:
		w.close()
	case len(s.Else) == 1 && s.Else[0].Kind == If && !s.Else[0].Inline:
		w.chain(s.Else[0], w.fill(w.ElsIf, s.Else[0]))
	default:
		w.add("%s", w.Other)
		w.inner(s.Else)
		w.close()
	}
}

func (w *writer) try(s *Stmt) {
	w.add("%s", w.Texts[Try])
	w.inner(s.Body)
	w.add("%s", w.Catch)
	w.inner(s.Else)
	if s.Last != nil {
		w.add("%s", w.Finally)
		w.inner(s.Last)
	}
	w.close()
}

// fill puts the parts of a statement into its text.
func (w *writer) fill(text string, s *Stmt) string {
	part := func(e Expr) string {
		if e == nil {
			return ""
		}
		return w.outer(e)
	}
	value := part(s.Value)
	if sum, is := s.Value.(Op); is && s.Long {
		value = w.long(sum)
	}
	if _, is := s.Value.(Call); is && s.Long {
		value = spread(value)
	}
	label := s.Label
	if label != "" {
		label = " " + w.Signs["label"] + label
	}
	name := ""
	if s.Var != nil {
		name = s.Var.Name
	}
	return strings.NewReplacer("{a}", part(s.Target), "{b}", part(s.Other), "{v}", value, "{n}", name, "{op}", s.Op, "{l}", label).Replace(text)
}

// long writes an expression over two lines.
func (w *writer) long(e Op) string {
	text := w.sub(e.L) + " " + w.sign(e.Sign) + "\n    " + w.sub(e.R)
	if w.Wrap {
		return "(" + text + ")"
	}
	return text
}

// spread writes each argument of a call on a line of its own.
func spread(call string) string {
	var text strings.Builder
	depth := 0
	for i, r := range call {
		switch r {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		}
		if r == ' ' && depth == 1 && call[i-1] == ',' {
			text.WriteString("\n    ")
			continue
		}
		text.WriteRune(r)
	}
	return text.String()
}

func (w *writer) sign(sign string) string {
	if s := w.Signs[sign]; s != "" {
		return s
	}
	return sign
}

// outer is an expression that needs no parentheses.
func (w *writer) outer(e Expr) string {
	if o, is := e.(Op); is {
		return w.sub(o.L) + " " + w.sign(o.Sign) + " " + w.sub(o.R)
	}
	return w.expr(e)
}

// sub is one within another.
func (w *writer) sub(e Expr) string {
	switch e.(type) {
	case Op, Pick:
		return "(" + w.outer(e) + ")"
	}
	return w.expr(e)
}

func (w *writer) expr(e Expr) string {
	if w.Expr != nil {
		if text := w.Expr(w, e); text != "" {
			return text
		}
	}
	switch e := e.(type) {
	case Lit:
		if text, is := e.Value.(string); is {
			return strconv.Quote(text)
		}
		return fmt.Sprint(e.Value)
	case Use:
		return e.Var.Name
	case Op:
		return w.outer(e)
	case Not:
		return w.sign("!") + w.sub(e.E)
	case Pick:
		return w.sub(e.If) + " ? " + w.sub(e.Then) + " : " + w.sub(e.Else)
	case At:
		return w.expr(e.List) + "[" + w.outer(e.Index) + "]"
	case Item:
		return w.expr(e.Map) + "[" + strconv.Quote(e.Key) + "]"
	case Field:
		return w.expr(e.Object) + "." + e.Name
	case Slot:
		if e.In.kind() == Row {
			return w.expr(e.In) + "[" + strconv.Itoa(e.Index) + "]"
		}
		return w.expr(e.In) + "[" + strconv.Quote(e.Key) + "]"
	case Step:
		return "(" + e.Var.Name + " " + e.Sign + "= " + strconv.Itoa(e.By) + ")"
	case Holds:
		return "[" + w.list(e.Values) + "]"
	case Call:
		if e.Self != nil {
			return w.expr(e.Self) + "." + e.Func.Name + "(" + w.list(e.Args) + ")"
		}
		return e.Func.Name + "(" + w.list(e.Args) + ")"
	case Elements:
		return "[" + w.list(e.Values) + "]"
	}
	panic(fmt.Sprintf("%T is not written in %s", e, w.Name))
}

func (w *writer) list(all []Expr) string {
	var texts []string
	for _, e := range all {
		texts = append(texts, w.outer(e))
	}
	return strings.Join(texts, ", ")
}

// entries are those of a map, each in a format of its key and its value.
func (w *writer) entries(keys []string, values []Expr, format string) string {
	var texts []string
	for i, k := range keys {
		texts = append(texts, fmt.Sprintf(format, k, w.outer(values[i])))
	}
	return strings.Join(texts, ", ")
}

// params are those of a function, each in a format of its type: %s is the name.
func (w *writer) params(f *Func, formats map[Type]string) string {
	var texts []string
	for _, p := range f.Params {
		format := formats[p.Type]
		if format == "" {
			format = "%s"
		}
		text := fmt.Sprintf(format, p.Name)
		if f.Default != 0 && p == f.Params[len(f.Params)-1] {
			text += " = " + strconv.Itoa(f.Default)
		}
		texts = append(texts, text)
	}
	return strings.Join(texts, ", ")
}
