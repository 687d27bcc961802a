package rust

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"aidb-mcp/internal/project/workspace"
	"aidb-mcp/internal/project/workspace/workspacetest"
	"aidb-mcp/internal/testkit/filetree"
)

// known is the language of these tests.
var known = workspace.Languages{&Support}

// layout is a tree of files and what is started first in it.
type layout struct {
	files         map[string]string
	test, program workspace.Start // the zero value: none
}

func (l layout) check(t *testing.T) {
	t.Helper()
	workspacetest.Layout{Files: l.files, Test: l.test, Program: l.program}.Check(t, known)
}

func TestLayoutsOfRust(t *testing.T) {
	const (
		program = "fn main() {}\n"
		tests   = "pub mod inner {\n    #[cfg(test)]\n    mod tests {\n        #[test]\n        fn adds() {}\n    }\n}\n"
	)
	pkg := func(name string) string { return "[package]\nname = \"" + name + "\"\n" }
	layouts := map[string]layout{
		"several binaries and a default": {
			map[string]string{"Cargo.toml": pkg("shop") + "default-run = \"till\"\n", "src/main.rs": program, "src/bin/till.rs": program},
			workspace.Start{}, workspace.Start{Target: "src/bin/till.rs"},
		},
		"a workspace with default members": {
			map[string]string{
				"Cargo.toml":            "[workspace]\nmembers = [\"crates/*\"]\ndefault-members = [\"crates/web\"]\n",
				"crates/api/Cargo.toml": pkg("api"), "crates/api/src/main.rs": program,
				"crates/web/Cargo.toml": pkg("web"), "crates/web/src/main.rs": program, "crates/web/src/cart/mod.rs": tests,
			},
			workspace.Start{Target: "crates/web/src/cart/mod.rs", Name: "cart::inner::tests::adds"}, workspace.Start{Target: "crates/web/src/main.rs"},
		},
		"targets elsewhere": {
			map[string]string{
				"Cargo.toml":     pkg("shop") + "[lib]\npath = \"source/shop.rs\"\n[[bin]]\nname = \"shop\"\npath = \"app/cli.rs\"\nrequired-features = [\"cli\"]\n",
				"source/shop.rs": "mod cart;\n", "source/cart.rs": tests, "app/cli.rs": program,
				"scripts/once.rs": program,
			},
			workspace.Start{Target: "source/cart.rs", Name: "cart::inner::tests::adds"}, workspace.Start{Target: "app/cli.rs", BuildArgs: []string{"--features", "cli"}},
		},
		"tests in several files": {
			map[string]string{
				"Cargo.toml": pkg("shop"), "src/lib.rs": "", "tests/it/main.rs": "mod cart;\n", "tests/it/cart.rs": "#[tokio::test(flavor = \"multi_thread\")]\nasync fn sells() {}\n",
			},
			workspace.Start{Target: "tests/it/cart.rs", Name: "cart::sells"}, workspace.Start{},
		},
		"tests that need features, and some that are ignored": {
			map[string]string{
				"Cargo.toml": pkg("shop") + "[features]\ndefault = [\"std\"]\nstd = [\"text\"]\n[[test]]\nname = \"early\"\nrequired-features = [\"net\"]\n",
				"src/lib.rs": "#[cfg(feature = \"wide\")]\nmod alpha;\nmod beta;\n", "src/alpha.rs": tests,
				"src/beta.rs": "#[test]\n#[ignore]\nfn slow() {}\n\n#[cfg(all(test, feature = \"simd\"))]\nmod simd {\n    #[test]\n    fn fast() {}\n}\n\n" +
					"#[cfg(feature = \"text\")]\n#[test]\n#[cfg(unix)]\nfn plain() {}\n",
				"tests/early.rs": "#[test]\nfn connects() {}\n",
			},
			workspace.Start{Target: "src/beta.rs", Name: "beta::plain"}, workspace.Start{},
		},
		"nothing but tests that need a feature": {
			map[string]string{"Cargo.toml": pkg("shop"), "src/lib.rs": "", "tests/it.rs": "#![cfg(feature = \"net\")]\n#[test]\nfn connects() {}\n"},
			workspace.Start{Target: "tests/it.rs", Name: "connects", BuildArgs: []string{"--features", "net"}}, workspace.Start{},
		},
		"a library with an example": {
			map[string]string{"Cargo.toml": pkg("shop"), "src/lib.rs": "", "examples/buy/main.rs": program, "examples/buy/cart.rs": "", "build.rs": program},
			workspace.Start{}, workspace.Start{Target: "examples/buy/main.rs"},
		},
		"a file alone": {map[string]string{"once.rs": program + "#[test]\nfn works() {}\n"}, workspace.Start{Target: "once.rs", Name: "works"}, workspace.Start{Target: "once.rs"}},
	}
	for name, l := range layouts {
		t.Run(name, l.check)
	}
	p := workspacetest.Detect(t, known, filetree.New(t, map[string]string{"rust-toolchain.toml": "[toolchain]\nchannel = \"1.80\"\n"}))
	if diff := cmp.Diff([]workspace.Environment{{Language: "rust", Path: "rust-toolchain.toml"}}, p.Environments); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// What is found in projects.
func TestDetect(t *testing.T) {
	for name, c := range map[string]workspacetest.Project{
		"rust": {
			Files: map[string]string{
				"Cargo.toml":        "[package]\nname = \"shop\"\n",
				"src/main.rs":       "//! Sells things.\nmod cart;\n\n#[tokio::main]\nasync fn main() {}\n",
				"src/cart.rs":       "fn domain() {}\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn adds() {}\n    #[test]\n    #[should_panic]\n    fn fails() {}\n    fn helper() {}\n}\n",
				"src/bin/tool.rs":   "fn main() {}\n",
				"build.rs":          "fn main() {}\n",
				"target/debug/x.rs": "fn main() {}\n",
			},
			Want: workspacetest.Found{
				Programs: []workspace.Program{
					{Language: "rust", Framework: "cargo binary", Plain: true, Path: "src", Target: "src/main.rs", File: "src/main.rs", Line: 5, Doc: "Sells things."},
					{Language: "rust", Framework: "cargo binary", Plain: true, Path: "src/bin", Target: "src/bin/tool.rs", File: "src/bin/tool.rs", Line: 1},
				},
				Tests:      []workspace.Suite{{Language: "rust", Framework: "cargo test", Path: "src", Target: "src/cart.rs", Names: []string{"cart::tests::adds", "cart::tests::fails"}, Total: 2}},
				Frameworks: []workspace.Framework{{Language: "rust", Name: "cargo test"}},
			},
		},
		"rust tests that a macro makes": {
			Files: map[string]string{
				"Cargo.toml":  "[package]\nname = \"cases\"\n",
				"src/lib.rs":  "macro_rules! case { ($name:ident : $value:expr) => {\n    #[test]\n    fn $name() { assert!($value) }\n} }\ncase!(holds: true);\n",
				"src/none.rs": "macro_rules! make { ($name:ident) => { fn $name() {} } }\nmake!(domain);\n",
			},
			Want: workspacetest.Found{
				Tests:      []workspace.Suite{{Language: "rust", Framework: "cargo test", Path: "src", Target: "src/lib.rs", Whole: true}},
				Frameworks: []workspace.Framework{{Language: "rust", Name: "cargo test"}},
			},
		},
	} {
		t.Run(name, func(t *testing.T) { c.Check(t, known) })
	}
}
