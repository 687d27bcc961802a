// Package pysrc reads Python source as far as a debugger needs it without an
// interpreter: which functions and classes a file defines, where their bodies
// begin and what their parameters are called.
//
// It reads text and nothing else. It does not judge whether the text is correct.
package pysrc

import (
	"strings"
)

// Def is a function or a class.
type Def struct {
	Class  bool
	Name   string   // "area"
	Path   string   // with what it is defined in: "Shape.area"
	Line   int      // of the def or class
	Body   int      // first line with code in it, which is Line for a one-line body
	End    int      // last line
	Params []string // of a function, in order, without stars
	Bases  string   // of a class, as written
	Parent *Def     // that it is defined in, nil at the top of the file
}

// Scan lists what a file defines, in order.
func Scan(text string) []*Def {
	s := &scan{}
	last := 0
	for _, l := range logicalLines(text) {
		s.line(l, last)
		last = l.end
	}
	s.leave(-1, last)
	return s.defs
}

type scan struct {
	defs []*Def
	open []block // that the current line is in, outermost first
}

type block struct {
	def    *Def
	indent int
	doc    bool // the next line may be the documentation
}

func (s *scan) line(l logical, last int) {
	s.leave(l.indent, last)
	s.begin(l)
	def := header(l)
	if def == nil {
		return
	}
	def.Path = def.Name
	if len(s.open) > 0 {
		def.Parent = s.open[len(s.open)-1].def
		def.Path = def.Parent.Path + "." + def.Name
	}
	s.defs = append(s.defs, def)
	s.open = append(s.open, block{def: def, indent: l.indent, doc: true})
}

// leave closes the blocks that a line of this indentation is not in.
func (s *scan) leave(indent, last int) {
	for n := len(s.open); n > 0 && s.open[n-1].indent >= indent; n-- {
		d := s.open[n-1].def
		d.End = last
		if d.Body == 0 {
			d.Body = d.Line
		}
		s.open = s.open[:n-1]
	}
}

// begin notes a line as the first with code of the block it is in.
func (s *scan) begin(l logical) {
	if len(s.open) == 0 {
		return
	}
	b := &s.open[len(s.open)-1]
	if b.def.Body != 0 {
		return
	}
	if b.doc && l.isStringOnly() || l.starts("global") || l.starts("nonlocal") {
		b.doc = false
		return
	}
	b.def.Body = l.start
}

// header reads "def name(" and "class Name(", nil for other lines.
func header(l logical) *Def {
	text := l.text
	line := l.start
	text = strings.TrimSpace(strings.TrimPrefix(text, "async "))
	rest, function := strings.CutPrefix(text, "def ")
	if !function {
		var class bool
		if rest, class = strings.CutPrefix(text, "class "); !class {
			return nil
		}
	}
	rest = strings.TrimSpace(rest)
	end := strings.IndexFunc(rest, func(r rune) bool { return strings.ContainsRune("(:[ \t", r) })
	if end <= 0 {
		return nil
	}
	def := &Def{Class: !function, Name: rest[:end], Line: line}
	inside, after := parentheses(rest[end:])
	if function {
		def.Params = parameters(inside)
	} else {
		def.Bases = inside
	}
	if at := strings.LastIndexByte(after, ':'); at >= 0 && strings.TrimSpace(after[at+1:]) != "" {
		def.Body = l.end // def f(): return 1
		if l.start != l.end {
			def.Body = l.start
		}
	}
	return def
}

// parentheses cuts the first balanced pair, which type parameters in brackets may precede.
func parentheses(s string) (inside, after string) {
	open := strings.IndexByte(s, '(')
	if colon := strings.IndexByte(s, ':'); open < 0 || colon >= 0 && colon < open && !strings.Contains(s[:open], "[") {
		return "", s
	}
	depth := 0
	for i := open; i < len(s); i++ {
		switch s[i] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth--; depth == 0 {
				return s[open+1 : i], s[i+1:]
			}
		}
	}
	return s[open+1:], ""
}

// parameters are the names in a parameter list.
func parameters(list string) []string {
	var names []string
	depth, from := 0, 0
	add := func(part string) {
		part, _, _ = strings.Cut(part, "=")
		part, _, _ = strings.Cut(part, ":")
		part = strings.TrimLeft(strings.TrimSpace(part), "*")
		if part = strings.TrimSpace(part); part != "" && part != "/" {
			names = append(names, part)
		}
	}
	for i := range len(list) {
		switch list[i] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		case ',':
			if depth == 0 {
				add(list[from:i])
				from = i + 1
			}
		}
	}
	add(list[from:])
	return names
}

// At is the innermost function that a line is in, nil when it is in none.
func At(defs []*Def, line int) *Def {
	var in *Def
	for _, d := range defs {
		if !d.Class && d.Line <= line && line <= d.End {
			in = d
		}
	}
	return in
}
