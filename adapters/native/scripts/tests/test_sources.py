import os
import tempfile
import unittest

from aidb import names
from aidb.cpp.expression import TOKEN
from aidb.record import common, source, unset


class Functions(unittest.TestCase):
    def test_means(self):
        for wanted, name in (
            ("price", "shop::Cart::price"), ("Cart::price", "shop::Cart::price"), ("crate::price", "price"), ("shop::price", "shop::price<i32>"),
            ("Cart::add", "shop::Cart<T>::add"), ("Priced::price", "<shop::Item as shop::Priced>::price"), ("Item::price", "<shop::Item as shop::Priced>::price"),
            ("operator==", "shop::operator==(shop::Item const&, shop::Item const&)"), ("std::vec::Vec::push", "alloc::vec::Vec<i32>::push"),
            ("f", "(anonymous namespace)::f(int)"),
        ):
            with self.subTest(name):
                self.assertTrue(names.means(wanted, name))

    def test_means_another(self):
        for wanted, name in (("rice", "shop::price"), ("Cart::price", "shop::price"), ("price", "shop::price::inner")):
            with self.subTest(name):
                self.assertFalse(names.means(wanted, name))

    def test_within_another(self):
        for name, path in (
            ("Shop::total(std::vector<int> const&)::'lambda'(auto const&)::operator()<int>(int const&) const", "Shop::total::'lambda'"),
            ("main::{lambda(long)#1}::operator()(long) const", "main::'lambda'"), ("main()::<lambda(const auto:12&)> [with auto:12 = int]", "main::'lambda'"),
            ("f(int) const::Local::g(void (*)(int))", "f::Local::g"), ("f(int (*)(char))", "f"), ("A::operator()(int) const", "A::operator()"),
        ):
            with self.subTest(name):
                self.assertEqual(common.joined(name), path)

    def test_templates(self):
        for name, want in (
            ("int json<std::map>::get_impl<int, (std::enable_if<(is_same<int>::value && !(4 > 3)), int>::type)0, nullptr>(int) const", "json::get_impl"),
            ("std::enable_if<(sizeof(int)<4), int>::type ns::g<int>(int)", "ns::g"),
            ("decltype (((std::declval<json<std::map> const&>)()).get<int>((tag<4u>)({}))) json<std::map>::get<int, int>() const", "json::get"),
            ("decltype(auto) ns::f<int>(int)", "ns::f"),
            ("bool operator< <int>(S<int> const&, S<int> const&)", "operator<"),
            ("std::ostream& ns::operator<< <int>(std::ostream&, int)", "ns::operator<<"),
            ("bool ns::operator==<int>(S const&, S const&)", "ns::operator=="),
            ("A<&A::operator->>::g()", "A::g"),
            ("A<int>::operator()<int>(int)", "A::operator()"),
            ("A::operator bool() const", "A::operator bool"),
        ):
            with self.subTest(name):
                self.assertEqual(["::".join(p) for p in names.paths(name)], [want])

    def test_plain(self):
        self.assertEqual(names.plain("shop::price::h0123456789abcdef"), "shop::price")
        self.assertEqual(names.plain("_$LT$shop..Item$u20$as$u20$shop..Priced$GT$::price"), "<shop::Item as shop::Priced>::price")
        self.assertEqual(names.plain("name[abi:cxx11]"), "name")

    def test_test_of(self):
        self.assertEqual(names.test_of("Shop_Buys_Test::TestBody()"), "Shop.Buys")
        self.assertEqual(names.test_of("main"), "")


class Statements(unittest.TestCase):
    def test_parts(self):
        for text, want in (
            ("int n = a + b;", ("int n", False, "a + b")), ("total += price(x);", ("total", True, "price(x)")), ("n++;", ("n", True, "")),
            ("return a == b;", ("", False, "a == b")),
        ):
            self.assertEqual(source.parts(text), want)

    def test_operands(self):
        self.assertEqual(source.operands('a.b[i] + f(c) + "x = y"'), ["a.b[i]", "i", "f(c)", "c"])

    def test_called(self):
        self.assertEqual(source.called('if (f(x) && g::h("k(1)")) return i;'), ["f", "g::h"])

    def test_segment(self):
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "a.c")
            with open(file, "w", encoding="utf-8") as f:
                f.write('a(";"); b = 2; for (i = 0; i < n; i++) c(i);\n')
            self.assertEqual([source.segment(file, 1, column) for column in (1, 9, 16)], [0, 1, 2])
            self.assertTrue(source.several(file, 1))
            self.assertEqual(source.loop_body(file, 1), 39)

    def test_malformed(self):
        for text, why in (("", "it is empty"), ("a + ", "it ends in +"), ("f(a", "( is not closed"), ("a)", ") closes nothing"), ("a[1] + b", "")):
            self.assertEqual(source.malformed(text, TOKEN), why)


class Instructions(unittest.TestCase):
    def test_returns(self):
        self.assertTrue(common.returns(b"\xf3\xc3"))
        self.assertFalse(common.returns(b"\x90"))

    def test_jumps(self):
        self.assertEqual(common.jumps_to(0x100, b"\xeb\xfe"), 0x100)
        self.assertEqual(common.jumps_to(0x100, b"\x0f\x84\x10\0\0\0"), 0x116)
        self.assertIsNone(common.jumps_to(0x100, b"\xff\xe0"))

    def test_loops_of_a_line(self):
        code = [(0, "mov"), (4, "cmp"), (8, "jne 0x4"), (10, "ret")]
        self.assertEqual(common.rounds([(0, 12)], code), [(4, 10)])

    def test_what_a_statement_changes_beside(self):
        for chain, changed, leads in (("n->next", ["n"], True), ("n", ["n"], False), ("m->n", ["n"], False), ("table[i]", ["i"], True), ("index", ["i"], False)):
            self.assertEqual(source.leads_through(chain, changed), leads)
        for chain, text, stepped in (("p", "*p++", True), ("n", "--n + 1", True), ("p", "p + 1", False), ("p", "a.p++", False), ("k", "out[k++]", True)):
            self.assertEqual(source.is_stepped(chain, text), stepped)

    def test_is_statement(self):
        for text, expected in (("n = 3;", True), ("}", False), ("", False), ("// n = 3", False), ("#[inline]", False), ("} else {", True), ("});", False)):
            with self.subTest(text), tempfile.NamedTemporaryFile("w", suffix=".rs") as f:
                f.write(text + "\n")
                f.flush()
                self.assertEqual(source.is_statement(f.name, 1), expected)

    def test_goes_round(self):
        for text, expected in (
            ("for (; b != e; ++b) acc += *b;", True), ("do n--; while (n);", True), ("EACH(i, 3) n += i;", True), ("list_for_each(p, head) n++;", True),
            ("again: if (n--) goto again;", True),
            ('std::vector<std::string> names = {"for", "b"};', False), ("std::string rows[4];", False), ("delete[] rows;", False), ("formal = total(rows);", False),
        ):
            with self.subTest(text), tempfile.NamedTemporaryFile("w", suffix=".cpp") as f:
                f.write(text + "\n")
                f.flush()
                self.assertEqual(source.goes_round(f.name, 1), expected)

    def test_declarators(self):
        for text, declared in (
            ("struct node c = {30, 0}, b = {20, &c};", [("c", "{30, 0}"), ("b", "{20, &c}")]), ("const char *p = f(a, b), *q = p;", [("p", "f(a, b)"), ("q", "p")]),
            ("std::vector<int> v = g(), w;", [("v", "g()"), ("w", "")]), ("int x = 5;", []), ("f(a, b);", []), ("a = b, c = d;", []), ("return a, b;", []),
        ):
            self.assertEqual(source.declarators(text), declared)



class Unset(unittest.TestCase):
    def test_bare(self):
        for name, suffix, expected in (
            ("    int n, sum = 0;", ".cpp", True), ("    double *at;", ".cpp", True), ("    struct node n;", ".c", True), ("    Money n;", ".cpp", False),
            ("    int n = 3;", ".c", False), ("    static int n;", ".c", False), ("    for (int n, m = 0; m < 3; m++)", ".c", False), ("    int n[3];", ".c", True),
            ("    int sum = 0, n;", ".c", True), ("    int m, n = m + 1, last = n;", ".c", False), ("    int n = 3, *at;", ".c", True),
        ):
            with self.subTest(name), tempfile.NamedTemporaryFile("w", suffix=suffix) as f:
                f.write(name + "\n")
                f.flush()
                self.assertEqual(unset.bare(f.name, 1, "at" if "at" in name else "n"), expected)


if __name__ == "__main__":
    unittest.main()
