package exprsyntax

import (
	"strings"
	"testing"
)

// What a condition alone reads was not put anywhere, nor what another statement of the line does.
func TestCarried(t *testing.T) {
	for _, c := range []struct {
		language        Language
		statement       string
		target, carried string // operands
		not             string
	}{
		{C, "void a() { if (size > 0) head = head + 1; }", "o.head", "head", "size"},
		{C, "if (o->size > 1) { o->head = o->head + n; o->size--; }", "o.head", "o->head n", "o->size"},
		{C, "switch (k) { case 1: o->head = o->head + 3; break; default: o->head = o->size; }", "o.head", "", "o->head o->size k"},
		{C, "for (int i = 0; i < size; i++) head += i;", "head", "i head", "size"},
		{C, "for (int i = 0; i < size; i++) head += i;", "i", "i", "size head"},
		{C, "for (auto &x : xs) sum += x;", "x", "xs", "sum"},
		{C, "while ((c = next(in)) != end) n++;", "c", "in", ""},
		{C, "if (n > 0) list.push_back(x); else other.push_back(y);", "list", "x list", "y n other"},
		{C, "if (n > 0) { list.push_back(x); n--; }", "list", "x", ""},
		{C, "*p = x; q = y;", "*p", "x", "y q"},
		{C, "P(int x) : x_(x), y_(0) { made++; }", "x_", "x", "made"},
		{JavaScript, "if (n) x = y; else x = z;", "x", "y", "n"}, // a recorder that tells which of them ran
		{Java, "if (n) x = y; else x = z;", "x", "", "y z n"},
		{Go, "case v := <-ch: sum += v", "v", "ch", "sum"},
		{Java, "case Take t when size > 0 -> { head = (head + 1) % (slots.length - 1); size--; }", "b.head", "head slots.length", "size"},
		{Java, "case Take t when size > 0 -> { head = t.at(); size--; }", "t", "", "size head"},
		{Java, "if (x > 0) return y;", "f", "y", "x"},
		{Java, "void a() { if (size > 0) head = head + 1; }", "o.head", "head this.head", "size this.size"},
		{Python, "if o.size > 1: o.head = o.head + n; o.size -= 1", "o.head", "o.head n", "o.size"},
		{Python, "for x in xs: total += x", "x", "xs", "total"},
		{Python, "for x in xs: total += x", "total", "x total", "xs"},
		{Python, "with open(name) as f: text = f.read()", "text", "f", "name"},
		{Python, "while (n := f(x)) > 0: total += n", "n", "x", "total"},
		{Python, "a, b = b, a", "a", "a b", ""},
		{Python, "x = a if c else b", "x", "a b c", ""},
		{Rust, "match k { 1 if o.size > 0 => { o.head = o.head + 3; } _ => o.last = o.size }", "o.head", "o.head", "o.size k"},
		{Rust, "match next { Some(x) => total += x, None => total = zero }", "x", "next", "total zero"},
		{Rust, "if o.size > 1 { o.head = o.head + n; o.size -= 1; }", "o.head", "o.head n", "o.size"},
		{Rust, "let x: i32 = y;", "x", "y", ""},
		{Go, "if o.size > 1 { o.head = o.head + n; o.size-- }", "o.head", "o.head n", "o.size"},
		{Go, "for _, x := range xs { sum += x }", "x", "xs", "sum"},
		{Go, "if v, ok := m[k]; ok { x = v }", "v", "m k", ""},
		{JavaScript, "if (a.n) a.xs[i] = {k: v}", "a.xs[2]", "v i", "a.n"},
		{JavaScript, "if (a.n) a.xs[i] = {k: v}", "elsewhere", "v", "a.n"},
	} {
		list := c.language.Written(c.statement)
		read := strings.Fields(c.carried + " " + c.not + " called.otherwise")
		if got, want := strings.Join(Carried(list, c.statement, c.target, read), " "), strings.TrimSpace(c.carried+" called.otherwise"); got != want {
			t.Errorf("%s: to %s %q is carried, want %q, by %q", c.statement, c.target, got, want, list)
		}
	}
}
