package generated

// Type is the type of a variable or of an expression.
type Type int

// The types. An array has a fixed length and may have several names; a list grows, and has
// one.
const (
	Nothing Type = iota
	Int
	Bool
	Text
	Array
	List
	Map
	Object
	Row   // of objects
	Shelf // a map from texts to objects
)

// Var is a variable, a parameter or a field.
type Var struct {
	Name string
	Type Type
}

// Func is a function, a method or a closure.
type Func struct {
	Name    string
	Of      *Class // of a method; a constructor's too
	Closure bool
	Params  []*Var
	Body    []*Stmt
	Changes []*Var // variables of the function around it, of a closure
	Default int    // of the last parameter, where it may be left out; 0: it may not
	Line    int    // of its head
}

// Class has numbers as fields.
type Class struct {
	Name    string
	This    *Var // the object in its methods
	Fields  []*Var
	Methods []*Func
	New     *Func
}

// Program is all of it; Main is the last function and has no parameters.
type Program struct {
	Class *Class
	Funcs []*Func
	Main  *Func
}

// Kind is the kind of a statement.
type Kind int

// The kinds of statements.
const (
	Declare Kind = iota
	Assign
	Augment
	Swap
	Push
	Pop
	Sort
	Do
	If
	Range
	Each
	While
	Until // a loop that asks at its end
	Switch
	Case // of Switch, with a number
	Break
	Continue
	Return
	Raise
	Try
	Define
	Print
	Assert
)

// Stmt is a statement. Its kind says which members it has.
type Stmt struct {
	Kind   Kind
	Target Expr // is written to; of Each: the list, of Range: the number
	Var    *Var // is declared; of Each and Range: runs, of Try: is caught
	Op     string
	Value  Expr
	Other  Expr // the second target of Swap
	Body   []*Stmt
	Else   []*Stmt // of If; of Try: what handles it
	Last   []*Stmt // of Try: what runs in each case
	Func   *Func   // of Define
	Joined bool    // on the line of the one before
	Long   bool    // its expression goes over several lines
	Short  bool    // of Augment: written as ++ or --
	Inline bool    // of If: its only statement stands on its own line
	Label  string  // of a loop, and of what leaves it from within another

	Line, End int // first and last line, known when it is written
}

// Expr is an expression.
type Expr interface{ kind() Type }

// The expressions.
type (
	Lit struct { // a number, a truth value or a text
		Value any
	}
	Use struct{ Var *Var }
	Op  struct { // + - * % < > == != && ||
		Sign string
		L, R Expr
	}
	Not  struct{ E Expr }
	Pick struct{ If, Then, Else Expr } // the ternary
	At   struct{ List, Index Expr }
	Item struct {
		Map Expr
		Key string
	}
	Slot struct { // an object in a row or on a shelf
		In    Expr
		Index int
		Key   string
	}
	Step struct { // a change within an expression, which has the new value
		Var  *Var
		Sign string
		By   int
	}
	Mapped struct { // a list of what an expression makes of each of another
		List  Expr
		Var   *Var
		Value Expr
	}
	Holds struct { // a row or a shelf
		Type   Type
		Keys   []string
		Values []Expr
	}
	Field struct {
		Object Expr
		Name   string
	}
	Len  struct{ List Expr }
	Call struct {
		Func *Func
		Self Expr // of a method
		Args []Expr
	}
	Elements struct { // an array or a list of numbers
		Type   Type
		Values []Expr
	}
	Entries struct { // a map from texts to numbers
		Keys   []string
		Values []Expr
	}
	New struct {
		Class *Class
		Args  []Expr
	}
)

func (e Lit) kind() Type {
	switch e.Value.(type) {
	case bool:
		return Bool
	case string:
		return Text
	}
	return Int
}
func (e Use) kind() Type { return e.Var.Type }
func (e Op) kind() Type {
	switch e.Sign {
	case "<", ">", "==", "!=", "&&", "||":
		return Bool
	}
	return e.L.kind()
}
func (Not) kind() Type        { return Bool }
func (e Pick) kind() Type     { return e.Then.kind() }
func (At) kind() Type         { return Int }
func (Item) kind() Type       { return Int }
func (Field) kind() Type      { return Int }
func (Slot) kind() Type       { return Object }
func (Step) kind() Type       { return Int }
func (Mapped) kind() Type     { return List }
func (e Holds) kind() Type    { return e.Type }
func (Len) kind() Type        { return Int }
func (Call) kind() Type       { return Int }
func (e Elements) kind() Type { return e.Type }
func (Entries) kind() Type    { return Map }
func (New) kind() Type        { return Object }

// each visits the statements, in the order in which they are written.
func each(body []*Stmt, visit func(*Stmt)) {
	for _, s := range body {
		visit(s)
		if s.Func != nil {
			each(s.Func.Body, visit)
		}
		for _, inner := range [][]*Stmt{s.Body, s.Else, s.Last} {
			each(inner, visit)
		}
	}
}

// functions are all of a program, methods and closures among them.
func (p *Program) functions() []*Func {
	var all []*Func
	if p.Class != nil {
		all = append(append(all, p.Class.New), p.Class.Methods...)
	}
	all = append(append(all, p.Funcs...), p.Main)
	for _, f := range all[:len(all):len(all)] {
		each(f.Body, func(s *Stmt) {
			if s.Func != nil {
				all = append(all, s.Func)
			}
		})
	}
	return all
}

// blocks visits a block and those in it, without those of closures.
func blocks(body []*Stmt, visit func([]*Stmt)) {
	visit(body)
	for _, s := range body {
		for _, inner := range [][]*Stmt{s.Body, s.Else, s.Last} {
			blocks(inner, visit)
		}
	}
}

// uses visits the variables that statements read or write.
func uses(body []*Stmt, visit func(*Var)) {
	each(body, func(s *Stmt) {
		for _, e := range []Expr{s.Target, s.Value, s.Other} {
			within(e, func(e Expr) {
				if u, is := e.(Use); is {
					visit(u.Var)
				}
			})
		}
	})
}

// within visits an expression and its parts.
func within(e Expr, visit func(Expr)) {
	if e == nil {
		return
	}
	visit(e)
	var parts []Expr
	switch e := e.(type) {
	case Op:
		parts = []Expr{e.L, e.R}
	case Not:
		parts = []Expr{e.E}
	case Pick:
		parts = []Expr{e.If, e.Then, e.Else}
	case At:
		parts = []Expr{e.List, e.Index}
	case Item:
		parts = []Expr{e.Map}
	case Field:
		parts = []Expr{e.Object}
	case Slot:
		parts = []Expr{e.In}
	case Step:
		parts = []Expr{Use{e.Var}}
	case Mapped:
		parts = []Expr{e.List, e.Value}
	case Holds:
		parts = e.Values
	case Len:
		parts = []Expr{e.List}
	case Call:
		parts = append([]Expr{e.Self}, e.Args...)
	case Elements:
		parts = e.Values
	case Entries:
		parts = e.Values
	case New:
		parts = e.Args
	}
	for _, p := range parts {
		within(p, visit)
	}
}
