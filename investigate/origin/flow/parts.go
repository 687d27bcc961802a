package flow

import (
	"slices"
	"strconv"
	"strings"

	"aidb-mcp/internal/recording"
	"aidb-mcp/internal/text/exprsyntax"
	"aidb-mcp/internal/text/pattern"
)

// carrierOf says whether a value that was put somewhere is what lies in a place then, as
// itself or as a part of it.
func carrierOf(put, seen recording.Value) (c carrier, ok bool) {
	if put.Place == "" || seen.Place == "" {
		return c, false
	}
	if put.Place == seen.Place && put.Size() == seen.Size() {
		return carrier{whole: put, part: put.Size() > 0 && put.Text != seen.Text && strings.Contains(put.Text, seen.Text)}, true
	}
	from, okPut := addressOf(put.Place)
	at, okSeen := addressOf(seen.Place)
	if !okPut || !okSeen || at < from || at-from >= uint64(put.Size()) || put.Size() <= seen.Size() {
		return c, false
	}
	return carrier{whole: put, offset: at - from, part: true}, true
}

// writesPartOf says whether an event has written a part of a value, or of what the
// value refers to.
func writesPartOf(write recording.Event, v recording.Value) bool {
	if v.Same != "" && write.Values[1].Of == v.Same {
		return true
	}
	at, ok := addressOf(write.Place)
	if !ok {
		return false
	}
	n := uint64(max(write.Values[1].Size(), 1))
	meets := func(place string, size int64) bool {
		from, ok := addressOf(place)
		return ok && at < from+uint64(size) && from < at+n
	}
	return meets(v.Place, v.Size()) || meets(v.Same, v.Span())
}

// canBe says that the value can be what was seen: the same, as far as both are known,
// or the same object, whatever is in it by now.
func (c carrier) canBe(seen recording.Value) bool {
	if !c.part {
		return c.whole.Text == seen.Text && recording.Compare(c.whole, seen) != recording.Different || c.whole.Same != "" && c.whole.Same == seen.Same
	}
	return strings.Contains(c.whole.Text, seen.Text) || strings.Contains(c.whole.Text, "…") || strings.Contains(seen.Text, "…") || strings.HasPrefix(seen.Text, "len: ")
}

// isAbsent says whether an object's text shows all that is in it, and the value is not
// among that. A map's entry that was never set is absent too, and reads as nothing.
func isAbsent(object, v recording.Value) bool {
	if strings.Contains(v.Place, "[") && slices.Contains(nothing, v.Text) {
		return false
	}
	if emptyList.MatchString(object.Text) && element.MatchString(v.Place) || emptyMap.MatchString(object.Text) && strings.ContainsAny(v.Place, "[<") {
		return true
	}
	return strings.Contains(object.Text, ": ") && strings.ContainsAny(object.Text, "{(") && !strings.Contains(object.Text, "…") &&
		v.Same == "" && !strings.Contains(v.Text, "…") && !strings.Contains(object.Text, v.Text)
}

// Texts that show that nothing is in a list, in a map or an object, and the place of an element.
var (
	emptyList = pattern.New(`^(?:\w*\(0\) ?)?\[\]$`)
	emptyMap  = pattern.New(`^(?:\w+(?:\(0\))? ?)?\{\}$`)
	element   = pattern.New(`\[\d+\]$`)
)

// nothing are the texts of what is read where nothing was put.
var nothing = []string{"nil", "0", `""`, "false", "undefined", "null", "None"}

// offsetIn says whether a place lies in what a value refers to, and how far from its
// beginning.
func offsetIn(v, seen recording.Value) (offset uint64, within bool) {
	if v.Same == "" {
		return 0, false
	}
	if v.Same == seen.Of {
		return 0, true
	}
	from, okFrom := addressOf(v.Same)
	at, okAt := addressOf(seen.Place)
	if !okFrom || !okAt || at < from || at-from >= uint64(v.Span()) {
		return 0, false
	}
	return at - from, true
}

// beforeMaking is where the value was before its object was made, so many bytes from
// its beginning: at the same place of the object that was copied, or in what was
// appended.
func (t trail) beforeMaking(i int, s sight, offset uint64, use int) *sight {
	of := t.evaluationAt(i, use)
	if s.value.Place == "" || strings.Contains(s.value.Place, "[") {
		return t.carriedFrom(of, carrier{whole: s.value, part: true}, s, use)
	}
	var old, rest []Operand
	for _, o := range of.operands {
		if o.Value.Same != "" && offset >= uint64(o.Value.Span()) {
			offset -= uint64(o.Value.Span())
			continue
		}
		if from, ok := addressOf(o.Value.Same); ok && o.Value.Span() > 0 {
			if place := strconv.FormatUint(from+offset, 16); place != s.value.Place {
				value := s.value
				value.Place = place
				old = append(old, Operand{o.Name, value})
			}
			continue
		}
		rest = append(rest, o)
	}
	if len(old) == 1 {
		return t.readBefore(old[0], old[0].Value, use)
	}
	if len(old) > 0 {
		return nil
	}
	elements := givenSources(t.code.Sources(of.at))
	if len(rest) == 1 && rest[0].Value.Size() > 0 && offset < uint64(rest[0].Value.Size()) && isElement(elements, rest[0]) {
		if place, ok := shiftPlace(rest[0].Value.Place, offset); ok {
			value := s.value
			value.Place, value.Of = place, ""
			return t.readBefore(rest[0], value, use)
		}
	}
	return t.sourceSight(of, elements, carrier{whole: s.value}, s, use)
}

// givenSources is what a statement puts into what it makes, or gives to the calls that do.
func givenSources(sources []exprsyntax.Source) (list []exprsyntax.Source) {
	for _, source := range sources {
		switch {
		case source.Part:
			list = append(list, source)
		case source.Kind == exprsyntax.Returned:
			list = append(list, source.Given...)
		}
	}
	return list
}

// isElement says that an operand is put there as it is, and nothing that was worked out.
func isElement(elements []exprsyntax.Source, o Operand) bool {
	found := false
	for _, e := range elements {
		switch e.Kind {
		case exprsyntax.Read:
			found = found || isNamed(o.Name, e.Text)
		case exprsyntax.Computed, exprsyntax.Returned, exprsyntax.Sent:
			return false
		}
	}
	return found
}

func shiftPlace(place string, offset uint64) (string, bool) {
	from, ok := addressOf(place)
	return strconv.FormatUint(from+offset, 16), ok
}

// addressOf is a place that is one.
func addressOf(place string) (uint64, bool) {
	n, err := strconv.ParseUint(place, 16, 64)
	return n, err == nil
}
