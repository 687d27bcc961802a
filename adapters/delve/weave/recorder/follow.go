//go:build go1.22

package recorder

import "sync/atomic"

// Lines are those of one call of a function.
type Lines struct {
	ran   string            // the site of the line that runs
	scope scope             // what could be read as it began
	state map[string]string // what was seen of each name, as JSON
	whole map[string]string // what tells it from others, where that is cut
	asked bool              // only lines that change something
	quiet bool              // so for the line that runs alone
}

// scope is what can be read at a place: keys, and a pointer to the variable of each.
type scope struct {
	names []string
	list  []interface{}
}

// turn counts the calls of the function that is followed.
var turn struct {
	calls atomic.Int64
	found atomic.Bool
}

// Follow says whether the lines of this call are wanted: it is the n-th, or the first
// for which the condition holds. Asked is not 0 where only lines are that change
// something.
func Follow(n int64, asked int, when func() bool) *Lines {
	if !on || turn.found.Load() {
		return &Lines{}
	}
	if c := turn.calls.Add(1); n != 0 && c != n {
		return &Lines{}
	}
	if when != nil {
		if holds, _ := test(when); !holds {
			return &Lines{}
		}
	}
	if turn.found.Swap(true) {
		return &Lines{}
	}
	return &Lines{state: map[string]string{}, whole: map[string]string{}, asked: asked != 0}
}

// On says that the call is the one.
func (t *Lines) On() bool { return t.state != nil }

// At notes what the line has changed that has run, and that another begins. Names are
// keys: a name as JSON, and what tells it from others that are called so.
func (t *Lines) At(site string, names []string, list ...interface{}) {
	t.endLine(t.withScope(names, list))
	t.ran, t.scope, t.quiet = site, scope{names, list}, false
}

// withScope adds what was in scope as the line began that runs: a condition at the end of a block
// changes what the next statement does not know.
func (t *Lines) withScope(names []string, list []interface{}) ([]string, []interface{}) {
	if t.asked || t.ran == "" {
		return names, list
	}
	return t.scope.and(names, list)
}

// and is a scope with what another has besides.
func (s scope) and(names []string, list []interface{}) ([]string, []interface{}) {
	has := make(map[string]bool, len(names))
	for _, name := range names {
		has[name] = true
	}
	for i, name := range s.names {
		if !has[name] {
			names, list = append(names, name), append(list, s.list[i])
		}
	}
	return names, list
}

// Again is At for the head of a loop at the beginning of its body. The names are
// those that the head itself does not change.
func (t *Lines) Again(site string, names []string, list ...interface{}) {
	switch t.ran {
	case site:
	case "": // what has changed since, the head has
		t.ran, t.scope, t.quiet = site, scope{names, list}, false
	default:
		t.At(site, names, list...)
	}
}

// Over is Again behind a loop: its head has run once more, to find that it is over, which is noted
// where it has changed something.
func (t *Lines) Over(site string, names []string, list ...interface{}) {
	if t.ran != site {
		t.Again(site, names, list...)
		t.quiet = true
	}
}

// endLine notes the line that runs.
func (t *Lines) endLine(names []string, list []interface{}) {
	l := event("line", t.ran)
	l.within = true
	var changed []string
	values, gone := make([]string, len(list)), make([]absence, len(list))
	for i, o := range list {
		from := len(l.b)
		l.value(o, plain)
		values[i] = string(l.b[from:])
		l.b = l.b[:from]
		if gone[i] = absenceOf(o); gone[i] != readable {
			continue
		}
		here := string(l.here)
		if old, known := t.state[names[i]]; !known || old != values[i] || t.whole[names[i]] != here {
			changed = append(changed, names[i])
		}
		t.whole[names[i]] = here
	}
	first := t.ran == ""
	if !first && (len(changed) > 0 || !t.asked && !t.quiet) {
		t.note(l, names, values, changed, gone)
	} else {
		lines.Put(l)
	}
	for i, name := range names {
		switch gone[i] {
		case readable:
			t.state[name] = values[i]
		case unnamed: // the next of that name is another variable
			delete(t.state, name)
		}
	}
	t.ran = ""
}

// absence is why an expression is not looked at where a line ends.
type absence int

const (
	readable absence = iota
	headsOwn         // it belongs to the head of the loop, which shows it itself: it is as it was
	unnamed          // it has no value there: it is out of scope
)

func absenceOf(o interface{}) absence {
	switch gap, is := o.(Gap); {
	case !is:
		return readable
	case gap == "":
		return headsOwn
	}
	return unnamed
}

func (t *Lines) note(l *line, names, values, changed []string, gone []absence) {
	var a, v []byte
	for i, name := range names {
		is := t.asked
		for _, c := range changed {
			is = is || c == name
		}
		if is {
			value := values[i]
			if old, known := t.state[name]; known && gone[i] == headsOwn {
				value = old
			}
			a, v = append(append(a, ','), quotedName(name)...), append(append(v, ','), value...)
		}
	}
	if len(a) > 0 {
		l.b = append(append(append(l.b, `,"a":[`...), a[1:]...), ']')
		l.b = append(append(append(l.b, `,"v":[`...), v[1:]...), ']')
	}
	l.end()
}

// quotedName is the name of a key, without what tells it from others.
func quotedName(key string) []byte {
	for i := 0; i < len(key); i++ {
		if key[i] == '@' {
			key = key[:i]
			break
		}
	}
	return appendQuoted(nil, []byte(key))
}

// End notes the last line, with the results that have names; it is deferred.
func (t *Lines) End(names []string, list ...interface{}) {
	if t.On() && t.ran != "" {
		t.endLine(t.scope.and(names, list))
	}
}

// Leaving is End in front of a call that the function has deferred: what that changes, the last
// line has not.
func (t *Lines) Leaving() { t.End(nil) }
