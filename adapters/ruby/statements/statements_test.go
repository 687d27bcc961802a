package statements

import (
	"fmt"
	"strings"
	"testing"

	"aidb-mcp/internal/text/exprsyntax"
)

// Each source is written with what it is: "read n", "called f of", "part read n".
func TestSources(t *testing.T) {
	for statement, want := range map[string]string{
		"left = bob.balance":                "called balance",
		"@x = @y":                           "read @y",
		"x = y":                             "called y",
		"x, y = 1, z":                       "literal 1, called z",
		"a, b = b, a":                       "called b, called a",
		"x = y if z":                        "called y",
		"return @total unless done?":        "read @total",
		"x = a ? b : 2":                     "called b, literal 2",
		"x = a || @b":                       "called a, read @b",
		"x ||= @b":                          "called x, read @b",
		"x += 1":                            "computed",
		"cut = amount * rate / 10":          "computed",
		`part = fee(rates["high"], amount)`: "called fee",
		`part = fee rates[:high], amount`:   "called fee",
		`x = rates["high"]`:                 `read rates["high"]`,
		"x = f(a).b[0]":                     "called f of f(a).b[0]",
		"x = [y, 2]":                        "part called y, part literal 2",
		"x = {a: y, 'b' => @z}":             "part called y, part read @z",
		"x = Account.new(name, 100)":        "called Account",
		"list << item":                      "called <<",
		"list.push(item)":                   "called push",
		"x = items.map { |i| i * 2 }":       "called map",
		"x = items.map do |i|\n  i * 2":     "called map",
		"x = 'a'":                           "literal 'a'",
		`x = "a#{b}"`:                       "computed",
		"x = -1":                            "literal -1",
		"x = -y":                            "computed",
		"x = :a":                            "literal :a",
		"x = %w[a b]":                       "literal %w[a b]",
		"x = Shop::RATES":                   "read Shop::RATES",
		"x = @a&.b":                         "called b",
		"for x in items":                    "each of items",
		"if a == b\n  c = d":                "computed",
		"while (line = gets_line)":          "called gets_line",
		"@x":                                "read @x",
		"x = a = @b":                        "read @b",
		"x = (y)":                           "called y",
		"x = foo(\n  y,\n  z\n)":            "called foo",
		"x = a\n  .b\n  .c":                 "called c",
		"x = <<~TEXT\n  a\nTEXT":            "",
		"x = ->(y) { y }":                   "computed",
		"total = items.sum(&:price)":        "called sum",
		"x = y rescue nil":                  "called y, literal nil",
		"x = not_found ? nil : found":       "literal nil, called found",
		"x = a/b":                           "computed",
		"x = text =~ /a b/":                 "computed",
	} {
		var got []string
		for _, s := range (Language{}).Sources(statement) {
			text := map[exprsyntax.SourceKind]string{exprsyntax.Computed: "computed", exprsyntax.Read: "read " + s.Text, exprsyntax.Literal: "literal " + s.Text,
				exprsyntax.Returned: "called " + s.Name, exprsyntax.Element: "each of " + s.Text}[s.Kind]
			if s.Taken && s.Kind == exprsyntax.Returned {
				text += " of " + s.Text
			}
			if s.Part {
				text = "part " + text
			}
			got = append(got, text)
		}
		if text := strings.Join(got, ", "); text != want {
			t.Errorf("%s\ngot  %s\nwant %s", statement, text, want)
		}
	}
}

func TestArgumentsOfCalls(t *testing.T) {
	for _, c := range []struct{ statement, function, want string }{
		{`part = fee(rates["high"], amount)`, "fee", `[:rates["high"] :amount]`},
		{"x = f(g(a), b: n) + f(2)", "f", "[:g(a) b:n] [:2]"},
		{"book.pay name, i * 10", "pay", "[:name :i * 10]"},
		{"dan = Account.new('dan', 1)", "Account", "[:'dan' :1]"},
		{"bob.balance = left", "balance", "[:left]"},
		{"pay(n) if owes?(n)", "owes?", "[:n]"},
		{"f", "f", ""},
	} {
		var calls []string
		for _, call := range (Language{}).Calls(c.statement, c.function) {
			var args []string
			for _, a := range call {
				text := a.Name + ":"
				for _, s := range a.Sources {
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

func TestParts(t *testing.T) {
	for statement, want := range map[string]string{
		"return order.customer.address.city":  "order. order.customer. order.customer.address. order.customer.address.city",
		"x = items[i].price / n":              "items[] i items[i]. items[i].price. n/",
		"total[key] += rates[code] * 2":       "rates[] code rates[code]. total[] key",
		"@cache[key] = find(a, 1)":            "a find(a, 1)! @cache[] key",
		"raise ArgumentError, \"no #{name}\"": "name",
		"assert_equal 700, cart.total":        "cart. cart.total assert_equal 700, cart.total!",
		"if not a and @b.nil?":                "a @b. @b.nil?",
		"x = y if @z > 3":                     "@z= y",
		"prices.fetch(shift) * 2":             "prices[] shift prices.fetch(shift).!",
		"RATES[code]":                         "RATES[] code RATES[code]",
		"sum += product":                      "sum. product",
		"@size -= 1":                          "@size.",
		"puts total":                          "total",
		"when String then @a[k].b":            "@a[] k @a[k]. @a[k].b",
		"in {a: String => s} then s.b":        "s. s.b",
		"if x then @a.b else y end":           "x @a. @a.b y",
		"else @a.b":                           "@a. @a.b",
		"x = items.map { |i| i.name }":        "items. items.map { |i| i.name }!",
	} {
		var got []string
		for _, p := range Parts(statement) {
			mark := map[exprsyntax.Use]string{exprsyntax.Opened: ".", exprsyntax.Indexed: "[]", exprsyntax.Divides: "/", exprsyntax.Called: "()", exprsyntax.Compared: "="}[p.Use]
			if p.Calls {
				mark += "!"
			}
			got = append(got, p.Text+mark)
		}
		if text := strings.Join(got, " "); text != want {
			t.Errorf("%s\n got %s\nwant %s", statement, text, want)
		}
	}
}

func TestReads(t *testing.T) {
	for text, want := range map[string]string{
		"x": "", "@x": "", "x[0]": "", "x + 1 > @y": "", `h["a"]`: "", "!x": "", "[x, 1]": "", `"a#{x}"`: exprsyntax.ErrCalls.Error(), "@prices[0]": "", "Shop::LIMIT": "", "a && !b": "", ":name": "", "%x(ls)": exprsyntax.ErrStatement.Error(), "a ? b : c": "", "x == nil": "", "self": "",
		"twice (n)": exprsyntax.ErrCalls.Error(), "twice\t(n)": exprsyntax.ErrCalls.Error(), "n (1 + 2)": exprsyntax.ErrCalls.Error(), "@a (1)": exprsyntax.ErrStatement.Error(), "ready?": exprsyntax.ErrCalls.Error(), "twice n": exprsyntax.ErrCalls.Error(), "!(n)": "", "(n)": "", "n + (1)": "", "f ({})": exprsyntax.ErrCalls.Error(),
		"x.size": "", "list.size > 3": "", "x.include?(y)": "", "x.pop": exprsyntax.ErrMayCall.Error(), "x.total": exprsyntax.ErrMayCall.Error(), `x.rows["(a)"]`: exprsyntax.ErrMayCall.Error(), "x[(i)].n": exprsyntax.ErrMayCall.Error(), "f(x).n": exprsyntax.ErrCalls.Error(), "x[f(i)].n": exprsyntax.ErrCalls.Error(), "x.total.pay(1)": exprsyntax.ErrCalls.Error(), "f(1)": exprsyntax.ErrCalls.Error(), "f 1": exprsyntax.ErrCalls.Error(), "x.map { |y| y }": exprsyntax.ErrCalls.Error(), "gets": exprsyntax.ErrCalls.Error(), "save!": exprsyntax.ErrCalls.Error(),
		"x = 1": exprsyntax.ErrAssigns.Error(), "x << 1": exprsyntax.ErrAssigns.Error(), "x += 1": exprsyntax.ErrAssigns.Error(), "a[1] = 2": exprsyntax.ErrAssigns.Error(),
		"x; y": exprsyntax.ErrStatement.Error(), "": "it is empty", "x if y": exprsyntax.ErrStatement.Error(), "def f; end": exprsyntax.ErrStatement.Error(), "`ls`": exprsyntax.ErrCalls.Error(),
	} {
		got := ""
		if err := Reads(text); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%s: got %q, want %q", text, got, want)
		}
	}
}

// What comes from users' files must end, and name only what stands there.
func FuzzParts(f *testing.F) {
	f.Add("a.b[c](d) = e ? f : {g: h}")
	f.Add(`x = "a#{b["c"]}" if y.z? do |q|`)
	f.Fuzz(func(t *testing.T, text string) {
		for _, p := range Parts(text) {
			if p.Text == "" {
				t.Errorf("%q has an empty part", text)
			}
		}
		_ = (Language{}).Sources(text)
		_ = Reads(text)
	})
}
