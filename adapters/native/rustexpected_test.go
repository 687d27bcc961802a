package native

import (
	"strings"
	"testing"
)

// What a test expects stands in its attributes, wherever a debugger says that it is.
func TestExpected(t *testing.T) {
	for source, want := range map[string]expectation{
		"#[test]\nfn a() {":                                                                                 {},
		"#[test]\n#[should_panic]\nfn a() {":                                                                {panics: true},
		"#[should_panic]\nfn b() {\n}\n\n#[test]\nfn a() {":                                                 {},
		"#[test] #[should_panic] fn a() { assert!(b()); }":                                                  {panics: true},
		"#[test]\n#[should_panic(expected = \"no; {}\")]\nfn a() {":                                         {true, "no; {}"},
		"#[should_panic = \"two\\nlines\"]\n#[test]\nfn a() {":                                              {true, "two\nlines"},
		"#[test]\n#[should_panic(\n    expected = r#\"say \"hi\"\"#,\n)]\n/// Ends so;\npub async fn a() {": {true, `say "hi"`},
		"#[test]\n#[should_panic(expected = r\"\\d\")]\nfn a() {":                                           {true, `\d`},
		"#[should_panic(expected = \"\\u{df} \\x41 \\\"\\\\\")]\nfn a() {":                                  {true, `ß A "\`},
		"#[test]\n// #[should_panic]\nfn a() {":                                                             {},
		"mod tests {\n    #[test]\n    #[should_panic]\n    fn a() {":                                       {panics: true},
	} {
		lines := strings.Split(source, "\n")
		if got := findExpectation(lines, len(lines)); got != want {
			t.Errorf("%s\nexpects %+v, want %+v", source, got, want)
		}
	}
	made := strings.Split("fn b() {\n}\n#[rstest]\n#[should_panic]\n#[case(1)]\nfn a(#[case] n: u8) {", "\n")
	if got := findExpectation(made, 3); !got.panics {
		t.Errorf("a test that a macro has made expects %+v", got)
	}
	if got := findExpectation(made, 99); got.panics {
		t.Error("a line that is not there expects a panic")
	}
}
