// Package rubysrc finds by the text of Ruby sources which methods and tests they define. It
// goes by the lines and their indentation, as people and formatters write them, and runs
// nothing.
package rubysrc

import (
	"strings"

	"aidb-mcp/internal/text/pattern"
)

// Def is a method of a source.
type Def struct {
	Name   string // "total"
	Class  string // "Shop::Cart"; empty outside of all
	Single bool   // of the class itself: def self.open
	Line   int    // of the def
	Body   int    // the first line with code in it; that of the def where all stands in one line
}

// Full is the name with its class: "Shop::Cart#total", "Shop::Cart.open".
func (d Def) Full() string {
	switch {
	case d.Class == "":
		return d.Name
	case d.Single:
		return d.Class + "." + d.Name
	}
	return d.Class + "#" + d.Name
}

// IsNamed says that what the user wrote may mean this one.
func (d Def) IsNamed(name string) bool {
	at := strings.LastIndexAny(name, ".#")
	if at < 0 {
		if colon := strings.LastIndex(name, "::"); colon >= 0 {
			return d.isOf(name[:colon]) && d.Name == name[colon+2:]
		}
		return d.Name == name
	}
	if name[at] == '.' && !d.Single && d.Class != "" && !strings.HasPrefix(name, "self") {
		return d.Name == name[at+1:] && d.isOf(name[:at]) // as other languages write it
	}
	return d.Name == name[at+1:] && d.isOf(name[:at]) && (name[at] == '.' || !d.Single)
}

func (d Def) isOf(class string) bool {
	return d.Class == class || strings.HasSuffix(d.Class, "::"+class)
}

var (
	classLine = pattern.New(`^(\s*)(?:class|module)\s+((?:::)?[A-Z][\w:]*)`)
	eigen     = pattern.New(`^(\s*)class\s*<<\s*self`)
	defLine   = pattern.New(`^(\s*)(?:(?:private|protected|public|module_function|private_class_method)\s+)?def\s+((?:self|[A-Z]\w*)\.)?([^\s(;=]+[=]?|[=!<>+*/%\[\]~^&|-]+)`)
	endless   = pattern.New(`^\s*(?:\w+\s+)?def\s+[^\s(]+\s*(?:\([^)]*\))?\s*=\s|;\s*end\s*$`)
	endLine   = pattern.New(`^(\s*)end\b`)
	noCode    = pattern.New(`^\s*(?:#|$|end\b|private\b|protected\b|rescue\b|ensure\b|else\b)`)
)

// block is a class or a method that is open.
type block struct {
	indent string
	class  string
	single bool
	def    int // index among the methods, -1 for a class
}

// Methods are those that a source defines, in its order.
func Methods(text string) []Def {
	var list []Def
	var open []block
	for i, line := range strings.Split(text, "\n") {
		n := i + 1
		if line == "__END__" {
			break
		}
		if m := endLine.FindStringSubmatch(line); m != nil {
			for len(open) > 0 && len(open[len(open)-1].indent) >= len(m[1]) {
				last := open[len(open)-1]
				open = open[:len(open)-1]
				if len(last.indent) == len(m[1]) {
					break
				}
			}
			continue
		}
		class, single := innermost(open)
		switch {
		case eigen.MatchString(line):
			open = append(open, block{indent: eigen.FindStringSubmatch(line)[1], class: class, single: true, def: -1})
		case classLine.MatchString(line):
			m := classLine.FindStringSubmatch(line)
			name := strings.TrimPrefix(m[2], "::")
			if class != "" && name == m[2] {
				name = class + "::" + name
			}
			if !strings.Contains(line, "; end") {
				open = append(open, block{indent: m[1], class: name, def: -1})
			}
		case defLine.MatchString(line):
			m := defLine.FindStringSubmatch(line)
			list = append(list, Def{Name: m[3], Class: class, Single: single || m[2] == "self.", Line: n, Body: n})
			if !endless.MatchString(line) {
				open = append(open, block{indent: m[1], class: class, single: single, def: len(list) - 1})
			}
		case !noCode.MatchString(line):
			if len(open) > 0 && open[len(open)-1].def >= 0 {
				if d := &list[open[len(open)-1].def]; d.Body == d.Line {
					d.Body = n
				}
			}
		}
	}
	return list
}

func innermost(open []block) (class string, single bool) {
	if len(open) == 0 {
		return "", false
	}
	last := open[len(open)-1]
	return last.class, last.single
}
