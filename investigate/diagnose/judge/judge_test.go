package judge

import (
	"strings"
	"testing"

	"aidb-mcp/internal/text/exprsyntax"
)

func TestVerdictOfStop(t *testing.T) {
	for _, c := range []struct {
		stop Stop
		want Verdict
	}{
		{Stop{Type: "panic", Message: "runtime error: invalid memory address or nil pointer dereference"}, Panic},
		{Stop{Type: "fatal error", Message: "all goroutines are asleep - deadlock!", Syntax: syntaxOf(exprsyntax.Go)}, Deadlock},
		{Stop{Type: "test failure", Message: "sum is 3", Testing: true}, TestFailure},
		{Stop{Type: "AssertionError", Message: "assert 750 == 700", Testing: true, Syntax: syntaxOf(exprsyntax.Python)}, TestFailure},
		{Stop{Type: "AssertionError", Message: "no such order", Syntax: syntaxOf(exprsyntax.Python)}, Exception},
		{Stop{Type: "AssertionFailedError", Message: "expected: <6> but was: <5>", Testing: true, Syntax: syntaxOf(exprsyntax.Java)}, TestFailure},
		{Stop{Type: "panic", Message: "assertion `left == right` failed: three", Testing: true, Syntax: syntaxOf(exprsyntax.Rust)}, TestFailure},
		{Stop{Type: "SIGSEGV", Message: "invalid address", Signal: true}, Signal},
		{Stop{Type: "Failed", Message: "DID NOT RAISE KeyError", Testing: true, Syntax: syntaxOf(exprsyntax.Python)}, TestFailure},
		{Stop{Type: "OperationalError", Message: "deadlock detected", Syntax: syntaxOf(exprsyntax.Python)}, Exception},
		{Stop{Type: "KeyError", Message: "'Tea'", Testing: true, Syntax: syntaxOf(exprsyntax.Python)}, Exception},
	} {
		if got := c.stop.Verdict(); got != c.want {
			t.Errorf("%+v is %s, want %s", c.stop, got, c.want)
		}
	}
}

// What stands in a function within a call is a statement of its own.
func TestStatementInABody(t *testing.T) {
	for _, lines := range []string{
		"std::thread t([&order] {\n  std::string who = order.name;\n  puts(who);\n});", "rows.forEach(r => {\n  use(r.n);\n  more();\n});", "thread::spawn(move || {\n  let n = a.b;\n  print(n);\n});",
	} {
		all := strings.Split(lines, "\n")
		if got := Statement(all, 1); got != strings.TrimSpace(all[1]) {
			t.Errorf("%q: %q", lines, got)
		}
	}
}

func TestStatement(t *testing.T) {
	lines := strings.Split(`func f() {
	x := total(
		a.b,
		c[i].d,
	)
	if x > 3 {
		y(x)
	}
	z := order.
		customer.
		name
}`, "\n")
	for at, want := range map[int]string{
		1: "x := total(\na.b,\nc[i].d,\n)",
		3: "x := total(\na.b,\nc[i].d,\n)",
		5: "if x > 3 {",
		6: "y(x)",
		0: "func f() {",
	} {
		if got := Statement(lines, at); got != want {
			t.Errorf("of line %d: %q, want %q", at, got, want)
		}
	}
	table := strings.Split("it.each([\n  [\"a\", 4],\n])(\"%s\", (name, want) => {\n  const o = { n: 2 };\n  expect(total(o)).toBe(want);\n});", "\n")
	if got := Statement(table, 4); got != "expect(total(o)).toBe(want);" {
		t.Errorf("in a body after a table: %q", got)
	}
	chain := strings.Split("rows\n    .filter(r => r.ok)\n    .map(r => r.n)\nnext()", "\n")
	if got := Statement(chain, 1); got != "rows\n.filter(r => r.ok)\n.map(r => r.n)" {
		t.Errorf("a chain: %q", got)
	}
}

// valued gives the parts of a statement their values.
func valued(l exprsyntax.Language, code string, values map[string]string) []Part {
	var list []Part
	for _, p := range l.Parts(code) {
		v, there := values[p.Text]
		part := Part{Part: p, Value: v}
		if !there {
			part.Missing = "unknown"
		}
		if n := strings.Count(v, ","); strings.HasPrefix(v, "[") {
			part.Count, part.Counted = n+1, true
		}
		list = append(list, part)
	}
	return list
}

func TestCulprit(t *testing.T) {
	for _, c := range []struct {
		language exprsyntax.Language
		stop     Stop
		code     string
		values   map[string]string
		want     string
	}{
		{exprsyntax.Python, Stop{Type: "AttributeError", Message: "'NoneType' object has no attribute 'city'"}, "return order.customer.address.city",
			map[string]string{"order": "<Order>", "order.customer": "<C>", "order.customer.address": "None"}, "order.customer.address"},
		{exprsyntax.JavaScript, Stop{Type: "TypeError", Message: "Cannot read properties of undefined (reading 'city')"}, "const c = order.customer.city + order.note",
			map[string]string{"order": "{…}", "order.customer": "undefined", "order.note": "undefined"}, "order.customer"},
		{exprsyntax.JavaScript, Stop{Type: "TypeError", Message: "Cannot read properties of undefined (reading 'split')"}, "this.build = m[5].split('.')",
			map[string]string{"this": "undefined", "m": "(6) [...]", "m[5]": "undefined"}, "m[5]"},
		{exprsyntax.JavaScript, Stop{Type: "TypeError", Message: "order.pay is not a function"}, "order.pay(sum)",
			map[string]string{"order": "{…}", "order.pay": "undefined", "sum": "3"}, "order.pay"},
		{exprsyntax.Go, Stop{Type: "test failure", Message: "TestTotal: total is -1", Testing: true}, `t.Errorf("total is %d", got)`,
			map[string]string{"got": "-1"}, ""}, // it is only told
		{exprsyntax.JavaScript, Stop{Type: "TypeError", Message: "items is not iterable"}, "for (const item of items) {",
			map[string]string{"item": "undefined", "items": "undefined"}, "items"},
		{exprsyntax.Java, Stop{Type: "NullPointerException", Message: `Cannot read field "city" because "order.customer" is null`}, "String c = order.customer.city;",
			map[string]string{"order": "{…}", "order.customer": "null"}, "order.customer"},
		{exprsyntax.C, Stop{Type: "SIGSEGV", Signal: true, Message: "invalid address (fault address: 0x8)"}, "int x = list->head->value;",
			map[string]string{"list": "0x7ffe1", "list->head": "0x0"}, "list->head"},
		{exprsyntax.Python, Stop{Type: "IndexError", Message: "list index out of range"}, "x = rows[i + 1].n",
			map[string]string{"rows": "[1, 2]", "i": "1", "i + 1": "2"}, "i + 1"},
		{exprsyntax.Go, Stop{Type: "panic", Message: "runtime error: index out of range [5] with length 3"}, "return values[i]",
			map[string]string{"values": "[1,2,3]", "i": "5"}, "i"},
		{exprsyntax.Python, Stop{Type: "KeyError", Message: "'Tea'"}, "cents = menu[item] * rates[code]",
			map[string]string{"menu": "{…}", "item": "'Tea'", "rates": "{…}", "code": "'x'"}, "item"},
		{exprsyntax.Python, Stop{Type: "KeyError", Message: "'nam'"}, `self.name = self.options["nam"] + rates["x"]`,
			map[string]string{"self": "<Setup>", "self.options": "{'name': 1}", "rates": "{}"}, "self.options"},
		{exprsyntax.Python, Stop{Type: "IndexError", Message: "tuple index out of range"}, `return path.rpartition(".")[3]`,
			map[string]string{"path": "'a.b'"}, `path.rpartition(".")`},
		{exprsyntax.Python, Stop{Type: "IndexError", Message: "pop from empty list"}, `return path.split(".")[queue.pop()]`,
			map[string]string{"path": "'a.b'", "queue": "[]"}, ""},
		{exprsyntax.Go, Stop{Type: "panic", Message: "runtime error: index out of range [4] with length 4 [recovered, repanicked]"}, "return str[len(str)]",
			map[string]string{"str": `"hola"`}, "len(str)"},
		{exprsyntax.Go, Stop{Type: "panic", Message: "runtime error: index out of range [4] with length 4"}, "return table[row(a)][column(b)]", nil, ""},
		{exprsyntax.Java, Stop{Type: "ArithmeticException", Message: "/ by zero"}, "int r = total / count;",
			map[string]string{"total": "4", "count": "0"}, "count"},
		{exprsyntax.Python, Stop{Type: "AssertionError", Message: "assert 750 == 700", Testing: true}, "assert cart.total(prices) == 700",
			map[string]string{"cart": "<Cart>", "prices": "{}"}, "cart.total(prices)"},
		{exprsyntax.Java, Stop{Type: "AssertionFailedError", Message: "expected: <6> but was: <5>", Testing: true}, "assertEquals(6, calc.add(2, 3));",
			map[string]string{"calc": "{}"}, "calc.add(2, 3)"},
		{exprsyntax.Python, Stop{Type: "AttributeError", Message: "'NoneType' object has no attribute 'n'"}, "return find(rows, key).n",
			map[string]string{"rows": "[1]", "key": "3"}, "find(rows, key)"},
		{exprsyntax.C, Stop{Type: "std::out_of_range", Message: "map::at"}, "return stock.at(item) * 2;",
			map[string]string{"stock": "size=2 {…}", "item": `"honey"`}, "item"},
		{exprsyntax.C, Stop{Type: "std::out_of_range", Message: "vector::_M_range_check: __n (which is 5) >= this->size() (which is 3)"}, "int twice = values.at(from + n) * 2;",
			map[string]string{"values": "[1,2,3]", "from": "2", "n": "3", "from + n": "5"}, "from + n"},
		{exprsyntax.C, Stop{Type: "std::bad_optional_access", Message: "bad optional access"}, "return ages.at(who).value() + 1;",
			map[string]string{"ages": "size=2 {…}", "who": `"bob"`}, "ages.at(who)"},
		{exprsyntax.C, Stop{Type: "SIGABRT", Signal: true, Message: "shop: shop.c:7: main: Assertion `o.id == 8' failed."}, "assert(o.id == 8);",
			map[string]string{"o": "{…}", "o.id": "7"}, "o.id"},
		{exprsyntax.Java, Stop{Type: "IndexOutOfBoundsException", Message: "Index 5 out of bounds for length 3"}, "return names.get(at + 1).trim();",
			map[string]string{"names": "[a,b,c]", "at": "4", "at + 1": "5"}, "at + 1"},
		{exprsyntax.Rust, Stop{Type: "panic", Message: "called `Option::unwrap()` on a `None` value"}, "let a = customer.address.as_ref().unwrap();",
			map[string]string{"customer": "Customer {…}", "customer.address": "None"}, "customer.address"},
		{exprsyntax.Rust, Stop{Type: "panic", Message: "an address", Statement: `.expect("an address")`}, `let a = customer.address.as_ref().expect("an address");`,
			map[string]string{"customer": "Customer {…}", "customer.address": "None"}, "customer.address"},
		{exprsyntax.Rust, Stop{Type: "panic", Message: "called `Option::unwrap()` on a `None` value"}, "order\n.customer\n.as_ref() // yes\n.unwrap()\n.address\n.as_ref()\n.unwrap()",
			map[string]string{"order": "Order {…}", "order.customer": "Some(…)"}, "order.customer.as_ref().unwrap().address.as_ref()"},
		{exprsyntax.Rust, Stop{Type: "panic", Message: "called `Option::unwrap()` on a `None` value"}, "let n = order.customer.take().unwrap().address.take().unwrap();",
			map[string]string{"order": "Order {…}", "order.customer": "None"}, ""}, // the first of them has emptied it
		{exprsyntax.Rust, Stop{Type: "panic", Message: "called `Option::unwrap()` on a `None` value"}, "let c = order.customer.take().unwrap();",
			map[string]string{"order": "Order {…}", "order.customer": "None"}, "order.customer"},
		{exprsyntax.Rust, Stop{Type: "panic", Message: "called `Result::unwrap()` on an `Err` value: ParseIntError { kind: InvalidDigit }"}, "let n: i32 = text.trim().parse().unwrap();",
			map[string]string{"text": `" 12x "`}, "text.trim().parse()"},
		{exprsyntax.Rust, Stop{Type: "panic", Message: "end byte index 5 is out of bounds of `abcd`"}, "&text[from..from + 3]",
			map[string]string{"text": `"abcd"`, "from": "2", "from + 3": "5"}, "from + 3"},
		{exprsyntax.Java, Stop{Type: "StringIndexOutOfBoundsException", Message: "String index out of range: 5"}, "return word.charAt(at);",
			map[string]string{"word": `"abc"`, "at": "5"}, "at"},
		{exprsyntax.Java, Stop{Type: "NoSuchElementException", Message: "No value present"}, "return name.get().trim();",
			map[string]string{"name": "Optional.empty"}, "name"},
		{exprsyntax.Java, Stop{Type: "NullPointerException", Message: `Cannot invoke "Shop$Order.getCustomer()" because the return value of "Shop.find(String)" is null`},
			"return find(id).getCustomer().getAddress().number();", map[string]string{"id": `"o1"`}, "find(id)"},
		{exprsyntax.Java, Stop{Type: "NullPointerException", Message: `Cannot invoke "java.lang.Integer.intValue()" because the return value of "java.util.Map.get(Object)" is null`},
			"int had = stock.get(item);", map[string]string{"stock": "HashMap(1)", "item": `"honey"`}, "stock.get(item)"},
		{exprsyntax.Java, Stop{Type: "CompletionException", Message: `java.lang.NullPointerException: Cannot read field "name" because "order.customer" is null`},
			"CompletableFuture.supplyAsync(() -> order.customer.name).join();", nil, ""},
		{exprsyntax.Rust, Stop{Type: "panic", Message: "called `Option::unwrap()` on a `None` value"}, "let name = order.customer.unwrap().name;", nil, "order.customer"},
		{exprsyntax.Python, Stop{Type: "ValueError", Message: "bad"}, "raise ValueError(x)", map[string]string{"x": "3"}, ""},
	} {
		parts := valued(c.language, c.code, c.values)
		at, _ := Culprit(known(c.language, c.stop, c.code), parts)
		got := ""
		if at >= 0 {
			got = parts[at].Text
		}
		if got != c.want {
			t.Errorf("%s: the culprit is %q, want %q of %+v", c.code, got, c.want, parts)
		}
	}
}

func TestHang(t *testing.T) {
	lock := Thread{Waiting: "a lock (threading)", At: "a.py:3"}
	endless := Thread{Waiting: "a lock (threading)", At: "a.py:3", Endless: true}
	sleep := Thread{Waiting: "sleep", At: "a.py:4"}
	works := Thread{At: "a.py:5"}
	for _, c := range []struct {
		sample Sample
		load   Load
		told   bool
		want   Verdict
	}{
		{Sample{lock, lock}, Load{Share: 0, Known: true}, false, Deadlock},
		{Sample{lock, lock}, Load{Share: 0, Known: true}, true, Blocked}, // each for a while only
		{Sample{endless, endless}, Load{Share: 0, Known: true}, true, Deadlock},
		{Sample{endless, lock}, Load{Share: 0, Known: true}, true, Blocked},
		{Sample{lock, sleep}, Load{Share: 0, Known: true}, false, Blocked},
		{Sample{works, lock}, Load{Share: 0.99, Known: true}, false, Cut},
		{Sample{works}, Load{Share: 0.01, Known: true}, false, Blocked},
		{Sample{works, lock}, Load{}, false, Cut},
		{Sample{endless, lock}, Load{Share: 0.9, Known: true}, true, Cut},                 // by a thread that is not seen
		{Sample{endless, lock}, Load{Share: 0.9, Known: true, Idle: true}, true, Blocked}, // by the runtime's timers
		{Sample{endless, endless}, Load{Share: 0.9, Known: true, Idle: true}, true, Deadlock},
		{Sample{endless, works}, Load{Share: 0.9, Known: true, Idle: true}, true, Cut},
	} {
		if got := HangOf([]Sample{c.sample, c.sample}, c.load, c.told); got != c.want {
			t.Errorf("%+v at %+v is %s, want %s", c.sample, c.load, got, c.want)
		}
	}
}

func TestDepends(t *testing.T) {
	split := exprsyntax.Python.Parts
	before := []string{"rate = table[code]", "noise = other + 1", "price = base * rate", "log(noise)"}
	got := Depends(split("total = price / n"), before, split)
	for _, name := range []string{"price", "n", "base", "rate", "table", "code"} {
		if !got[name] {
			t.Errorf("%s is missing of %v", name, got)
		}
	}
	if got["noise"] || got["other"] {
		t.Errorf("it does not depend on noise: %v", got)
	}
}
