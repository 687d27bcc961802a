package exprsyntax

import (
	"strings"
	"testing"
)

func TestWhatPartsStandBehind(t *testing.T) {
	for _, c := range []reading{
		{Python, "assertTrue(a and f(b[1]))", "a; b|a; b[1]|a; f(b[1])|a"},
		{Python, "x = a or b or c.d", "a; b|!a; c|!a&!a or b; c.d|!a&!a or b"},
		{Python, "return f(b[7]) if a else g(c)", "a; b|a; b[7]|a; f(b[7])|a; c|!a; g(c)|!a"},
		{Python, "assert 1 < 0 < b[4]", "b|1 < 0; b[4]|1 < 0"},
		{Python, "assert a and b, c.d", "a; b|a; c; c.d"},
		{Python, "f(a and b.c, d)", "a; b|a; b.c|a; d; f(a and b.c, d)"},
		{Python, "if not a and b.c == d:", "a; b|not a; b.c|not a; d|not a"},
		{Python, "[x.y for x in rows if x.z]", "x; x.y; rows; x.z"},
		{Python, "x = a and b or c", "a; b|a; c|!a and b"},
		{Python, "x = (a or b).c and d", "a; b|!a; (a or b).c; d|(a or b).c"},
		{Python, "x = a if a else b[0] or a", "a; b|!a; b[0]|!a"},
		{JavaScript, "const n = user && user.name.length;", "user; user.name|user; user.name.length|user"},
		{JavaScript, "return a.b ? c.d : e.f;", "a; a.b; c|a.b; c.d|a.b; e|!a.b; e.f|!a.b"},
		{JavaScript, "x = a ?? b.c", "a; b|?a; b.c|?a"},
		{JavaScript, "f({ a: x || y.z, b })", "x; y|!x; y.z|!x; b; f({ a: x || y.z, b })"},
		{Go, "if p != nil && p.next.v > 3 {", "p; p.next|p != nil; p.next.v|p != nil"},
		{C, "if (!p || p->n == q[i]) {", "p; p->n|!!p; q|!!p; i|!!p; q[i]|!!p"},
		{Rust, "assert!(a.ok && b[0] == 1);", "a; a.ok; b|a.ok; b[0]|a.ok"},
		{Rust, "let f = xs.iter().map(|x| x + 1);", "xs; xs.iter(); xs.iter().map(|x| x + 1)"},
	} {
		var got []string
		for _, p := range c.language.Parts(c.code) {
			got = append(got, p.Text+behindText(p.Behind))
		}
		if s := strings.Join(got, "; "); s != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.code, s, c.want)
		}
	}
}

func behindText(behind [][]Guard) string {
	var ways []string
	for _, list := range behind {
		var guards []string
		for _, g := range list {
			guards = append(guards, map[Outcome]string{Fails: "!", Nothing: "?"}[g.Wants]+g.Text)
		}
		ways = append(ways, strings.Join(guards, "&"))
	}
	if len(ways) == 0 {
		return ""
	}
	return "|" + strings.Join(ways, "/")
}
