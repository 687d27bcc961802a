package exprsyntax

import (
	"slices"
	"strings"
)

// Body is what a function evaluates that is written on a line and takes one of the names
// that there are where it runs; the line itself where none does. One that takes nothing
// is taken where no other is there.
func (l Language) Body(line string, known func(name string) bool) string {
	line = stripComments(line, l.comment())
	s := splitter{Language: l, text: line, tokens: scan(line, l.comment())}
	found := line
	for at := range s.tokens {
		taken, body := s.readParameters(at)
		if body < 0 || body >= len(s.tokens) {
			continue
		}
		text := s.bodyText(body)
		switch {
		case text == "":
		case slices.ContainsFunc(taken, func(t token) bool { return t.kind == word && known(t.text) }):
			return text
		case len(taken) == 0:
			found = text
		}
	}
	return found
}

// readParameters reads the parameters of a function that is written at a token, and the token at
// which its body begins; -1 where none is.
func (s *splitter) readParameters(at int) (taken []token, body int) {
	t := s.tokens[at]
	s.at = at
	switch {
	case t.is("||") && s.rust && !s.isAfterValue():
		return nil, at + 1
	case t.is("|") && s.rust && !s.isAfterValue():
		end := at + 1
		for end < len(s.tokens) && !s.tokens[end].is("|") {
			end++
		}
		return s.tokens[at+1 : end], end + 1
	case t.is("[") && s.typed && s.arrows && !s.isAfterValue():
		end := s.closingToken(at) + 1
		if end >= len(s.tokens) || !s.tokens[end].is("(") && !s.tokens[end].is("{") {
			return nil, -1
		}
		body := end
		for body < len(s.tokens) && !s.tokens[body].is("{") {
			body++
		}
		return s.tokens[end:body], body
	case s.rust || !t.is("=>") && (!t.is("->") || s.arrows || !s.typed):
		return nil, -1
	}
	from := at - 1
	if from >= 0 && s.tokens[from].is(")") {
		for depth := 0; from >= 0; from-- {
			if s.tokens[from].closes() {
				depth++
			} else if s.tokens[from].opens() {
				if depth--; depth == 0 {
					break
				}
			}
		}
		return s.tokens[max(from, 0)+1 : at-1], at + 1
	}
	return s.tokens[max(from, 0):at], at + 1
}

// bodyText is the expression at a token, or what stands in the braces there.
func (s *splitter) bodyText(at int) string {
	if s.tokens[at].is("{") {
		end := s.closingToken(at)
		to := len(s.text)
		if end < len(s.tokens) {
			to = s.tokens[end].from
		}
		return strings.TrimSpace(s.text[s.tokens[at].to:to])
	}
	end := s.argument(at, len(s.tokens))
	if end == at {
		return ""
	}
	return s.text[s.tokens[at].from:s.tokens[end-1].to]
}
