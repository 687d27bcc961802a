package exprsyntax

import (
	"strings"
	"testing"
)

// reading is a statement with the parts that it should have: what is opened with a dot
// behind it, and so on.
type reading struct {
	language Language
	code     string
	want     string
}

func TestParts(t *testing.T) {
	for _, c := range []reading{
		{Python, "return order.customer.address.city", "order. order.customer. order.customer.address. order.customer.address.city"},
		{Python, "x = items[i].price / n", "items[] i items[i]. items[i].price n/"},
		{Python, "total[key] += rates[code] * 2", "rates[] code rates[code] total[] key total[key]"},
		{Python, "self.cache[key] = find(a.b, 1).name", "a. a.b find(a.b, 1).! find(a.b, 1).name! self. self.cache[] key"},
		{Python, "assert cart.total(prices) == 700, 'no'", "cart. cart.total() prices cart.total(prices)=!"},
		{Python, "if not a and b.c is None:  # d", "a b. b.c"},
		{Python, "return [x.y for x in rows]", "x. x.y rows"},
		{Python, "f = sorted(rows, key=lambda r: r.n)", "rows key sorted(rows, key=lambda r: r.n)!"},
		{Python, `print(f"{a.b} {c[0]:>5}", d)`, "a. a.b c[] c[0] d print(f\"{a.b} {c[0]:>5}\", d)!"},
		{Python, `raise KeyError("x" + name)`, `name KeyError("x" + name)!`},
		{JavaScript, "const city = order.customer?.address.city;", "order. order.customer order.customer?.address. order.customer?.address.city"},
		{JavaScript, "rows.map(r => r.price)", "rows. rows.map() rows.map(r => r.price)!"},
		{JavaScript, "expect(cart.total).toBe(3)", "cart. cart.total expect(cart.total).! expect(cart.total).toBe(3)!"},
		{JavaScript, "const { a, b } = state.user", "state. state.user"},
		{JavaScript, "return `${a.b} of ${n}`", "a. a.b n"},
		{JavaScript, "user!.name.length", "user!. user!.name. user!.name.length"},
		{Java, "String city = order.customer.address.city;", "order. order.customer. order.customer.address. order.customer.address.city"},
		{Java, "Order o = new Order(items.get(i), (long) n);", "items[] i items.get(i)! n"},
		{Java, "int r = total / count;", "total count/"},
		{C, "int x = list->head->value;", "list. list->head. list->head->value"},
		{C, "*p = q[i] % n;", "p. q[] i q[i] n/"},
		{C, "std::string s = names.at(i);", "names[] i names.at(i)!"},
		{Rust, "let x = self.items[i].price.unwrap();", "self. self.items[] i self.items[i]. self.items[i].price. self.items[i].price.unwrap()!"},
		{Rust, "assert_eq!(cost, 80, \"three\");", "cost"},
		{Rust, "let n = parse(text)?.len();", "text parse(text)! parse(text)?.len()!"},
		{Go, "sum += product.Cents", "sum product. product.Cents"},
		{Go, "return total / len(values)", "total values len(values)/"},
		{Go, "if x.(int) != 3 {", "x. x.(int)="},
		{Go, "switch v := x.(type) {", "x."},
		{Go, "n := v.(*T).m[k]", "v. v.(*T). v.(*T).m[] k v.(*T).m[k]"},
		{Go, "x := m[key].name", "m[] key m[key]. m[key].name"},
		{Go, "if v, ok := find(k); ok && v.n > 3 {", "k find(k)! ok v. v.n="},
		{Go, "go func() { a.b() }()", ""},
		{Go, "for i, x := range c.rows {", "c. c.rows"},
		{JavaScript, "for (const item of items) {", "items"},
		{JavaScript, "for await (const { a, b } of rows.all) {", "rows. rows.all"},
		{JavaScript, "for (let i = 0; i < n; i++) {", "i= n"},
		{Python, "for name, count in self.items:", "self. self.items"},
		{Python, "async for (a, b) in rows:", "rows"},
		{Python, "for a.b[c] in rows: print(a)", "rows a print(a)!"},
		{Rust, "for x in self.rows.iter() {", "self. self.rows. self.rows.iter()!"},
		{Java, "for (Order o : orders) {", "orders"},
		{C, "for (auto& [k, v] : m) {", "m"},
	} {
		c.read(t)
	}
}

func (c reading) read(t *testing.T) {
	t.Helper()
	var got []string
	for _, p := range c.language.Parts(c.code) {
		mark := map[Use]string{Opened: ".", Indexed: "[]", Divides: "/", Called: "()", Compared: "="}[p.Use]
		if p.Calls {
			mark += "!"
		}
		got = append(got, p.Text+mark)
	}
	if strings.Join(got, " ") != c.want {
		t.Errorf("%s\n got %s\nwant %s", c.code, strings.Join(got, " "), c.want)
	}
}

func squeezed(text string) string { return strings.Join(strings.Fields(text), "") }

func FuzzParts(f *testing.F) {
	f.Add("a.b[c](d) = e ? f : {g: h}")
	f.Fuzz(func(t *testing.T, text string) {
		for _, l := range []Language{C, Rust, Java, JavaScript, Python} {
			for _, p := range l.Parts(text) {
				if p.Text == "" || !strings.Contains(squeezed(text), squeezed(p.Text)) {
					t.Errorf("%q has a part %q", text, p.Text)
				}
			}
		}
	})
}
