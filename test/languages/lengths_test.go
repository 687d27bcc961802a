//go:build linux

package languages

import (
	"testing"

	"aidb-mcp/internal/testkit"
)

// A text that is longer than what is shown of it tells its length, at whatever depth and
// in whatever marks it is shown.
func TestLengthsOfLongTexts(t *testing.T) {
	t.Parallel()
	testkit.Adapters(t)
	p := testkit.NewProgramIn(t, "", "work")
	p.Write("long.cjs", "const long = 'x'.repeat(5000);\nconst dots = 'x…'.repeat(400);\nconst marks = 'a\"b\\'\\n'.repeat(500);\n"+
		"const o = { deep: { long, marks }, list: [dots] };\ndebugger;\n")
	p.Write("long.py", "long = 'x' * 5000\nmarks = 'a\"b\\'\\n' * 500\no = {'deep': {'long': long, 'marks': marks}}\npass\n")
	s := testkit.Start(t, testkit.Options{Dir: p.Dir})
	for _, tt := range []struct {
		args   A
		deep   []string // what the texts below o tell
		values map[string]string
	}{
		{A{"target": "long.cjs"}, []string{`"len":5000`, `"len":2500`, `"len":800`}, map[string]string{"long": "5000", "marks": "2500", "dots": "800"}},
		{A{"target": "long.py", "breakpoints": []A{{"file": "long.py", "line": 4}}}, []string{`"len":5000`, `"len":2500`}, map[string]string{"long": "5000", "marks": "2500"}},
	} {
		tt.args["timeout_ms"] = startLimit
		r := s.OK("session_start", tt.args)
		for name, length := range tt.values {
			r.Want(length, "data", "locals", name, "len")
		}
		s.OK("inspect", A{"expression": "o", "depth": 3, "max_bytes": 40000}).Has(tt.deep...)
	}
}
