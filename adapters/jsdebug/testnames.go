package jsdebug

import (
	"regexp"
	"slices"
	"strings"

	"aidb-mcp/internal/text/pattern"
)

// testName is the name of a test or a group of tests, as its source has it.
type testName struct {
	text       string // as it is written: "adds %i and %i", "adds ${a}"
	expression string // of the names that it makes at run time; empty: only itself
	group      bool   // of tests
}

// isIn says that a name is the wanted one, which may have the names of its groups
// before it.
func (n testName) isIn(wanted string) bool {
	if n.text == wanted || strings.HasSuffix(wanted, " "+n.text) || strings.HasSuffix(wanted, ">"+n.text) {
		return true
	}
	if n.expression == "" {
		return false
	}
	made, err := regexp.Compile("(?s)(?:^|[ >])" + n.expression + "$")
	return err == nil && made.MatchString(wanted)
}

var (
	// testCall matches how a test or a group begins: what is called, with what follows
	// it: only, skip, each.
	testCall = pattern.New("\\b(it|test|describe|suite|context|specify)((?:\\.\\w+)*)\\s*(?:<[^()\\n]*>)?\\s*([(`])")
	// testText matches the text with which arguments begin.
	testText = pattern.New("^\\s*(?:'((?:[^'\\\\\\n]|\\\\.)*)'|\"((?:[^\"\\\\\\n]|\\\\.)*)\"|`((?:[^`\\\\]|\\\\.)*)`)\\s*(\\+?)")
	// testVariable matches a name in place of a text.
	testVariable = pattern.New(`^\s*[A-Za-z_$][\w$.]*\s*[,+(\[]`)
	escaped      = pattern.New(`\\(.)`)
	// rowHole and templateHole match what is filled in: from the row of a table, and in a template.
	rowHole      = pattern.New(`%[sdifjopcO#$]|\$#|\$[A-Za-z_][\w.]*`)
	templateHole = pattern.New(`\$\{[^}]*\}`)
)

// testsIn lists the names of the tests and groups of a file, and whether there
// may be more that only running it can tell.
func testsIn(text string) (names []testName, more bool) {
	code := mask(text)
	for _, at := range testCall.FindAllStringSubmatchIndex(text, -1) {
		open := at[1]
		called, chain := text[at[2]:at[3]], text[at[4]:at[5]]
		rows := strings.HasSuffix(chain, ".each") || strings.HasSuffix(chain, ".for")
		if rows {
			if open = afterTable(text, code, at[1]); open < 0 {
				more = true
				continue
			}
		} else if text[open-1] != '(' {
			continue
		}
		m := testText.FindStringSubmatch(text[open:])
		if m == nil {
			more = more || testVariable.MatchString(text[open:])
			continue
		}
		name := nameOf(m, rows)
		name.group = slices.Contains([]string{"describe", "suite", "context"}, called)
		if name.expression != "" && !static.MatchString(name.expression) {
			more = true // it may be anything
			continue
		}
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names, more
}

// static matches what a name must have besides its holes.
var static = pattern.New(`[\pL\d]`)

// afterTable is the place behind the parenthesis that opens the call after a
// table's, -1 when there is none.
func afterTable(text, code string, at int) int {
	end := -1
	if text[at-1] == '(' {
		end = closingParen(code, at)
	} else if i := strings.IndexByte(text[at:], '`'); i >= 0 {
		end = at + i + 1
	}
	if end < 0 {
		return -1
	}
	rest := strings.TrimLeft(text[end:], " \t\r\n")
	if !strings.HasPrefix(rest, "(") {
		return -1
	}
	return len(text) - len(rest) + 1
}

// nameOf reads a text as testText has it; what a row or an expression fills in are
// its holes.
func nameOf(m []string, rows bool) testName {
	name := testName{text: escaped.ReplaceAllString(m[1]+m[2]+m[3], "$1")}
	filled := name.text
	if m[3] != "" {
		filled = templateHole.ReplaceAllString(filled, hole)
	}
	if rows {
		filled = strings.ReplaceAll(rowHole.ReplaceAllString(filled, hole), "%%", "%")
	}
	if m[4] != "" {
		name.text, filled = name.text+"…", filled+hole
	}
	if strings.Contains(filled, hole) {
		name.expression = strings.ReplaceAll(regexp.QuoteMeta(filled), hole, ".*")
	}
	return name
}

// hole stands for what is filled in: no name has it.
const hole = "\x00"
