package tools

import (
	"slices"
	"strconv"
	"time"
)

// LongestWait is the most that a call, or a server's default, may wait.
const LongestWait = 5 * time.Minute

// Waiting are the definitions for a server whose calls wait that long when they
// do not say: the default of timeout_ms, in the schema and when it is decoded. 0
// leaves them as they are.
func Waiting(list []*Definition, wait time.Duration) []*Definition {
	if wait == 0 {
		return list
	}
	changed := slices.Clone(list)
	for i, d := range changed {
		changed[i] = d.withDefault("timeout_ms", strconv.FormatInt(wait.Milliseconds(), 10))
	}
	return changed
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
