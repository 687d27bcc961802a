package exprsyntax

import (
	"strings"
	"testing"
)

var all = map[string]Language{"C": C, "Rust": Rust, "Java": Java, "JavaScript": JavaScript, "Python": Python}

func TestReads(t *testing.T) {
	t.Parallel()
	for language, list := range map[string][]string{
		"": {
			"x", "user.name", "a.b.c[2].d", "a[i+1][\"key\"]", "a == b", "a<=b", "-x * (y + 2) / 1.5e-3",
			"'text'", `"it said \"f(x)\""`, `name == "f(x)"`, "(a)", "this", "größe", "1_000", "0xff & mask", "a - -b", "x.new", "x.delete", "x.from", "a[1]",
			"del", "del.x", "a[new]", "async == 1", "exec > 2 && with", // names, where they are no keywords
		},
		"C":          {"count > 3 && !done", "*p", "&x", "p->next->value", "ns::value", "::value", "(int)x", "(unsigned int*)p", "(struct node *)p", "sizeof(x)", "*arr@10", "$rax", "a ? b : c", "a < b", "x>>2", `L"x"`, "((Base*)p)->x"},
		"Rust":       {"&x", "*x", "&mut x", "x as u8", "a[1..3]", "a[..3]", "a[1..]", "self.total", "x.0.1", "&&x"},
		"Java":       {"o instanceof Shop", "((Shop) o).name", "Shop.LIMIT", "this.x"},
		"JavaScript": {"count > 3 && !done", "typeof x", "'a' in o", "a?.b?.[0]", "a ?? b", "a === b", "this.#x", "o['a b']", "`plain`", "x instanceof Y", "[1, 2, x]", "größe.x", "a ? b : c"},
		"Python":     {"not x", "x not in y", "x is not None", "a and b or c", "a if b else c", "a[1:2]", "a[:2]", "a[::2]", "a[-1]", "r'x'", "b'x' + y", "a // b", "a ** 2", "(1, 2)", "x @ y"},
	} {
		for _, text := range list {
			for name, l := range all {
				if language != "" && language != name {
					continue
				}
				if err := l.Reads(text); err != nil {
					t.Errorf("%s: %s: %v", name, text, err)
				}
			}
		}
	}
}

func TestDoesMore(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"", " ", "f()", "f(x)", "a.f()", "a[0](x)", "(f)(x)", "f (x)", "f\t(x)", "len(x)", "int(x)", "f<int>(x)", "f<ns::T *>(x)", "f?.(x)", "not f(x)",
		"new X", "new X()", "delete p", "delete *p", "delete &p", "delete[] p", "throw -1", "await x", "await -x", "yield x", "del x", "raise x", "import os",
		"x = 1", "x=1", "x := 1", "x += 1", "x -= 1", "x <<= 1", "x >>= 1", "x >>>= 1", "x **= 2", "x //= 2", "x &&= y", "x ??= y", "x |= y", "x ^= y", "x %= y",
		"x++", "++x", "x--", "--x", "x => x", "a, b = c", "a[i] = 2",
		"f`x`", "`${f(x)}`", "f'{g(x)}'", `f"{g(x)}"`, `rf"{x}"`, "tag'x'", "'a' 'b'", "x; y", "x\ny", "{a: 1}", "x{}", "a b", "call f", "print x", "shell rm",
		"/py os", "?x", "-exec run", "!x y", "`rm`x", "\\x", "x.f ()", "[f(x) for x in y]", "[x for x in y]", "lambda x: x", "println!(\"x\")", "'unclosed", "x!", "a $(b)",
		"delete\u2028x.y", "delete\u00a0x.y", "delete\ufeffx.y", "x\vy", "x\ry", "x and_eq y", "`platform shell id`y", "f（x）", "f::<T>(x)", "x.operator()(1)", "typeof f(x)", "a if f() else b", "x is(y) (z)", "a?.b(c)", "async () => 1", "function () {}", "x ->(y)(z)",
	} {
		for name, l := range all {
			if err := l.Reads(text); err == nil {
				t.Errorf("%s: %q only reads", name, text)
			}
		}
	}
	for text, l := range map[string]Language{
		"`id`": Python, "`platform shell id`": C, "[*g]": Python, "{**g}": Python, "[...g]": JavaScript, "x: y": Python, "lambda: x": Python,
	} {
		if err := l.Reads(text); err == nil {
			t.Errorf("%q only reads", text)
		}
	}
	// What is an operator in one language is a function in another.
	for text, l := range map[string]Language{"typeof(x)": Python, "sizeof(x)": JavaScript, "not(x)": JavaScript, "mut(x)": C, "in(x)": C} {
		if err := l.Reads(text); err == nil {
			t.Errorf("%q only reads", text)
		}
	}
}

func FuzzReads(f *testing.F) {
	for _, text := range []string{"a.b[2]", "f(x)", "x = 1", "'a", "a < b > (c)", "1..2"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for name, l := range all {
			ends := strings.HasSuffix(text, ")") || strings.HasSuffix(text, "]")
			if ends && l.Reads(text) == nil && l.Reads(text+"()") == nil {
				t.Errorf("%s: a call of %q only reads", name, text)
			}
		}
	})
}
