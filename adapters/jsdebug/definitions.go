package jsdebug

import (
	"context"
	"slices"
	"strings"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/project/source"
	"aidb-mcp/internal/text/pattern"
)

// definition matches where a function gets its name: declared, assigned, or as
// a method. What it matches ends before the parameters.
var definition = pattern.New(
	`\bfunction\b\s*\*?\s*([\w$]+)\s*(?:<[^>(]*>)?\s*\(` +
		`|([\w$]+)\s*(?::[^=;{}()]+)?[=:]\s*(?:async\b\s*)?(?:function\b\s*\*?\s*[\w$]*\s*)?(?:<[^>(]*>)?\s*(\(|[\w$]+\s*=>)` +
		`|(?m:^|[{};,])[ \t]*(?:(?:public|private|protected|static|override|async|get|set)\s+)*\*?\s*(#?[\w$]+)\s*(?:<[^>(]*>)?\s*\(`)

var class = pattern.New(`\bclass\s+([\w$]+)[^{]*\{`)

// exported matches how bundlers hand out a name: "charge: () => charge2,".
var exported = pattern.New(`^[\w$]+\s*:\s*\(\)\s*=>\s*[\w$]+\s*[,}]`)

// notNames stand before parentheses without being functions.
var notNames = []string{"if", "for", "while", "switch", "catch", "with", "return", "function", "super", "await", "typeof", "new", "import"}

// function is one that was found in a source.
type function struct {
	name, class string // "charge", "Order"
	line        int    // of the first code in its body
}

func (f function) fullName() string {
	if f.class != "" {
		return f.class + "." + f.name
	}
	return f.name
}

// Definitions finds functions by name ("charge", "Order.charge") in the user's
// own source.
func (*dialect) Definitions(ctx context.Context, name string, roots []string) (at []adapters.Place, like []string, err error) {
	name = strings.TrimSuffix(strings.TrimSpace(name), "()")
	name = strings.Replace(name, ".prototype.", ".", 1)
	var all []string
	seen := map[string]bool{}
	for _, root := range roots {
		walkScripts(root, func(path string) bool {
			if seen[path] {
				return true
			}
			seen[path] = true
			for _, f := range functionsIn(readText(path)) {
				if f.name == name || f.fullName() == name {
					at = append(at, adapters.Place{File: path, Line: f.line})
				}
				all = append(all, f.fullName())
			}
			return ctx.Err() == nil && len(seen) < mostFiles
		})
	}
	if ctx.Err() != nil {
		return nil, nil, context.Cause(ctx)
	}
	if at = preferSources(at); len(at) > 0 {
		return at, nil, nil
	}
	slices.Sort(all)
	return nil, source.Closest(name, slices.Compact(all), 3), nil
}

const mostFiles = 5000

// preferSources leaves out compiled copies where there is a source: dist/shop.js
// beside src/shop.ts.
func preferSources(at []adapters.Place) []adapters.Place {
	if !slices.ContainsFunc(at, func(p adapters.Place) bool { return isTypeScript(p.File) }) {
		return at
	}
	return slices.DeleteFunc(at, func(p adapters.Place) bool { return !isTypeScript(p.File) && mapOf(p.File) != "" })
}

// functionsIn lists the functions of a source that have a body.
func functionsIn(text string) []function {
	code := mask(text)
	classes := classesIn(code)
	var list []function
	for from := 0; from < len(code); {
		m := definition.FindStringSubmatchIndex(code[from:])
		if m == nil {
			break
		}
		var name string
		for _, group := range []int{1, 2, 4} {
			if m[2*group] >= 0 {
				name = code[from+m[2*group] : from+m[2*group+1]]
			}
		}
		method, assigned := m[8] >= 0, ""
		if m[4] >= 0 {
			assigned = ownerOf(code[:from+m[4]])
		}
		start := from + m[0]
		from += m[1]
		if slices.Contains(notNames, name) || exported.MatchString(code[start:]) {
			continue
		}
		body := bodyAfter(code, from, method || m[2] >= 0)
		if body < 0 {
			continue
		}
		f := function{name: name, line: 1 + strings.Count(text[:body], "\n")}
		if method {
			f.class = innermost(classes, start)
		} else {
			f.class = assigned
		}
		list = append(list, f)
		from = min(from, body)
	}
	return list
}

var path = pattern.New(`((?:[\w$]+\.)+)$`)

// ownerOf is what a function is assigned to a member of, by the text before the
// member's name: "res" of "res.", "Order" of "Order.prototype.", nothing of "exports.".
func ownerOf(before string) string {
	m := path.FindStringSubmatch(before[max(0, len(before)-200):])
	if m == nil {
		return ""
	}
	parts := slices.DeleteFunc(strings.Split(strings.TrimSuffix(m[1], "."), "."), func(part string) bool {
		return part == "prototype" || part == "module" || part == "exports" || part == "this"
	})
	return strings.Join(parts, ".")
}

// bodyAfter is where the code of a function begins: after is just behind the
// opening parenthesis of its parameters, or behind "x =>". A declaration or a
// method has braces; -1 when there is no body.
func bodyAfter(code string, after int, braces bool) int {
	at := after
	if code[after-1] == '(' {
		if at = closingParen(code, after); at < 0 {
			return -1
		}
	}
	rest := code[at:]
	if braces {
		i := strings.IndexAny(rest, "{;=")
		if i < 0 || rest[i] != '{' || strings.ContainsAny(strings.TrimSpace(textBefore(rest[:i], ":")), "()+*/,.?&|") {
			return -1
		}
		return firstCode(code, at+i+1)
	}
	if code[after-1] == '(' {
		head := rest[:lengthUntil(rest, "\n")]
		arrow, brace := strings.Index(head, "=>"), strings.IndexByte(head, '{')
		switch {
		case arrow >= 0 && (brace < 0 || arrow < brace):
			at += arrow + 2
		case brace >= 0 && strings.TrimSpace(textBefore(head[:brace], ":")) == "" && strings.Contains(code[max(0, after-200):after], "function"):
			return firstCode(code, at+brace+1)
		default:
			return -1
		}
	}
	i := at + len(code[at:]) - len(strings.TrimLeft(code[at:], " \t\r\n"))
	if i < len(code) && code[i] == '{' {
		return firstCode(code, i+1)
	}
	return i
}

func textBefore(text, mark string) string {
	head, _, _ := strings.Cut(text, mark)
	return head
}

// closingParen is the place behind the parenthesis that closes the one before at.
func closingParen(code string, at int) int {
	for depth := 1; at < len(code); at++ {
		switch code[at] {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return at + 1
			}
		}
	}
	return -1
}

// firstCode is the first place with code, the closing brace of an empty body
// included.
func firstCode(code string, at int) int {
	return min(at+len(code[at:])-len(strings.TrimLeft(code[at:], " \t\r\n;")), len(code))
}

type span struct {
	name       string
	start, end int
}

func classesIn(code string) []span {
	var list []span
	for _, m := range class.FindAllStringSubmatchIndex(code, -1) {
		depth, end := 1, m[1]
		for ; end < len(code) && depth > 0; end++ {
			switch code[end] {
			case '{':
				depth++
			case '}':
				depth--
			}
		}
		list = append(list, span{code[m[2]:m[3]], m[1], end})
	}
	return list
}

// innermost is the class around a place.
func innermost(classes []span, at int) string {
	name := ""
	for _, c := range classes {
		if c.start-1 <= at && at < c.end {
			name = c.name
		}
	}
	return name
}
