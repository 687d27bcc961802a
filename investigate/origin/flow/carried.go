package flow

import (
	"slices"
	"strconv"
	"strings"

	"aidb-mcp/internal/recording"
	"aidb-mcp/internal/text/exprsyntax"
	"aidb-mcp/internal/text/pattern"
)

// Code is what the program's source says of the statement at an absolute file:line.
type Code interface {
	// Sources are what the value may be that it puts somewhere or gives back; none where
	// nobody can tell.
	Sources(at string) []exprsyntax.Source
	// Calls are the arguments of each call of a function that it makes.
	Calls(at, function string) [][]exprsyntax.Argument
	// Carried are those operands that it may have put into a target: what only a condition of
	// its line reads is not carried.
	Carried(at, target string, operands []string) []string
}

// carriedTo are those operands that the statement at a place may have put into a target.
func (t trail) carriedTo(target, at string, operands []Operand) []Operand {
	if len(operands) == 0 {
		return nil
	}
	var names []string
	for _, o := range operands {
		names = append(names, o.Name)
	}
	names = t.code.Carried(at, target, names)
	return slices.DeleteFunc(operands, func(o Operand) bool { return !slices.Contains(names, o.Name) })
}

// origin is what a statement has taken a value from: something that it read, or a call
// that it made.
type origin struct {
	operand *Operand
	leave   int // index of the call's Leave, where operand is nil
}

// evaluation is one of a statement: what it has read, and the events between
// that and what it wrote.
type evaluation struct {
	trail
	at       string
	thread   string
	call     int64 // in which it stands
	operands []Operand
	from, to int // events of what it called
}

// chooseSource is the one of several sources that the value must have been; not ok where it
// may have been worked out, was a literal, or where several are possible. An object is
// known by itself, whatever stands in the source.
func (s evaluation) chooseSource(sources []exprsyntax.Source, value recording.Value) (found origin, ok bool) {
	if found, ok = s.onlySource(sources, value); ok || value.Same == "" {
		return found, ok
	}
	for i := s.to - 1; i > s.from; i-- {
		e := s.log[i]
		if e.Kind == recording.Leave && e.Thread == s.thread && e.Call != s.call && !e.Raised && s.isOwn(e) &&
			slices.ContainsFunc(e.Values, func(v recording.Value) bool { return v.Same == value.Same }) {
			return origin{leave: i}, true
		}
	}
	if same := operandsWithValue(s.operands, value); len(same) == 1 {
		return origin{operand: &same[0]}, true
	}
	return origin{}, false
}

// onlySource is the one source that the value can have been.
func (s evaluation) onlySource(sources []exprsyntax.Source, value recording.Value) (found origin, ok bool) {
	n := 0
	for _, source := range sources {
		switch of, is, known := s.sourceOrigin(source, value); {
		case !known:
			return origin{}, false
		case is && (n == 0 || !of.equals(found)):
			found, n = of, n+1
		}
	}
	return found, n == 1
}

func (o origin) equals(other origin) bool {
	if o.operand == nil || other.operand == nil {
		return o.operand == other.operand && o.leave == other.leave
	}
	return o.operand.Name == other.operand.Name
}

// sourceOrigin says whether the value can be that of a source, as far as that is known.
func (s evaluation) sourceOrigin(source exprsyntax.Source, value recording.Value) (of origin, is, known bool) {
	read := slices.IndexFunc(s.operands, func(o Operand) bool { return isNamed(o.Name, source.Text) })
	switch {
	case read >= 0: // an element that a call gets is read as well
		o := s.operands[read]
		if o.Value.Error != "" || recording.Compare(o.Value, value) == recording.NotCompared {
			return of, false, false
		}
		return origin{operand: &o}, isEqual(o.Value, value), true
	case source.Kind == exprsyntax.Returned:
		i, called := s.lastCall(source.Name)
		if !called {
			return of, false, false
		}
		same := slices.ContainsFunc(s.log[i].Values, func(v recording.Value) bool { return isEqual(v, value) })
		return origin{leave: i}, same && !source.Taken, true
	case source.Kind == exprsyntax.Element: // which one, only some recorders note
		read := slices.IndexFunc(s.operands, func(o Operand) bool {
			name, isElement := strings.CutPrefix(plainText(o.Name), plainText(source.Text)+"[")
			return isElement && strings.Count(name, "]") == 1 && strings.HasSuffix(name, "]")
		})
		if read < 0 {
			return of, false, false
		}
		o := s.operands[read]
		return origin{operand: &o}, isEqual(o.Value, value), true
	case source.Kind == exprsyntax.Literal:
		return of, false, !isLiteral(source.Text, value)
	}
	return of, false, false
}

// lastCall is the last call of a function that the statement itself has made.
func (s evaluation) lastCall(function string) (int, bool) {
	for i := s.to - 1; i > s.from; i-- {
		e := s.log[i]
		if e.Kind == recording.Leave && e.Thread == s.thread && e.Call != s.call && !e.Raised && isCalledAs(e.Function, function) && s.isOwn(e) {
			return i, true
		}
	}
	return 0, false
}

// isOwn says that a call which has ended is one of the statement's own, and none within
// those: the place of its caller tells, where that is noted.
func (s evaluation) isOwn(e recording.Event) bool {
	begun := slices.IndexFunc(s.log[:s.to], func(o recording.Event) bool { return o.Kind == recording.Enter && o.Call == e.Call && e.Call != 0 })
	return begun < 0 || len(s.log[begun].Stack) == 0 || strings.HasSuffix(s.log[begun].Stack[0], " "+s.at)
}

// operandsWithValue are the operands that have this value, and a place.
func operandsWithValue(list []Operand, value recording.Value) (same []Operand) {
	for _, o := range list {
		if o.Value.Place != "" && isEqual(o.Value, value) {
			same = append(same, o)
		}
	}
	return same
}

// isEqual says that two values of one run are the same, all of them.
func isEqual(a, b recording.Value) bool {
	if a.Error != "" || b.Error != "" || a.Same != b.Same && a.Same != "" && b.Same != "" {
		return false
	}
	return a.Same != "" && a.Same == b.Same || a.Text == b.Text && recording.Compare(a, b) == recording.Equal
}

// isNamed says whether an operand, as a recorder names it, is what stands in the
// source: the quotes of a text may differ, and the object before a member may be left
// out.
func isNamed(operand, text string) bool {
	a, b := plainText(operand), plainText(text)
	return a == b || strings.HasSuffix(a, "."+b) || strings.TrimLeft(a, "&*") == strings.TrimLeft(b, "&*")
}

var blank = pattern.New(`\s+`)

func plainText(text string) string {
	return strings.NewReplacer("'", `"`, "?.", ".", "!", "").Replace(blank.ReplaceAllString(text, ""))
}

// isCalledAs says whether a source that calls this name can mean the function.
func isCalledAs(function, name string) bool { return slices.Contains(callNames(function), name) }

// callNames are the names by which a source may call a function: its own, and that of the
// type, which calls what makes one.
func callNames(function string) []string {
	var parts []string
	for _, found := range nameParts.FindAllStringSubmatch(behind.ReplaceAllString(function, ""), -1) {
		parts = append(parts, found[0])
	}
	slices.Reverse(parts)
	return parts[:min(len(parts), 2)]
}

var (
	behind    = pattern.New(`(?:\(\s*[^()]*\)|<[^<>]*>|\[[^\[\]]*\])+$`) // arguments and types behind the name
	nameParts = pattern.New(`[\pL_$~][\pL\pN_$]*`)
)

// isLiteral says that a value can be the literal that stands in the source.
func isLiteral(literal string, value recording.Value) bool {
	text := value.Text
	if a, err := strconv.ParseFloat(strings.ReplaceAll(literal, "_", ""), 64); err == nil {
		b, err := strconv.ParseFloat(text, 64)
		return err != nil && text != "" && text[0] >= '0' && text[0] <= '9' || err == nil && a == b
	}
	if n, err := strconv.ParseInt(literal, 0, 64); err == nil {
		return text == strconv.FormatInt(n, 10)
	}
	if unquoted(literal) == literal { // true, null, or a number as only its language writes it
		return text == "" || text == literal || strings.Trim(text, "-0123456789.") != "" && strings.Trim(literal, "-0123456789.") != "" || literal[0] >= '0' && literal[0] <= '9'
	}
	return text == "" || text == literal || unquoted(text) == unquoted(literal) || strings.Contains(literal, `\`)
}

func unquoted(text string) string { return strings.Trim(text, "\"'`") }
