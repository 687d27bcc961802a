package build

import (
	"path/filepath"
	"testing"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/fault"
)

func TestCargoPrograms(t *testing.T) {
	t.Parallel()
	p := newProject(t, "rust/shop")
	for _, c := range []struct {
		name    string
		r       adapters.Request
		entry   string
		printed string
	}{
		{"package", adapters.Request{Target: "."}, "shop::main", "total 2400"},
		{"nothing said", adapters.Request{}, "shop::main", "total 2400"},
		{"main file", adapters.Request{Target: "src/main.rs"}, "shop::main", "total 2400"},
		{"module file", adapters.Request{Target: "src/pricing.rs"}, "shop::main", "total 2400"},
		{"manifest", adapters.Request{Target: "Cargo.toml"}, "shop::main", "total 2400"},
		{"name", adapters.Request{Target: "shop"}, "shop::main", "total 2400"},
		{"binary to be", adapters.Request{Target: "target/debug/shop"}, "shop::main", "total 2400"},
		{"example by name", adapters.Request{Target: ".", Module: "order"}, "order::main", "example 1000"},
		{"example by file", adapters.Request{Target: "examples/order.rs"}, "order::main", "example 1000"},
		{"features", adapters.Request{Target: "src/bin/wrap.rs", BuildArgs: []string{"--features", "gifts"}}, "wrap::main", "wrapped 90"},
		{"chosen by build_args", adapters.Request{Target: ".", BuildArgs: []string{"--bin", "shop"}}, "shop::main", "total 2400"},
	} {
		got := p.build(Rust, c.r)
		if got.Entry != c.entry {
			t.Errorf("%s: entry %s, want %s", c.name, got.Entry, c.entry)
		}
		wants(t, output(t, got), c.printed)
		if len(got.Modules) != 1 || got.Modules[0] != p.dir || got.Dir != p.dir {
			t.Errorf("%s: modules %v, directory %s", c.name, got.Modules, got.Dir)
		}
	}
}

func TestCargoTests(t *testing.T) {
	t.Parallel()
	p := newProject(t, "rust/shop")
	for _, c := range []struct{ target, test, entry, printed string }{
		{".", "parser::tests::empty", "shop::parser::tests::empty", "1 passed; 0 failed"},
		{".", "empty", "shop::parser::tests::empty", "1 passed; 0 failed"},
		{".", "shop::pricing::tests::large", "shop::pricing::tests::large", "three pieces"},
		{".", "whole_order", "api::whole_order", "1 passed; 0 failed"},
		{"tests/api.rs", "", "api::main", "1 passed; 0 failed"},
		{"tests/api.rs", "whole_order", "api::whole_order", "1 passed; 0 failed"},
		{"src/parser.rs", "empty", "shop::parser::tests::empty", "1 passed"},
		{"api", "whole_order", "api::whole_order", "1 passed"},
		{".", "slow", "shop::pricing::tests::slow", "1 passed; 0 failed; 0 ignored"},
		{".", "parser::tests", "shop::main", "2 passed; 0 failed"},
		{".", "parser::", "shop::main", "2 passed; 0 failed; 0 ignored; 0 measured; 3 filtered out"},
		{"src/parser.rs", "tests", "shop::main", "3 passed; 1 failed; 1 ignored"},
	} {
		got := p.build(Rust, adapters.Request{Target: c.target, Test: c.test, Mode: adapters.Test})
		if got.Entry != c.entry {
			t.Errorf("%s: entry %s, want %s", c.test, got.Entry, c.entry)
		}
		wants(t, output(t, got), c.printed)
	}
	p.refuse(Rust, adapters.Request{Target: ".", Test: "small"}, fault.InvalidTarget,
		"2 tests are called small", "shop::parser::tests::small", "shop::pricing::tests::small")
	p.refuse(Rust, adapters.Request{Target: ".", Test: "emptty"}, fault.InvalidParam, "there is no test emptty", "did you mean parser::tests::empty?")
	p.refuse(Rust, adapters.Request{Target: ".", Test: "zebra"}, fault.InvalidParam, "its tests are", "whole_order")
	p.refuse(Rust, adapters.Request{Target: ".", Test: "src/lib.rs - double (line 5)"}, fault.InvalidTarget, "rustdoc builds and runs it", "#[test] function")
	p.refuse(Rust, adapters.Request{Target: ".", Mode: adapters.Test}, fault.InvalidTarget, "2 test programs", "lib shop (5 tests)", "test api (1 tests)")
}

func TestCargoTrouble(t *testing.T) {
	t.Parallel()
	t.Run("compile error", func(t *testing.T) {
		t.Parallel()
		p := newProject(t, "rust/shop")
		p.write("src/pricing.rs", "pub fn discount(cost: u32, count: u32) -> u32 {\n    cots + count\n}\n")
		f := p.refuse(Rust, adapters.Request{Target: "."}, fault.BuildFailed, "cannot find value `cots`", "src/pricing.rs:2")
		located(t, f, filepath.Join("src", "pricing.rs"), 2)
	})
	t.Run("broken manifest", func(t *testing.T) {
		t.Parallel()
		p := newProject(t, "rust/shop").write("Cargo.toml", "[package]\nname = \"shop\"\nversion = \n")
		located(t, p.refuse(Rust, adapters.Request{Target: "."}, fault.BuildFailed, "Cargo.toml:3"), "Cargo.toml", 3)
		p.write("Cargo.toml", "[package]\nname = \"shop\"\nversion = \"0.1.0\"\nedition = \"1999\"\n")
		p.refuse(Rust, adapters.Request{Target: "."}, fault.BuildFailed, "Cargo.toml", "edition")
		p.write("Cargo.toml", "[package]\nname = \"shop\"\nversion = \"0.1.0\"\n[dependencies]\nnowhere = { path = \"../nowhere\" }\n")
		p.refuse(Rust, adapters.Request{Target: "shop"}, fault.BuildFailed, "nowhere")
	})
	t.Run("library", func(t *testing.T) {
		t.Parallel()
		p := newProject(t, "").write("Cargo.toml", "[package]\nname = \"plain\"\nversion = \"0.1.0\"\nedition = \"2021\"\n").write("src/lib.rs", "pub fn f() {}\n")
		p.refuse(Rust, adapters.Request{Target: "."}, fault.InvalidTarget, "is a library", `"mode":"test"`)
		p.refuse(Rust, adapters.Request{Target: ".", Mode: adapters.Test}, fault.InvalidTarget, "has no tests")
	})
	t.Run("workspace", func(t *testing.T) {
		t.Parallel()
		p := newProject(t, "").write("Cargo.toml", "[workspace]\nmembers = [\"one\", \"two\"]\nresolver = \"2\"\n")
		for _, name := range []string{"one", "two"} {
			p.write(name+"/Cargo.toml", "[package]\nname = \""+name+"\"\nversion = \"0.1.0\"\nedition = \"2021\"\n")
			p.write(name+"/src/main.rs", "fn main() { println!(\"I am "+name+"\"); }\n")
		}
		p.refuse(Rust, adapters.Request{Target: "."}, fault.InvalidTarget, "has 2 programs", "one, two")
		p.refuse(Rust, adapters.Request{Target: ".", Module: "twos"}, fault.InvalidTarget, "no target twos", "did you mean two?")
		wants(t, output(t, p.build(Rust, adapters.Request{Target: ".", Module: "two"})), "I am two")
		wants(t, output(t, p.build(Rust, adapters.Request{Target: "one"})), "I am one")
		wants(t, output(t, p.build(Rust, adapters.Request{Target: "two/src/main.rs"})), "I am two")
		p.write("two/tests/deep.rs", "mod inner { #[test] fn far() {} }\n").write("one/tests/deep.rs", "mod inner { #[test] fn near() {} }\n")
		p.refuse(Rust, adapters.Request{Target: "one", Test: "inner::far"}, fault.InvalidParam, "there is no test inner::far in ./one", "the package two has a function of this name", `"module":"two"`)
		p.refuse(Rust, adapters.Request{Target: ".", Test: "inner"}, fault.InvalidTarget, "2 test programs have a module inner")
		wants(t, output(t, p.build(Rust, adapters.Request{Target: "one", Module: "two", Test: "far"})), "1 passed")
		wants(t, output(t, p.build(Rust, adapters.Request{Target: ".", Test: "far"})), "1 passed")
		p.write("two/src/main.rs", "fn main() { oops(); }\n")
		located(t, p.refuse(Rust, adapters.Request{Target: "two"}, fault.BuildFailed, "oops"), filepath.Join("two", "src", "main.rs"), 1)
	})
	t.Run("what does not exist", func(t *testing.T) {
		t.Parallel()
		p := newProject(t, "rust/shop")
		p.refuse(Rust, adapters.Request{Target: "src/mian.rs"}, fault.InvalidTarget, "there is no ./src/mian.rs", "did you mean main.rs?")
		p.refuse(Rust, adapters.Request{Target: "shopp"}, fault.InvalidTarget, "no target shopp", "did you mean shop?")
		p.refuse(Rust, adapters.Request{Target: "tests/api.rs", Mode: adapters.Launch}, fault.InvalidTarget, "is a test", `"mode":"test"`)
		p.refuse(Rust, adapters.Request{Target: "src/bin/wrap.rs"}, fault.BuildFailed, "gifts", `"--features"`)
		p.refuse(Rust, adapters.Request{Target: ".", BuildArgs: []string{"--features", "gfits"}}, fault.BuildFailed, "gfits", "[features]")
		p.refuse(Rust, adapters.Request{Target: ".", Env: map[string]string{"PATH": p.dir}}, fault.BuildFailed, "cargo was not found", "rustup")
		p.refuse(Rust, adapters.Request{Target: ".", RuntimePath: "/nowhere/cargo"}, fault.InvalidParam, "runtime_path", "/nowhere/cargo")
	})
}

func TestOneRustFile(t *testing.T) {
	t.Parallel()
	p := newProject(t, "").write("hello-world.rs", "fn main() {\n    println!(\"hi {}\", add(1, 2));\n}\nfn add(a: i32, b: i32) -> i32 { a + b }\n#[test]\nfn adds() { assert_eq!(add(1, 1), 2); }\n")
	first := p.build(Rust, adapters.Request{Target: "hello-world.rs"})
	wants(t, output(t, first), "hi 3")
	if first.Entry != "hello_world::main" || first.Dir != p.dir {
		t.Errorf("entry %s in %s", first.Entry, first.Dir)
	}
	if again := p.build(Rust, adapters.Request{Target: "hello-world.rs"}); again.Program != first.Program {
		t.Error("what had not changed was compiled again")
	}
	tests := p.build(Rust, adapters.Request{Target: "hello-world.rs", Test: "adds"})
	wants(t, output(t, tests), "1 passed")
	p.write("hello-world.rs", "fn main() {\n    let x: i32 = \"text\";\n}\n")
	located(t, p.refuse(Rust, adapters.Request{Target: "hello-world.rs"}, fault.BuildFailed, "mismatched types"), "hello-world.rs", 2)
	p.write("hello-world.rs", "fn main() { println!(\"new\"); }\n")
	wants(t, output(t, p.build(Rust, adapters.Request{Target: "hello-world.rs"})), "new")
	p.refuse(Rust, adapters.Request{Target: "hello-world.rs", Env: map[string]string{"PATH": p.dir}}, fault.BuildFailed, "rustc was not found")
	p.write("no.rs", "fn nothing() {}\n")
	p.refuse(Rust, adapters.Request{Target: "no.rs"}, fault.BuildFailed, "`main` function not found")
}

// A file can be a module of the library and of programs: each test of it is there
// twice, and any of the two is meant. Nothing but those targets is built.
func TestCargoModuleOfSeveralTargets(t *testing.T) {
	t.Parallel()
	p := newProject(t, "")
	p.write("Cargo.toml", "[package]\nname = \"shop\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[features]\nextra = []\n"+
		"[[bin]]\nname = \"shop\"\npath = \"src/main.rs\"\n[[bin]]\nname = \"more\"\npath = \"src/more.rs\"\nrequired-features = [\"extra\"]\n")
	p.write("src/lib.rs", "mod cart;\n").write("src/main.rs", "mod cart;\nfn main() {}\n").write("src/more.rs", "fn main() {}\n")
	p.write("src/cart.rs", "#[test]\nfn adds() { println!(\"in {}\", module_path!()); }\n").write("tests/broken.rs", "fn\n")
	got := p.build(Rust, adapters.Request{Target: "src/cart.rs", Test: "cart::adds", Mode: adapters.Test})
	wants(t, output(t, got), "in shop::cart", "1 passed")
}
