package workspace

import (
	"maps"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// layout is a tree of files and what is started first in it.
type layout struct {
	files         map[string]string
	test, program Start // the zero value: none
}

func (l layout) check(t *testing.T) {
	t.Helper()
	tests, programs := startsOf(t, tree(t, l.files))
	first := func(list []Start) (s Start) {
		if len(list) > 0 {
			s = list[0]
			s.Framework, s.Test, s.Language = "", false, ""
		}
		return s
	}
	if diff := cmp.Diff([]Start{l.test, l.program}, []Start{first(tests), first(programs)}, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

const (
	cProgram = "int main(void) { return 0; }\n"
	gtests   = "#include <gtest/gtest.h>\n// TEST(Not, This)\nTEST(Cart, DISABLED_Later) {}\nTEST(Cart, Adds) {}\n"
)

func TestLayoutsOfCPP(t *testing.T) {
	layouts := map[string]layout{
		"several programs, one called like the project": {
			map[string]string{
				"CMakeLists.txt":     "cmake_minimum_required(VERSION 3.14)\nproject(shop)\nadd_subdirectory(app)\nadd_subdirectory(examples)\n",
				"app/CMakeLists.txt": "set(TOOL shop_tool)\nadd_executable(${TOOL} tool.c)\nadd_executable(${PROJECT_NAME} main.c)\nadd_executable(alias ALIAS shop)\n",
				"app/main.c":         cProgram, "app/tool.c": cProgram,
				"examples/CMakeLists.txt": "add_executable(demo demo.c)\n", "examples/demo.c": cProgram,
			},
			Start{}, Start{Target: ".", Module: "shop"},
		},
		"a directory between that has no CMakeLists.txt": {
			map[string]string{
				"CMakeLists.txt":           "project(shop)\nadd_subdirectory(libs/cart)\n",
				"libs/cart/CMakeLists.txt": "add_executable(cart_test cart_test.cpp)\nadd_test(NAME cart COMMAND cart_test)\n",
				"libs/cart/cart_test.cpp":  "int main() {}\n",
			},
			Start{Target: ".", Module: "cart_test", Name: "cart"}, Start{},
		},
		"two projects of CMake side by side": {
			map[string]string{
				"server/CMakeLists.txt": "project(server)\nadd_executable(server main.c)\n", "server/main.c": cProgram,
				"client/CMakeLists.txt": "project(client)\nadd_executable(client main.c)\n", "client/main.c": cProgram,
				"server/tests/cart.cpp": gtests,
			},
			Start{Target: "server/tests/cart.cpp", Name: "Cart.Adds"}, Start{Target: "client", Module: "client"},
		},
		"tests behind an option": {
			map[string]string{
				"CMakeLists.txt":      "project(shop)\noption(SHOP_BUILD_TESTS \"Build the tests\" OFF)\noption(SHOP_GPU_TEST \"\" OFF)\noption(SHOP_TEST \"\" ON)\noption(SHOP_DOCS \"Build the docs\" OFF)\nif(SHOP_BUILD_TESTS)\n  add_subdirectory(test)\nendif()\n",
				"test/CMakeLists.txt": "add_executable(cart_test cart.cpp)\n",
				"test/cart.cpp":       gtests,
			},
			Start{Target: "test/cart.cpp", Name: "Cart.Adds", BuildArgs: []string{"-DSHOP_BUILD_TESTS=ON"}}, Start{},
		},
		"programs whose names are made": {
			map[string]string{
				"CMakeLists.txt": "project(shop)\nforeach(name one two)\n  add_thing(${name})\nendforeach()\n",
				"src/one.c":      cProgram,
			},
			Start{}, Start{Target: "src/one.c"},
		},
		"Catch2": {
			map[string]string{
				"CMakeLists.txt": "project(shop)\n", "tests/a.cpp": "#include <catch2/catch_test_macros.hpp>\nTEST_CASE(\"it \\\"adds\\\"\", \"[cart]\") {}\n",
			},
			Start{Target: "tests/a.cpp", Name: `it "adds"`}, Start{},
		},
		"doctest, alone": {
			map[string]string{"a.cpp": "#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN\n#include <doctest/doctest.h>\nTEST_CASE(\"adds\") {}\n"},
			Start{Target: "a.cpp", Name: "adds"}, Start{},
		},
		"tests by macros of the project's own": {
			map[string]string{
				"CMakeLists.txt": "project(shop)\nadd_executable(shop_test cart.cpp)\nadd_test(NAME all COMMAND ${CMAKE_CROSSCOMPILING_EMULATOR} $<TARGET_FILE:shop_test>)\n",
				"test.h":         "#define TEST(x, y) void x##y()\n", "cart.cpp": "#include \"test.h\"\nTEST(Cart, Adds) {}\nint main() {}\n",
			},
			Start{Target: ".", Module: "shop_test", Name: "all"}, Start{},
		},
		"GoogleTest through a header of the project": {
			map[string]string{
				"CMakeLists.txt": "project(shop)\n", "test.h": "#include <gtest/gtest.h>\n", "cart.cpp": "#include \"test.h\"\nTEST(Cart, Adds) {}\n",
			},
			Start{Target: "cart.cpp", Name: "Cart.Adds"}, Start{},
		},
		"tests that are scripts, and documentation that is made": {
			map[string]string{
				"CMakeLists.txt": "project(shop)\nadd_test(NAME text COMMAND \"${PYTHON_EXECUTABLE}\" text.py)\nadd_test(NAME made COMMAND ${WHAT}/x)\nadd_test(NAME sums COMMAND sums)\nadd_executable(sums sums.c)\n",
				"sums.c":         cProgram, "doc/build.py": "if __name__ == '__main__':\n    pass\n", "test/run.py": "if __name__ == '__main__':\n    pass\n",
			},
			Start{Target: ".", Module: "sums", Name: "sums"}, Start{},
		},
		"what others have contributed": {
			map[string]string{
				"contrib/meson/meson.build": "project('shop', 'c')\nexecutable('shop', 'main.c')\n", "contrib/meson/main.c": cProgram,
				"programs/Makefile": "all: shop\n", "programs/main.c": cProgram,
			},
			Start{}, Start{Target: "programs"},
		},
		"a test of Meson whose program is made where it is named": {
			map[string]string{"meson.build": "project('shop', 'c')\ntest(\n  'cart',\n  executable('cart_test', 'cart.c'),\n)\n", "cart.c": cProgram},
			Start{Target: ".", Module: "cart_test", Name: "cart"}, Start{},
		},
		"Meson": {
			map[string]string{
				"meson.build":       "project('shop', 'c')\nexecutable('other', 'other.c')\nexecutable('shop', 'main.c')\nsubdir('test')\n",
				"main.c":            cProgram,
				"test/meson.build":  "t = executable('cart_test', 'cart.c')\n# test('not', t)\ntest('cart', t, timeout: 5)\n",
				"test/cart.c":       cProgram,
				"bd/meson-info/x.c": cProgram, "bd/meson-private/coredata.dat": "",
			},
			Start{Target: ".", Module: "cart_test", Name: "cart"}, Start{Target: ".", Module: "shop"},
		},
		"Bazel": {
			map[string]string{"MODULE.bazel": "", "app/BUILD.bazel": "cc_binary(name = \"app\")\n", "app/main.c": cProgram, "app/cart.cpp": gtests},
			Start{}, Start{},
		},
		"not configured yet": {map[string]string{"configure.ac": "", "src/main.c": cProgram}, Start{}, Start{}},
		"not configured yet, as a GNUmakefile says": {
			map[string]string{"configure.ac": "", "GNUmakefile": "abort:\n\t@echo run ./configure\n", "src/main.c": cProgram}, Start{}, Start{},
		},
		"configured": {map[string]string{"configure.ac": "", "Makefile": "all: src/app\n", "src/main.c": cProgram}, Start{}, Start{Target: "."}},
		"a makefile above its sources": {
			map[string]string{"Makefile": "shop: src/main.o\n", "src/main.c": cProgram, "src/cart.c": "int cart;\n"},
			Start{}, Start{Target: "."},
		},
		"a makefile of several programs and tests": {
			map[string]string{
				"Makefile": "BIN = bin\nTOOL := $(BIN)/tool\nall: $(TOOL) $(BIN)/shop\n$(BIN)/shop: main.o cart.o\n\tcc -o $@ $^\n" +
					"$(TOOL): tool.c\n\ncart_test: test/cart.o\n.PHONY: all clean\n%.o: %.c\n",
				"main.c": "Int32 main (Int32 n) {}\n", "tool.c": cProgram, "test/cart.cpp": gtests, "old/once.c": cProgram,
			},
			Start{Target: ".", Module: "cart_test", Name: "Cart.Adds"}, Start{Target: ".", Module: "bin/shop"},
		},
	}
	for name, l := range layouts {
		t.Run(name, l.check)
	}
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
			Start{}, Start{Target: "src/bin/till.rs"},
		},
		"a workspace with default members": {
			map[string]string{
				"Cargo.toml":            "[workspace]\nmembers = [\"crates/*\"]\ndefault-members = [\"crates/web\"]\n",
				"crates/api/Cargo.toml": pkg("api"), "crates/api/src/main.rs": program,
				"crates/web/Cargo.toml": pkg("web"), "crates/web/src/main.rs": program, "crates/web/src/cart/mod.rs": tests,
			},
			Start{Target: "crates/web/src/cart/mod.rs", Name: "cart::inner::tests::adds"}, Start{Target: "crates/web/src/main.rs"},
		},
		"targets elsewhere": {
			map[string]string{
				"Cargo.toml":     pkg("shop") + "[lib]\npath = \"source/shop.rs\"\n[[bin]]\nname = \"shop\"\npath = \"app/cli.rs\"\nrequired-features = [\"cli\"]\n",
				"source/shop.rs": "mod cart;\n", "source/cart.rs": tests, "app/cli.rs": program,
				"scripts/once.rs": program,
			},
			Start{Target: "source/cart.rs", Name: "cart::inner::tests::adds"}, Start{Target: "app/cli.rs", BuildArgs: []string{"--features", "cli"}},
		},
		"tests in several files": {
			map[string]string{
				"Cargo.toml": pkg("shop"), "src/lib.rs": "", "tests/it/main.rs": "mod cart;\n", "tests/it/cart.rs": "#[tokio::test(flavor = \"multi_thread\")]\nasync fn sells() {}\n",
			},
			Start{Target: "tests/it/cart.rs", Name: "cart::sells"}, Start{},
		},
		"tests that need features, and some that are ignored": {
			map[string]string{
				"Cargo.toml": pkg("shop") + "[features]\ndefault = [\"std\"]\nstd = [\"text\"]\n[[test]]\nname = \"early\"\nrequired-features = [\"net\"]\n",
				"src/lib.rs": "#[cfg(feature = \"wide\")]\nmod alpha;\nmod beta;\n", "src/alpha.rs": tests,
				"src/beta.rs": "#[test]\n#[ignore]\nfn slow() {}\n\n#[cfg(all(test, feature = \"simd\"))]\nmod simd {\n    #[test]\n    fn fast() {}\n}\n\n" +
					"#[cfg(feature = \"text\")]\n#[test]\n#[cfg(unix)]\nfn plain() {}\n",
				"tests/early.rs": "#[test]\nfn connects() {}\n",
			},
			Start{Target: "src/beta.rs", Name: "beta::plain"}, Start{},
		},
		"nothing but tests that need a feature": {
			map[string]string{"Cargo.toml": pkg("shop"), "src/lib.rs": "", "tests/it.rs": "#![cfg(feature = \"net\")]\n#[test]\nfn connects() {}\n"},
			Start{Target: "tests/it.rs", Name: "connects", BuildArgs: []string{"--features", "net"}}, Start{},
		},
		"a library with an example": {
			map[string]string{"Cargo.toml": pkg("shop"), "src/lib.rs": "", "examples/buy/main.rs": program, "examples/buy/cart.rs": "", "build.rs": program},
			Start{}, Start{Target: "examples/buy/main.rs"},
		},
		"a file alone": {map[string]string{"once.rs": program + "#[test]\nfn works() {}\n"}, Start{Target: "once.rs", Name: "works"}, Start{Target: "once.rs"}},
	}
	for name, l := range layouts {
		t.Run(name, l.check)
	}
	p := detect(t, tree(t, map[string]string{"rust-toolchain.toml": "[toolchain]\nchannel = \"1.80\"\n"}))
	if diff := cmp.Diff([]Environment{{Language: "rust", Path: "rust-toolchain.toml"}}, p.Environments); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// What failed when CTest or Meson was run last is started first.
func TestFailedTestsOfCPP(t *testing.T) {
	const mesonLog = `{"name": "shop:units / cart", "stdout": "", "result": "FAIL"}` + "\n" + `{"name": "other", "result": "OK"}` + "\n"
	cmake := map[string]string{
		"CMakeLists.txt": "project(shop)\nadd_executable(units a.cpp b.cpp)\nadd_test(NAME units COMMAND units)\n",
		"a.cpp":          "TEST(Cart, Adds) {}\n", "b.cpp": "TEST(Till, Opens) {}\nTEST_P(Till, Sums) {}\n",
	}
	with := func(files map[string]string, more ...string) map[string]string {
		all := maps.Clone(files)
		for i := 0; i < len(more); i += 2 {
			all[more[i]] = more[i+1]
		}
		return all
	}
	layouts := map[string]layout{
		"one test of CTest": {
			with(cmake, "build/debug/Testing/Temporary/LastTestsFailed.log", "3:Till.Opens\n7:gone\n"),
			Start{Target: "b.cpp", Name: "Till.Opens", Reason: Failed}, Start{},
		},
		"one case": {
			with(cmake, "build/Testing/Temporary/LastTestsFailed.log", "3:Small/Till.Sums/2\n"),
			Start{Target: "b.cpp", Name: "Small/Till.Sums/2", Reason: Failed}, Start{},
		},
		"a whole program": {
			with(cmake, "build/Testing/Temporary/LastTestsFailed.log", "1:units\n",
				"build/Testing/Temporary/LastTest.log", "[       OK ] Cart.Adds (0 ms)\n[  FAILED  ] Till.Opens (0 ms)\n[  FAILED  ] Till.Opens\n"),
			Start{Target: "b.cpp", Name: "Till.Opens", Reason: Failed}, Start{},
		},
		"Meson": {
			map[string]string{
				"meson.build": "project('shop', 'c')\nu = executable('u', 'u.c')\nc = executable('c', 'c.c')\ntest('other', u)\ntest('cart', c)\n",
				"u.c":         cProgram, "c.c": cProgram, "build/meson-private/coredata.dat": "", "build/meson-logs/testlog.json": mesonLog,
			},
			Start{Target: ".", Module: "c", Name: "cart", Reason: Failed}, Start{},
		},
	}
	for name, l := range layouts {
		t.Run(name, l.check)
	}
}

// Headers are of the language that most sources are of.
func TestHeadersAreOfTheirSources(t *testing.T) {
	for name, c := range map[string]struct {
		files map[string]string
		want  []Language
	}{
		"C++": {map[string]string{"a.cpp": "", "b.cc": "", "c.c": "", "a.h": "", "b.h": ""}, []Language{{"cpp", 4}, {"c", 1}}},
		"C":   {map[string]string{"a.cpp": "", "b.c": "", "a.h": "", "b.h": ""}, []Language{{"c", 3}, {"cpp", 1}}},
	} {
		if diff := cmp.Diff(c.want, detect(t, tree(t, c.files)).Languages); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
