package tools

import (
	"slices"
	"strconv"
	"time"
)

// LongestWait is the most that a call, or a server's default, may wait.
const LongestWait = 5 * time.Minute

// Waiting is the definition for a server whose calls wait that long when they
// do not say: the default of timeout_ms, in the schema and when it is decoded. 0
// leaves it as it is.
func (t Typed[P]) Waiting(wait time.Duration) Typed[P] {
	if wait != 0 {
		t.Definition = t.withDefault("timeout_ms", strconv.FormatInt(wait.Milliseconds(), 10))
	}
	return t
}

// withDefault is the definition with another default of a parameter, itself
// where it has no such parameter.
func (d *Definition) withDefault(name, value string) *Definition {
	at := slices.IndexFunc(d.fields, func(f *field) bool { return f.name == name })
	if at < 0 {
		return d
	}
	changed, f := *d, *d.fields[at]
	f.def = value
	changed.fields = slices.Clone(d.fields)
	changed.fields[at] = &f
	changed.Schema = schemaOf(changed.fields)
	return &changed
}
