package statements

import (
	"strings"
	"testing"

	"aidb-mcp/internal/text/exprsyntax"
)

// What a condition alone reads was not put anywhere, nor what another statement of the line does.
func TestCarried(t *testing.T) {
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
		read := strings.Fields(c.carried + " " + c.not)
		list := Language{}.Written(c.statement)
		if got := strings.Join(exprsyntax.Carried(list, c.statement, c.target, read), " "); got != c.carried {
			t.Errorf("%s: to %s %q is carried, want %q, by %q", c.statement, c.target, got, c.carried, list)
		}
	}
}
