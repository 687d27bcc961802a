package frame

import (
	"encoding/json"
	"iter"
	"slices"
)

// member is one of an object: its name, and where its value stands.
type member struct {
	name     string
	from, to int
}

// eachMember walks over the members of an object that is valid JSON and begins at base.
func eachMember(object []byte, base int) iter.Seq[member] {
	return func(yield func(member) bool) {
		s := scanner{text: object, at: 1}
		for s.next('}') {
			name := s.value()
			s.space()
			s.at++ // the colon
			s.space()
			from := s.at
			s.value()
			if !yield(member{nameOf(name), base + from, base + s.at}) {
				return
			}
		}
	}
}

// members are those of each. False: there are more than an object may have.
func members(object []byte, base int) ([]member, bool) {
	var found []member
	for m := range eachMember(object, base) {
		if len(found) == maxMembers {
			return nil, false
		}
		found = append(found, m)
	}
	return found, true
}

// elements walks over those of an array that is valid JSON.
func elements(array []byte) iter.Seq[json.RawMessage] {
	return func(yield func(json.RawMessage) bool) {
		s := scanner{text: array, at: 1}
		for s.next(']') {
			if !yield(s.value()) {
				return
			}
		}
	}
}

// twin is a name that two members have.
func twin(within []member) (name string, found bool) {
	seen := make(map[string]struct{}, len(within))
	for _, m := range within {
		if _, twice := seen[m.name]; twice {
			return m.name, true
		}
		seen[m.name] = struct{}{}
	}
	return "", false
}

func nameOf(quoted []byte) string {
	if slices.Contains(quoted, '\\') {
		var name string
		_ = json.Unmarshal(quoted, &name) // it is valid
		return name
	}
	return string(quoted[1 : len(quoted)-1])
}

// scanner walks over valid JSON.
type scanner struct {
	text []byte
	at   int
}

// next goes on to the next of several, if their end is not there.
func (s *scanner) next(end byte) bool {
	s.space()
	if s.text[s.at] == ',' {
		s.at++
		s.space()
	}
	return s.text[s.at] != end
}

func (s *scanner) space() {
	for s.at < len(s.text) && (s.text[s.at] == ' ' || s.text[s.at] == '\t' || s.text[s.at] == '\n' || s.text[s.at] == '\r') {
		s.at++
	}
}

// value walks over one value and returns it.
func (s *scanner) value() []byte {
	from, depth := s.at, 0
	for ; s.at < len(s.text); s.at++ {
		switch s.text[s.at] {
		case '"':
			s.skipString()
		case '{', '[':
			depth++
			continue
		case '}', ']':
			depth--
		case ' ', '\t', '\n', '\r', ',', ':':
			if depth == 0 {
				return s.text[from:s.at]
			}
			continue
		default:
			continue
		}
		if depth < 0 { // the end of what it stands in
			return s.text[from:s.at]
		}
		if depth == 0 {
			s.at++
			return s.text[from:s.at]
		}
	}
	return s.text[from:s.at]
}

// skipString walks to the quote that ends a string.
func (s *scanner) skipString() {
	for s.at++; s.text[s.at] != '"'; s.at++ {
		if s.text[s.at] == '\\' {
			s.at++
		}
	}
}
