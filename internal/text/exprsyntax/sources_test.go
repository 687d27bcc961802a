package exprsyntax

import (
	"fmt"
	"strings"
	"testing"
)

// In wants each source is written with what it is: "read n", "called f of", "part read n".
func TestSources(t *testing.T) {
	for _, c := range []struct {
		language  Language
		statement string
		want      string
	}{
		{Go, "left := bob.Balance", "read bob.Balance"},
		{Go, "account.Balance -= amount + part", "computed"},
		{Go, "func (a *acct) pay(n int) { a.bal -= n }", "computed"},
		{Go, "payments++", "computed"},
		{Go, "v := idx[off]", "read idx[off]"},
		{Go, "w := off * 1 * n / 2", "computed"},
		{Go, "cut := amount * rate / 10", "computed"},
		{Go, "return cut", "read cut"},
		{Go, "return x, nil", "read x, literal nil"},
		{Go, "a, b = b, a", "read b, read a"},
		{Go, "p := &q", "read &q"},
		{Go, "part := fee(rates[\"high\"], amount)", "called fee"},
		{Go, "d := &Account{Owner: name, Balance: 1}", "part read name, part literal 1"},
		{Go, "xs := []int{n, 2}", "part read n, part literal 2"},
		{Go, "for i := 0; i < n; i++ {", "literal 0, computed"},
		{Go, "if p, ok := d.kept[article]; ok {\n\treturn p\n}", "read d.kept[article]"},
		{Go, "d := &Account{\n\tOwner: name,\n}", "part read name"},
		{Python, "with open(path) as f:\n    x = y", "computed"},
		{Go, "x = -n", "computed"},
		{Go, "x = <-c", "computed"},
		{Go, "x := f(a).b[0]", "called f of f(a).b[0]"},
		{Go, "items = append(items, item)", "called append"},
		{Go, "x = m[key+1]", "read m[key+1]"},
		{Python, "x = y", "read y"},
		{Python, "x = y if c else 2", "read y, literal 2"},
		{Python, "x = y or z", "read y, read z"},
		{Python, "x = not y", "computed"},
		{Python, "x = {'a': n, 'b': n * 2}", "part read n, part computed"},
		{Python, "x = [n for n in ns]", "part computed"},
		{Python, "x = f\"{n}\"", "computed"},
		{Python, "x = 'n'", "literal 'n'"},
		{Python, "x = a.b(c).d(e)", "called d"},
		{Python, "a = b = c", "read c"},
		{Python, "x = f(a=n)", "called f"},
		{Python, "x = await get(n)", "called get"},
		{Python, "x = yield n", "sent"},
		{Python, "x = yield", "sent"},
		{Python, "yield n", "read n"},
		{Python, "x = yield from get(n)", "computed"},
		{JavaScript, "const x = yield n;", "sent"},
		{JavaScript, "const x = yield* get(n);", "called get"},
		{Python, "x = short(n)", "called short"},
		{Python, "x = delete(move(n))", "called delete"},
		{JavaScript, "const x = short(n);", "called short"},
		{JavaScript, "const x = of(n, 2);", "called of"},
		{JavaScript, "for (const x of (ys)) {", "each of (ys)"},
		{Go, "x := match(n)", "called match"},
		{Java, "int x = match(n);", "called match"},
		{C, "x = match(n);", "called match"},
		{Rust, "let x = range(n);", "called range"},
		{Python, "return self.total", "read self.total"},
		{Python, "x = (\n    y\n)", "read y"},
		{Python, "x = y if a == b else z + 1", "read y, computed"},
		{JavaScript, "const x = a ?? b;", "read a, read b"},
		{JavaScript, "const x = c ? a : b;", "read a, read b"},
		{JavaScript, "const x = o.p?.q;", "read o.p?.q"},
		{JavaScript, "const f = (x) => x.y;", "read x.y"},
		{JavaScript, "const x = `${n}`;", "computed"},
		{JavaScript, "const x = new Item(n);", "called Item"},
		{JavaScript, "const o = { a: n, m };", "part read n, part read m"},
		{Java, "int part = (int) whole;", "read whole"},
		{Java, "List<Integer> got = find(2);", "called find"},
		{Java, "this.total = total;", "read total"},
		{Java, "for (final String argument : arguments) {\n\tuse(argument);\n}", "each of arguments"},
		{Java, "for (int i = 0; i < n; i++) {", "literal 0, computed"},
		{Java, "for (Item x : flag ? list : f(other[0])) {", "each of flag ? list : f(other[0])"},
		{Go, "for _, x := range s.items {", "each of s.items"},
		{Python, "for x in xs[1:]:", "each of xs[1:]"},
		{JavaScript, "for (const [k, v] of map.entries()) {", "each of map.entries()"},
		{Rust, "for x in &items {", "each of &items"},
		{C, "s.top->qty += 10;", "computed"},
		{C, "int v = p->x;", "read p->x"},
		{C, "int v = *p;", "read *p"},
		{C, "int v = a * p;", "computed"},
		{Rust, "let v = x as i64;", "read x"},
		{Rust, "let v = if c { a } else { b };", "computed"},
		{Rust, "let v = vec![a, b];", "called vec"},
		{Rust, "cut", "read cut"},
		{Rust, "let v = &self.items[i];", "read &self.items[i]"},
		{Rust, "let v = n + 1;", "computed"},
	} {
		var got []string
		for _, s := range c.language.Sources(c.statement) {
			text := map[SourceKind]string{Computed: "computed", Read: "read " + s.Text, Literal: "literal " + s.Text, Returned: "called " + s.Name, Element: "each of " + s.Text, Sent: "sent"}[s.Kind]
			if s.Taken && s.Kind == Returned {
				text += " of " + s.Text
			}
			if s.Part {
				text = "part " + text
			}
			got = append(got, text)
		}
		if text := strings.Join(got, ", "); text != c.want {
			t.Errorf("%s\ngot  %s\nwant %s", c.statement, text, c.want)
		}
	}
}

func TestArgumentsOfCalls(t *testing.T) {
	for _, c := range []struct {
		language            Language
		statement, function string
		want                string
	}{
		{Go, "part := fee(rates[\"high\"], amount)", "fee", "[:rates[\"high\"] :amount]"},
		{Go, "a.pay(n - 1)", "pay", "[:?n - 1]"},
		{Python, "x = f(g(a), b=n) + f(2)", "f", "[:?g(a) b:n] [:?2]"},
		{Python, "def f(a):", "f", ""},
		{Java, "return this.<Integer>take(n);", "take", "[:n]"},
		{Rust, "let x = take::<i32>(n);", "take", ""},
		{JavaScript, "worker.call(context, next.value)", "worker", "[:next.value]"},
	} {
		var calls []string
		for _, call := range c.language.Calls(c.statement, c.function) {
			var args []string
			for _, a := range call {
				text := a.Name + ":"
				for _, s := range a.Sources {
					if s.Kind != Read {
						text += "?"
					}
					text += s.Text
				}
				args = append(args, text)
			}
			calls = append(calls, fmt.Sprint(args))
		}
		if got := strings.Join(calls, " "); got != c.want {
			t.Errorf("%s: got %q, want %q", c.statement, got, c.want)
		}
	}
}
