package exprsyntax

import "testing"

// Types, casts, declarations, functions and the heads of functions are no values.
func TestShapes(t *testing.T) {
	for _, c := range []reading{
		{C, "std::string who = order.customer->name;", "order. order.customer. order.customer->name"},
		{C, "std::map<std::string, std::vector<int>> m = make(a->b);", "a. a->b make(a->b)!"},
		{C, "return static_cast<int>(row.at(column));", "row[] column row.at(column)!"},
		{C, "int twice = values.at(from + n) * 2;", "values[] from n from + n values.at(from + n)!"},
		{C, "std::thread t([&order] { x(order.y); });", "order. order.y x(order.y)!"},
		{C, "auto f = [](int a) -> int { return a; };", ""},
		{C, "const Node *n = list->next.get();", "list. list->next. list->next.get() list->next.get()!"},
		{C, "unsigned long x = (unsigned long)a / b;", "a b/"},
		{C, "int *p = (int *)q->r;", "q. q->r"},
		{C, "if (a < b && c > d) x = 1;", "a= b c= d"},
		{C, "for (const auto& [k, v] : m.at(key))", "m[] key m.at(key)!"},
		{C, "for (int i = 0; i < n->len; i++) total += v[i];", "i= n. n->len total v[] v[i]"},
		{C, "std::unique_ptr<Foo> p{new Foo(x->y)};", "x. x->y"},
		{C, "(*it)->run(a, b);", "it. (*it)->run() a b (*it)->run(a, b)!"},
		{C, "return rows[i][j]->value;", "rows[] i rows[i][] j rows[i][j]. rows[i][j]->value"},
		{C, "foo<int, 3>(a->b).c();", "a. a->b foo<int, 3>(a->b).! foo<int, 3>(a->b).c()!"},
		{C, "std::cout << cityOf(&order) << \"\\n\";", "order cityOf(&order)!"},
		{C, "throw std::runtime_error(\"an age of \" + std::to_string(age));", "age std::to_string(age)!"},
		{C, "EXPECT_EQ(add(2, 3), 6) << \"two\" << x;", "add(2, 3)!"},
		{C, "ASSERT_TRUE(basket.total() > 3);", "basket. basket.total() basket.total()=!"},
		{C, "REQUIRE(add(1, 2) == 4);", "add(1, 2)=!"},
		{C, "CHECK_EQ(add(1, 2), 4);", "add(1, 2)!"},
		{C, "if (n == 2) throw std::logic_error(\"the third run\");", "n="},
		{C, "char first = names[n][0];", "names[] n names[n][] names[n][0]"},
		{C, "static std::string cityOf(const Order* order) { return order->c->d; }", "order. order->c. order->c->d"},
		{C, "case 'a': return x->y;", "x. x->y"},
		{C, "std::vector<int>::iterator it = v.begin();", "v. v.begin() v.begin()!"},
		{C, "return *std::max_element(v.begin(), v.end());", "v. v.begin() v.begin()! v.end() v.end()! std::max_element(v.begin(), v.end())!"},
		{C, "Foo* f = dynamic_cast<Foo*>(base);", "base"},
		{C, "auto x = std::get<int>(v);", "v std::get<int>(v)!"},
		{C, "this->stock.at(item);", "this. this->stock[] item this->stock.at(item)!"},
		{C, "delete[] values;", "values"},
		{C, "int a[3] = {1, 2, x};", "x"},
		{C, "p->f(i)[j] %= k;", "p. p->f() i p->f(i)[]! j p->f(i)[j]! k"},
		{Rust, "let customer: &Customer = order.customer.as_ref().unwrap();", "order. order.customer. order.customer.as_ref().! order.customer.as_ref().unwrap()!"},
		{Rust, "let twice = values[from + n] * 2;", "values[] from n from + n values[from + n]"},
		{Rust, "&text[from..from + 3]", "text[] from from + 3 text[from..from + 3]"},
		{Rust, "let n: i32 = text.trim().parse::<i32>().unwrap();", "text. text.trim().! text.trim().parse::<i32>().! text.trim().parse::<i32>().unwrap()!"},
		{Rust, "fn pick(values: &[i32], i: usize) -> i32 { values[i] }", "values[] i values[i]"},
		{Rust, "self.items.iter().map(|(_, price)| doubled(*price)).sum()", "self. self.items. self.items.iter().! self.items.iter().map(|(_, price)| doubled(*price)).! self.items.iter().map(|(_, price)| doubled(*price)).sum()!"},
		{Rust, "assert_eq!(add(2, 3), 6, \"two and three\");", "add(2, 3)!"},
		{Rust, "assert!(\ntotal == 4 && !basket.items.is_empty(),\n\"the total of {} items\",\nbasket.items.len()\n);", "total= basket. basket.items. basket.items.is_empty()! basket.items.len()!"},
		{Rust, "let x = match order.customer { Some(ref c) => c.name.len(), None => panic!(\"none\") };", "order. order.customer c. c.name. c.name.len()!"},
		{Rust, "if let Some(x) = self.map.get(&key) {", "self. self.map[] key self.map.get(&key)!"},
		{Rust, "println!(\"{}\", self.orders[idx].id);", "self. self.orders[] idx self.orders[idx]. self.orders[idx].id"},
		{Rust, "let v: Vec<u32> = Vec::with_capacity(n as usize / m);", "n m/ Vec::with_capacity(n as usize / m)!"},
		{Rust, "let HashMap { a, b } = x.y;", "x. x.y"},
		{Rust, "order\n.customer\n.as_ref()\n.unwrap()\n.address\n.as_ref()\n.unwrap()", "order. order.customer. order.customer.as_ref().! order.customer.as_ref().unwrap().! order.customer.as_ref().unwrap().address.! order.customer.as_ref().unwrap().address.as_ref().! order.customer.as_ref().unwrap().address.as_ref().unwrap()!"},
		{Rust, "(*self).stock[item] * 2", "self. (*self).stock[] item (*self).stock[item]"},
		{Rust, "let &(a, b) = &pairs[i];", "pairs[] i pairs[i]"},
		{Rust, "let s = &mut self.rows[r][c];", "self. self.rows[] r self.rows[r][] c self.rows[r][c]"},
		{Rust, "x as i64 / y as i64", "x y/"},
		{Rust, "\"called\" => println!(\"{}\", shop.city_of(7)),", "shop. shop.city_of(7)!"},
		{Rust, "for (i, v) in self.items.iter().enumerate() {", "i v self. self.items. self.items.iter().! self.items.iter().enumerate()!"},
		{Rust, "let t = thread::spawn(move || both(&f, &s));", "thread::spawn(move || both(&f, &s))!"},
		{Rust, "vec![1; n / m]", "n m/"},
		{Rust, "panic!(\"an age of {age}\")", ""},
		{Rust, "let y = foo::<T>(a.b)?.c;", "a. a.b foo::<T>(a.b)! foo::<T>(a.b)?.c!"},
		{Rust, "format!(\"{}{}\", noise, order.id)", "noise order. order.id"},
		{Java, "List<String> names = order.getCustomer().names;", "order. order.getCustomer().! order.getCustomer().names!"},
		{Java, "Map<String, List<Integer>> m = new HashMap<>(other.size() / n);", "other. other.size()! n/"},
		{Java, "int n = (int) values[i + 1].total / d;", "values[] i i + 1 values[i + 1]. values[i + 1].total d/"},
		{Java, "names.stream().map(n -> n.length()).filter(x -> x > 2).toList();", "names. names.stream().! names.stream().map(n -> n.length()).! names.stream().map(n -> n.length()).filter(x -> x > 2).! names.stream().map(n -> n.length()).filter(x -> x > 2).toList()!"},
		{Java, "String s = a ? b.c : d.e.f;", "a b. b.c d. d.e. d.e.f"},
		{Java, "assertEquals(6, add(2, 3), \"sum\");", "add(2, 3)!"},
		{Java, "return list.get(index).name.charAt(at);", "list[] index list.get(index).! list.get(index).name[]! at list.get(index).name.charAt(at)!"},
		{Java, "for (Order o : customer.orders) {", "customer. customer.orders"},
		{Java, "throw new IllegalStateException(\"x\" + age);", "age"},
		{Java, "int[] a = new int[n / m];", "n m/"},
		{Java, "this.stock.get(item).intValue()", "this. this.stock[] item this.stock.get(item).! this.stock.get(item).intValue()!"},
		{Java, "Map.Entry<K, V> e = it.next();", "it. it.next()!"},
		{Java, "final String[] parts = text.split(\",\");", "text. text.split(\",\")!"},
		{Java, "switch (order.kind) {", "order. order.kind"},
		{Java, "String city = order.customer.address.city.toUpperCase();", "order. order.customer. order.customer.address. order.customer.address.city. order.customer.address.city.toUpperCase()!"},
		{Java, "synchronized (lock) {", "lock"},
		{Java, "var x = ((Order) o).id;", "o ((Order) o).id"},
		{Java, "names.forEach(System.out::println);", "names. System. names.forEach(System.out::println)!"},
		{Java, "return people == 0 ? 1 : total / people;", "people/ total"},
		{Java, "int share(int total, int people) { return total / people; }", "total people/"},
		{Java, "Optional<Integer> o = find(id).map(Order::id);", "id find(id).! find(id).map(Order::id)!"},
		{Java, "assertThat(basket.total()).isEqualTo(4);", "basket. basket.total()!"},
		{Java, "assertTrue(basket.total() > 4);", "basket. basket.total()=!"},
		{Java, "Assert.assertEquals(add(2, 3), 6);", "Assert. add(2, 3)!"},
	} {
		c.read(t)
	}
}

func TestBody(t *testing.T) {
	for _, c := range []struct {
		language Language
		line     string
		name     string
		want     string
	}{
		{Java, ".mapToInt(n -> n.length()) // sum", "n", "n.length()"},
		{Java, ".filter(x -> x.ok).map(y -> y.name.trim()).toList()", "y", "y.name.trim()"},
		{Java, "rows.sort((a, b) -> a.n - b.n);", "b", "a.n - b.n"},
		{Java, "Thread t = new Thread(() -> both(FIRST, SECOND), \"other\");", "", "both(FIRST, SECOND)"},
		{Java, "String s = a.b.c;", "a", "String s = a.b.c;"},
		{JavaScript, "return rows.map(r => r.price.cents)", "r", "r.price.cents"},
		{JavaScript, "rows.forEach(r => { use(r.n) })", "r", "use(r.n)"},
		{Rust, "self.items.iter().map(|(_, price)| doubled(*price)).sum()", "price", "doubled(*price)"},
		{C, "std::sort(v.begin(), v.end(), [](const P *a, const P *b) { return a->n < b->n; });", "a", "return a->n < b->n;"},
	} {
		if got := c.language.Body(c.line, func(name string) bool { return name == c.name }); got != c.want {
			t.Errorf("%s: %q", c.line, got)
		}
	}
}
