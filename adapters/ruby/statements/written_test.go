package statements

import (
	"strings"
	"testing"

	"aidb-mcp/internal/text/exprsyntax"
)

// What a condition alone reads was not put anywhere, nor what another statement of the line does.
func TestCarries(t *testing.T) {
	for _, c := range []struct{ statement, target, carried, not string }{
		{"o.head = o.head + n if o.size > 1", "o.head", "o.head n", "o.size"},
		{"@head = n; @size -= 1", "@head", "n", "@size"},
		{"if a > 0 then @head = n else @head = m end", "@head", "", "a m n"},
		{"@list << x unless full", "@list", "x", "full"},
		{"return y if x > 0", "f", "y", "x"},
		{"total += n while (n = q.shift)", "n", "q", "total"},
		{"a, b = b, a", "a", "a b", ""},
		{"xs[i] = v", "xs[2]", "i v", ""},
		{"for x in xs do", "x", "xs", ""},
	} {
		list := Language{}.Written(c.statement)
		for o := range strings.FieldsSeq(c.carried) {
			if !exprsyntax.Carries(list, c.statement, c.target, o) {
				t.Errorf("%s: %s is not carried to %s by %q", c.statement, o, c.target, list)
			}
		}
		for o := range strings.FieldsSeq(c.not) {
			if exprsyntax.Carries(list, c.statement, c.target, o) {
				t.Errorf("%s: %s is carried to %s by %q", c.statement, o, c.target, list)
			}
		}
	}
}
