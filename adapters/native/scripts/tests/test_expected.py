import unittest

from aidb.rust.expected import expected_text, find


class Expected(unittest.TestCase):
    """What a test expects stands in its attributes, wherever a debugger says that it is."""

    def test_of_the_head(self):
        for source, want in (
            ("#[test]\nfn a() {", None),
            ("#[test]\n#[should_panic]\nfn a() {", ""),
            ("#[should_panic]\nfn b() {\n}\n\n#[test]\nfn a() {", None),
            ("#[test] #[should_panic] fn a() { assert!(b()); }", ""),
            ('#[test]\n#[should_panic(expected = "no; {}")]\nfn a() {', "no; {}"),
            ('#[should_panic = "two\\nlines"]\n#[test]\nfn a() {', "two\nlines"),
            ('#[test]\n#[should_panic(\n    expected = r#"say "hi""#,\n)]\n/// Ends so;\npub async fn a() {', 'say "hi"'),
            ('#[test]\n#[should_panic(expected = r"\\d")]\nfn a() {', "\\d"),
            ('#[should_panic(expected = "\\u{df} \\x41 \\"\\\\")]\nfn a() {', 'ß A "\\'),
            ("#[test]\n// #[should_panic]\nfn a() {", None),
            ("mod tests {\n    #[test]\n    #[should_panic]\n    fn a() {", ""),
        ):
            with self.subTest(source):
                lines = source.split("\n")
                self.assertEqual(find(lines, len(lines)), want)
                self.assertEqual(find(lines, len(lines), "shop::tests::a::{closure#0}"), want)

    def test_of_a_line_in_the_test(self):
        lines = ['#[test]', '#[should_panic(expected = "odd")]', 'fn a() {', '    let n = 1;', '    half(n);', '}', '', '#[test]', 'fn b() {']
        self.assertEqual(find(lines, 5, "tests::a"), "odd")
        self.assertIsNone(find(lines, 9, "tests::b"))

    def test_of_an_attribute_that_a_macro_reads(self):
        lines = ["fn b() {", "}", "#[rstest]", "#[should_panic]", "#[case(1)]", "fn a(#[case] n: u8) {"]
        self.assertEqual(find(lines, 3), "")
        self.assertIsNone(find(lines, 99))

    def test_that_cannot_be_read(self):
        self.assertIsNone(expected_text("a", "/nonexistent/a.rs", 1))


if __name__ == "__main__":
    unittest.main()
