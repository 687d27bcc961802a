package detect

import (
	"strings"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/text/pattern"
)

// ubsanError is the line of a report; what is not told with a whole path is found in the stack.
var ubsanError = pattern.New(`(?m)^([^\s:][^:\n]*|/[^:\n]+):(\d+):\d+: runtime error: (.*)$`)

// ubsanForm is an exact form of a message: what was done, and the value that it tells.
type ubsanForm struct {
	words *pattern.Pattern // the group is the value
	kind  string
}

var ubsanForms = []ubsanForm{
	{pattern.New(`^(?:signed|unsigned) integer overflow: (.+) cannot be represented in type '.*'$`), "computed"},
	{pattern.New(`^negation of (.+) cannot be represented in type '.*'`), "computed"},
	{pattern.New(`^shift exponent (.+) is (?:too large for \d+-bit type '.*'|negative)$`), "shifted by"},
	{pattern.New(`^left shift of (.+) cannot be represented in type '.*'$`), "shifted"},
	{pattern.New(`^left shift of (negative value .+)$`), "shifted"},
	{pattern.New(`^index (.+) out of bounds for type '.*'$`), "index"},
	{pattern.New(`^load of value (.+), which is not a valid value for type '.*'$`), "read"},
	{pattern.New(`^load of (null pointer) of type '.*'$`), "read"},
	{pattern.New(`^store to (null pointer) of type '.*'$`), "write"},
	{pattern.New(`^member access within (null pointer) of type '.*'$`), "member of"},
	{pattern.New(`^member call on (null pointer) of type '.*'$`), "call on"},
	{pattern.New(`^reference binding to (null pointer) of type '.*'$`), "reference to"},
	{pattern.New(`^load of (misaligned address) 0x[0-9a-f]+ for type '.*'`), "read"},
	{pattern.New(`^store to (misaligned address) 0x[0-9a-f]+ for type '.*'`), "write"},
	{pattern.New(`^(division by zero)$`), "computed"},
	{pattern.New(`^(.+) is outside the range of representable values of type '.*'$`), "converted"},
	{pattern.New(`^variable length array bound evaluates to (non-positive value .+)$`), "length"},
}

// UBSan reads what UndefinedBehaviorSanitizer has written of one process.
func (dirs Dirs) UBSan(log string) (d adapters.Detection) {
	starts := ubsanError.FindAllStringSubmatchIndex(log, -1)
	for i, at := range starts {
		end := len(log)
		if i+1 < len(starts) {
			end = starts[i+1][0]
		}
		words, file := log[at[6]:at[7]], log[at[2]:at[3]]
		report := log[at[0]:end]
		a := adapters.Access{Kind: "fault"}
		for _, form := range ubsanForms {
			if m := form.words.FindStringSubmatch(words); m != nil {
				a.Kind, a.Value = form.kind, m[1]
				break
			}
		}
		for _, s := range dirs.sections(report) {
			a.Frames = append(a.Frames, s.frames...)
		}
		if file = dirs.locate(file); file != "" { // exact, while a stack's first frame may be that of a header
			at := adapters.Thrown{File: file, Line: number(log[at[4]:at[5]])}
			if len(a.Frames) > 0 {
				at.Function = a.Frames[0].Function
				a.Frames = a.Frames[1:]
			}
			a.Frames = append([]adapters.Thrown{at}, a.Frames...)
		}
		d.Faults = append(d.Faults, adapters.DetectedFault{
			Kind: adapters.UndefinedBehavior, Message: numbers.ReplaceAllString(words, "0x…"), Accesses: []adapters.Access{a}, Text: strings.TrimSpace(report),
		})
	}
	return d
}
