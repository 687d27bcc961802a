package java

import (
	"fmt"
	"slices"
	"strings"
	"text/scanner"
	"unicode"

	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/recording"
)

// fitFirst holds the scope and the condition of a spec against the classes of the program.
func fitFirst(first *recording.First, all []class, words []string) (remarks []string, err error) {
	scope := slices.Clone(first.Scope)
	for i, part := range scope {
		file, line := recording.FileLine(part)
		if line == 0 {
			if err := checkCalled(all, part, "scope"); err != nil {
				return nil, err
			}
			continue
		}
		line, moved, err := lineWithCode(all, file, line, "scope")
		if err != nil {
			return nil, err
		}
		scope[i], remarks = fmt.Sprintf("%s:%d", file, line), append(remarks, moved...)
	}
	first.Scope = scope
	if hasInherited(all) {
		return remarks, nil
	}
	for _, word := range words {
		if !slices.ContainsFunc(all, func(c class) bool { return slices.Contains(c.words, word) }) {
			return nil, fault.New(fault.InvalidParam, "the condition has a value nowhere in the scope: %s means nothing in the program's classes", word).WithField("condition").
				WithHint("write it with names that a function of the scope has: its variables and parameters, fields of its class, other classes; %s is what it returns. Variables have names where classes were compiled with -g", recording.Result)
		}
	}
	return remarks, nil
}

// hasInherited says that classes may have fields from libraries, whose names are not known.
func hasInherited(all []class) bool {
	own := map[string]bool{"": true}
	for _, c := range all {
		own[c.name] = true
	}
	return slices.ContainsFunc(all, func(c class) bool { return !own[c.parent] && !strings.HasPrefix(c.parent, "java.lang.") })
}

// variableNames are the names with which an expression begins to name variables and fields: of
// a.b[c] those are a and c. Names of classes and methods, which may come from libraries,
// are left out.
func variableNames(expression string) (names []string) {
	var s scanner.Scanner
	s.Init(strings.NewReader(expression))
	s.Mode = scanner.ScanIdents | scanner.ScanInts | scanner.ScanFloats | scanner.ScanChars | scanner.ScanStrings
	s.Error = func(*scanner.Scanner, string) {} // the recorder reads it itself, and says what is wrong
	s.IsIdentRune = func(r rune, i int) bool {
		return r == '_' || r == '$' || unicode.IsLetter(r) || i > 0 && unicode.IsDigit(r)
	}
	last, after := rune(0), ""
	for tok := s.Scan(); tok != scanner.EOF; tok = s.Scan() {
		if after != "" && tok != '(' && (tok != '.' || !leadsToClass(expression[s.Offset:])) {
			names = append(names, after)
		}
		after = ""
		if text := s.TokenText(); tok == scanner.Ident && last != '.' && !unicode.IsUpper([]rune(text)[0]) && !slices.Contains(words, text) {
			after = text
		}
		last = tok
	}
	if after != "" {
		names = append(names, after)
	}
	return names
}

// words are what begins no name of a variable.
var words = []string{"this", "super", "true", "false", "null", "instanceof", "final", "new", "class", recording.Result,
	"boolean", "byte", "char", "short", "int", "long", "float", "double"}

// leadsToClass says that ".name.name" leads to a class.
func leadsToClass(rest string) bool {
	for part := range strings.SplitSeq(strings.TrimPrefix(rest, "."), ".") {
		end := strings.IndexFunc(part, func(r rune) bool { return r != '_' && r != '$' && !unicode.IsLetter(r) && !unicode.IsDigit(r) })
		switch {
		case part == "" || end == 0:
			return false
		case unicode.IsUpper([]rune(part)[0]):
			return true
		case end > 0:
			return false
		}
	}
	return false
}
