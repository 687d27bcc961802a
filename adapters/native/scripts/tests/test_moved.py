import os
import tempfile
import unittest

from aidb.rust import moved


def parts(text):
    """What is gone of the variable v, declared at the first line that names it, where @ is."""
    rows = text.strip("\n").split("\n")
    first = next(n for n, row in enumerate(rows, 1) if "v" in row.replace("move", "").split("//")[0].replace("fn ", " "))
    stop = next(n for n, row in enumerate(rows, 1) if "@" in row)
    with tempfile.NamedTemporaryFile("w", suffix=".rs", delete=False) as f:
        f.write(text.strip("\n").replace("@", "let _n = 1;") + "\n")
    try:
        return {".".join(path): why for path, why in moved.Source(f.name, first, stop, "v").moved().items()}
    finally:
        os.unlink(f.name)


SURE, MAY = "moved away in line %d", "may have been moved away in line %d"


class Moved(unittest.TestCase):
    def test_moved(self):
        for text, want in (
            ("{\nlet v = a();\nconsume(v);\n@\n}", {"": SURE % 3}),
            ("{\nlet v = a();\nlet s = S::new(v.b.c).unwrap();\n@\n}", {"b.c": SURE % 3}),
            ("{\nlet v = a();\nlet w = v;\n@\n}", {"": SURE % 3}),
            ("{\nlet v = a();\nlet w = S { all: v, n: 1 };\n@\n}", {"": SURE % 3}),
            ("{\nlet v = a();\nfor x in v {\nuse_(x);\n}\n@\n}", {"": SURE % 3}),
            ("{\nlet v = a();\nlet w = v.unwrap();\n@\n}", {"": SURE % 3}),
            ("{\nlet v = a();\nlet t = spawn(move || { p(&v); });\n@\n}", {"": SURE % 3}),
            ("{\nlet v = a();\nfor x in v {\n@\n}\n}", {"": SURE % 3}),
            ("{\nlet v = a();\nlet w = v?;\n@\n}", {"": SURE % 3}),
            ("{\nlet v = a();\nlet w = vec![v];\n@\n}", {"": SURE % 3}),
            ("fn f(v: V) -> W {\nlet w = W::from(v);\n@\nw\n}\nfn g(v: V) { p(&v) }", {"": SURE % 2}),
            ("fn f(v: V) -> W {\nlet w = v;\n@\nw\n}", {"": SURE % 2}),
            ("fn f(v: V) {\nlet n = 0;\nfor x in v {\n@\n}\n}", {"": SURE % 3}),
            ("{\nlet v = a();\nif c {\nconsume(v);\n}\n@\n}", {"": MAY % 4}),
            ("{\nlet v = a();\nif c {\nn += 1;\nlet w = v;\n}\n@\n}", {"": MAY % 5}),
            ("{\nlet v = a();\nif c {\nconsume(v);\n@\n} else {\np(&v);\n}\n}", {"": SURE % 4}),
            ("{\nlet v = a();\nlet w = match c {\n1 => consume(v),\n_ => 0,\n};\n@\n}", {"": MAY % 4}),
            ("{\nlet v = a();\nlet v = W::from(v);\n@\np(&v);\n}", {"": SURE % 3}),
            ("{\nlet v = a();\nlet w = S { n: 1, v };\n@\n}", {"": SURE % 3}),
            ("{\nlet v = a();\nif let Some(s) = v {\n@\n}\n}", {"": SURE % 3}),
            ("{\nlet v = a();\nif let Some(s) = v {\nuse_(s);\n}\n@\n}", {"": MAY % 3}),
            ("{\nlet v = a();\nlet Some(s) = v else {\nreturn;\n};\n@\n}", {"": SURE % 3}),
            ("{\nlet v = a();\nmatch v {\nNone => {}\nSome(s) => {\n@\n}\n}\n}", {"": SURE % 5}),
            ("{\nlet v = a();\nlet n = match v.b {\nE::Text { text, .. } => text.len(),\n_ => 0,\n};\n@\n}", {"b": MAY % 4}),
            ("{\nlet v = a();\nlet n = v.finish(2);\n@\n}\nimpl V {\nfn finish(self, n: u8) -> u8 { n }\n}", {"": SURE % 3}),
        ):
            with self.subTest(text=text):
                self.assertEqual(parts(text), want)

    def test_still_there(self):
        for text in (
            "{\nlet v = a();\nconsume(&v);\n@\n}",
            "{\nlet v = a();\nconsume(v);\n@\np(v.len());\n}",  # of a type that is copied: the compiler takes it
            "{\nlet v = a();\nconsume(v);\n@\nprintln!(\"{v:?}\");\n}",
            "{\nlet v = a();\nprintln!(\"{}\", v);\n@\n}",
            "{\nlet v = a();\nassert_eq!(v, w);\n@\n}",
            "{\nlet v = a();\nlet n = v.len();\n@\n}",
            "{\nlet v = a();\nlet n = W::from(v.clone());\n@\n}",
            "{\nlet mut v = a();\nv = consume(v);\n@\n}",
            "{\nlet mut v = a();\nconsume(v);\nv = a();\n@\n}",
            "{\nlet v = a();\nif c {\nreturn consume(v);\n}\n@\n}",
            "{\nlet v = a();\nif c {\nconsume(v);\n} else {\n@\n}\n}",
            "{\nlet v = a();\nmatch c {\n1 => { consume(v); }\n_ => {\n@\n}\n}\n}",
            "{\nlet v = a();\nlet t = spawn(move || {\n@\np(&v);\n});\n}",
            "{\nlet v = a();\nlet n = xs.map(|v| consume(v));\n@\n}",
            "{\nlet v = a();\nif let Some(v) = b {\nconsume(v);\n}\n@\n}",
            "{\nlet v = a();\n@\nconsume(v);\n}",
            "{\nlet v = a();\nlet _ = v;\n@\n}",
            "{\nlet v = a();\nif let Some(_) = v {\n@\n}\n}",
            "{\nlet v = a();\nif let Some(s) = v {\nuse_(s);\n} else {\n@\n}\n}",
            "{\nlet v = a();\nif let Some(ref s) = v {\n@\n}\n}",
            "{\nlet v = a();\nif let Some(s) = &v {\n@\n}\n}",
            "{\nlet v = a();\nmatch v {\nE::One | E::Two { .. } => {\n@\n}\nE::Three(s) => {}\n}\n}",
            "{\nlet v = a();\nlet n = v.count(2);\n@\n}\nimpl V {\nfn count(&self, n: u8) -> u8 { n }\n}",
            "{\nlet v = a();\nlet n = v.turn(2);\n@\n}\nimpl V {\nfn turn(self: &Rc<Self>, n: u8) -> u8 { n }\n}",
        ):
            with self.subTest(text=text):
                self.assertEqual(parts(text), {})

    def test_asked(self):
        gone = {("out", "text"): "moved away in line 3"}
        for path, want in (((), True), (("out",), True), (("out", "text"), True), (("out", "text", "n"), True), (("out", "n"), False), (("n",), False)):
            self.assertEqual(bool(moved.asked(gone, path)), want)
        self.assertEqual(moved.of_all({("b", "c"): "moved away in line 3"}), "<in part moved away in line 3: .b.c>")


if __name__ == "__main__":
    unittest.main()
