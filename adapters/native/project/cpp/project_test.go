package cpp

import (
	"maps"
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
			workspace.Start{}, workspace.Start{Target: ".", Module: "shop"},
		},
		"a directory between that has no CMakeLists.txt": {
			map[string]string{
				"CMakeLists.txt":           "project(shop)\nadd_subdirectory(libs/cart)\n",
				"libs/cart/CMakeLists.txt": "add_executable(cart_test cart_test.cpp)\nadd_test(NAME cart COMMAND cart_test)\n",
				"libs/cart/cart_test.cpp":  "int main() {}\n",
			},
			workspace.Start{Target: ".", Module: "cart_test", Name: "cart"}, workspace.Start{},
		},
		"two projects of CMake side by side": {
			map[string]string{
				"server/CMakeLists.txt": "project(server)\nadd_executable(server main.c)\n", "server/main.c": cProgram,
				"client/CMakeLists.txt": "project(client)\nadd_executable(client main.c)\n", "client/main.c": cProgram,
				"server/tests/cart.cpp": gtests,
			},
			workspace.Start{Target: "server/tests/cart.cpp", Name: "Cart.Adds"}, workspace.Start{Target: "client", Module: "client"},
		},
		"tests behind an option": {
			map[string]string{
				"CMakeLists.txt":      "project(shop)\noption(SHOP_BUILD_TESTS \"Build the tests\" OFF)\noption(SHOP_GPU_TEST \"\" OFF)\noption(SHOP_TEST \"\" ON)\noption(SHOP_DOCS \"Build the docs\" OFF)\nif(SHOP_BUILD_TESTS)\n  add_subdirectory(test)\nendif()\n",
				"test/CMakeLists.txt": "add_executable(cart_test cart.cpp)\n",
				"test/cart.cpp":       gtests,
			},
			workspace.Start{Target: "test/cart.cpp", Name: "Cart.Adds", BuildArgs: []string{"-DSHOP_BUILD_TESTS=ON"}}, workspace.Start{},
		},
		"programs whose names are made": {
			map[string]string{
				"CMakeLists.txt": "project(shop)\nforeach(name one two)\n  add_thing(${name})\nendforeach()\n",
				"src/one.c":      cProgram,
			},
			workspace.Start{}, workspace.Start{Target: "src/one.c"},
		},
		"Catch2": {
			map[string]string{
				"CMakeLists.txt": "project(shop)\n", "tests/a.cpp": "#include <catch2/catch_test_macros.hpp>\nTEST_CASE(\"it \\\"adds\\\"\", \"[cart]\") {}\n",
			},
			workspace.Start{Target: "tests/a.cpp", Name: `it "adds"`}, workspace.Start{},
		},
		"doctest, alone": {
			map[string]string{"a.cpp": "#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN\n#include <doctest/doctest.h>\nTEST_CASE(\"adds\") {}\n"},
			workspace.Start{Target: "a.cpp", Name: "adds"}, workspace.Start{},
		},
		"tests by macros of the project's own": {
			map[string]string{
				"CMakeLists.txt": "project(shop)\nadd_executable(shop_test cart.cpp)\nadd_test(NAME all COMMAND ${CMAKE_CROSSCOMPILING_EMULATOR} $<TARGET_FILE:shop_test>)\n",
				"test.h":         "#define TEST(x, y) void x##y()\n", "cart.cpp": "#include \"test.h\"\nTEST(Cart, Adds) {}\nint main() {}\n",
			},
			workspace.Start{Target: ".", Module: "shop_test", Name: "all"}, workspace.Start{},
		},
		"tests by macros of a framework that is not known here": {
			map[string]string{
				"CMakeLists.txt": "project(shop)\nadd_executable(shop_test cart.c)\nadd_test(NAME all COMMAND shop_test)\n",
				"cart.c":         "#include \"unity_fixture.h\"\nTEST(Cart, Adds) {}\nTEST_CASE(\"adds\") {}\nint main() {}\n",
			},
			workspace.Start{Target: ".", Module: "shop_test", Name: "all"}, workspace.Start{},
		},
		"GoogleTest through headers above": {
			map[string]string{
				"CMakeLists.txt": "project(shop)\n", "include/shop/test.h": "#include \"own.h\"\n", "include/shop/own.h": "#include \"gmock/gmock.h\"\n#include \"test.h\"\n",
				"tests/cart.cpp": "#include <shop/test.h>\nTEST(Cart, Adds) {}\n",
			},
			workspace.Start{Target: "tests/cart.cpp", Name: "Cart.Adds"}, workspace.Start{},
		},
		"GoogleTest through a header of the project": {
			map[string]string{
				"CMakeLists.txt": "project(shop)\n", "test.h": "#include <gtest/gtest.h>\n", "cart.cpp": "#include \"test.h\"\nTEST(Cart, Adds) {}\n",
			},
			workspace.Start{Target: "cart.cpp", Name: "Cart.Adds"}, workspace.Start{},
		},
		"tests that are scripts, and documentation that is made": {
			map[string]string{
				"CMakeLists.txt": "project(shop)\nadd_test(NAME text COMMAND \"${PYTHON_EXECUTABLE}\" text.py)\nadd_test(NAME made COMMAND ${WHAT}/x)\nadd_test(NAME sums COMMAND sums)\nadd_executable(sums sums.c)\n",
				"sums.c":         cProgram, "doc/build.py": "if __name__ == '__main__':\n    pass\n", "test/run.py": "if __name__ == '__main__':\n    pass\n",
			},
			workspace.Start{Target: ".", Module: "sums", Name: "sums"}, workspace.Start{},
		},
		"what others have contributed": {
			map[string]string{
				"contrib/meson/meson.build": "project('shop', 'c')\nexecutable('shop', 'main.c')\n", "contrib/meson/main.c": cProgram,
				"programs/Makefile": "all: shop\n", "programs/main.c": cProgram,
			},
			workspace.Start{}, workspace.Start{Target: "programs"},
		},
		"a test of Meson whose program is made where it is named": {
			map[string]string{"meson.build": "project('shop', 'c')\ntest(\n  'cart',\n  executable('cart_test', 'cart.c'),\n)\n", "cart.c": cProgram},
			workspace.Start{Target: ".", Module: "cart_test", Name: "cart"}, workspace.Start{},
		},
		"Meson": {
			map[string]string{
				"meson.build":       "project('shop', 'c')\nexecutable('other', 'other.c')\nexecutable('shop', 'main.c')\nsubdir('test')\n",
				"main.c":            cProgram,
				"test/meson.build":  "t = executable('cart_test', 'cart.c')\n# test('not', t)\ntest('cart', t, timeout: 5)\n",
				"test/cart.c":       cProgram,
				"bd/meson-info/x.c": cProgram, "bd/meson-private/coredata.dat": "",
			},
			workspace.Start{Target: ".", Module: "cart_test", Name: "cart"}, workspace.Start{Target: ".", Module: "shop"},
		},
		"Bazel": {
			map[string]string{"MODULE.bazel": "", "app/BUILD.bazel": "cc_binary(name = \"app\")\n", "app/main.c": cProgram, "app/cart.cpp": gtests},
			workspace.Start{}, workspace.Start{},
		},
		"not configured yet": {map[string]string{"configure.ac": "", "src/main.c": cProgram}, workspace.Start{}, workspace.Start{}},
		"not configured yet, as a GNUmakefile says": {
			map[string]string{"configure.ac": "", "GNUmakefile": "abort:\n\t@echo run ./configure\n", "src/main.c": cProgram}, workspace.Start{}, workspace.Start{},
		},
		"configured": {map[string]string{"configure.ac": "", "Makefile": "all: src/app\n", "src/main.c": cProgram}, workspace.Start{}, workspace.Start{Target: "."}},
		"a makefile above its sources": {
			map[string]string{"Makefile": "shop: src/main.o\n", "src/main.c": cProgram, "src/cart.c": "int cart;\n"},
			workspace.Start{}, workspace.Start{Target: "."},
		},
		"a makefile of several programs and tests": {
			map[string]string{
				"Makefile": "BIN = bin\nTOOL := $(BIN)/tool\nall: $(TOOL) $(BIN)/shop\n$(BIN)/shop: main.o cart.o\n\tcc -o $@ $^\n" +
					"$(TOOL): tool.c\n\ncart_test: test/cart.o\n.PHONY: all clean\n%.o: %.c\n",
				"main.c": "Int32 main (Int32 n) {}\n", "tool.c": cProgram, "test/cart.cpp": gtests, "old/once.c": cProgram,
			},
			workspace.Start{Target: ".", Module: "cart_test", Name: "Cart.Adds"}, workspace.Start{Target: ".", Module: "bin/shop"},
		},
	}
	for name, l := range layouts {
		t.Run(name, l.check)
	}
}

// What failed when CTest or Meson was run last is started first.
func TestFailedTestsOfCPP(t *testing.T) {
	const mesonLog = `{"name": "shop:units / cart", "stdout": "", "result": "FAIL"}` + "\n" + `{"name": "other", "result": "OK"}` + "\n"
	cmake := map[string]string{
		"CMakeLists.txt": "project(shop)\nadd_executable(units a.cpp b.cpp)\nadd_test(NAME units COMMAND units)\n",
		"a.cpp":          "#include <gtest/gtest.h>\nTEST(Cart, Adds) {}\n", "b.cpp": "#include <gtest/gtest.h>\nTEST(Till, Opens) {}\nTEST_P(Till, Sums) {}\n",
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
			workspace.Start{Target: "b.cpp", Name: "Till.Opens", Reason: workspace.Failed}, workspace.Start{},
		},
		"one case": {
			with(cmake, "build/Testing/Temporary/LastTestsFailed.log", "3:Small/Till.Sums/2\n"),
			workspace.Start{Target: "b.cpp", Name: "Small/Till.Sums/2", Reason: workspace.Failed}, workspace.Start{},
		},
		"a whole program": {
			with(cmake, "build/Testing/Temporary/LastTestsFailed.log", "1:units\n",
				"build/Testing/Temporary/LastTest.log", "[       OK ] Cart.Adds (0 ms)\n[  FAILED  ] Till.Opens (0 ms)\n[  FAILED  ] Till.Opens\n"),
			workspace.Start{Target: "b.cpp", Name: "Till.Opens", Reason: workspace.Failed}, workspace.Start{},
		},
		"Meson": {
			map[string]string{
				"meson.build": "project('shop', 'c')\nu = executable('u', 'u.c')\nc = executable('c', 'c.c')\ntest('other', u)\ntest('cart', c)\n",
				"u.c":         cProgram, "c.c": cProgram, "build/meson-private/coredata.dat": "", "build/meson-logs/testlog.json": mesonLog,
			},
			workspace.Start{Target: ".", Module: "c", Name: "cart", Reason: workspace.Failed}, workspace.Start{},
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
		want  []workspace.Language
	}{
		"C++": {map[string]string{"a.cpp": "", "b.cc": "", "c.c": "", "a.h": "", "b.h": ""}, []workspace.Language{{Name: "cpp", Files: 4}, {Name: "c", Files: 1}}},
		"C":   {map[string]string{"a.cpp": "", "b.c": "", "a.h": "", "b.h": ""}, []workspace.Language{{Name: "c", Files: 3}, {Name: "cpp", Files: 1}}},
	} {
		if diff := cmp.Diff(c.want, workspacetest.Detect(t, known, filetree.New(t, c.files)).Languages); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// What is found in projects.
func TestDetect(t *testing.T) {
	for name, c := range map[string]workspacetest.Project{
		"cmake": {
			Files: map[string]string{
				"CMakeLists.txt":       "project(shop)\nadd_executable(shop main.cpp)\nadd_subdirectory(tests)\n",
				"main.cpp":             "int main() {}\n",
				"tests/CMakeLists.txt": "add_executable(shop_test t.cpp)\n",
				"tests/t.cpp":          "#include <gtest/gtest.h>\nTEST(Cart, Adds) {}\nTEST_F(Shelf, Holds) {}\n",
				"build/CMakeCache.txt": "", "build/gen.c": "int main(void) {}\n",
			},
			Want: workspacetest.Found{
				Programs: []workspace.Program{
					{Language: "cpp", Path: ".", Target: ".", Module: "shop", File: "CMakeLists.txt", Line: 2, Usual: true},
				},
				Tests:      []workspace.Suite{{Language: "cpp", Framework: "GoogleTest", Path: "tests", Target: "tests/t.cpp", Names: []string{"Cart.Adds", "Shelf.Holds"}, Total: 2}},
				Frameworks: []workspace.Framework{{Language: "cpp", Name: "GoogleTest"}},
			},
		},
		"make and single files": {
			Files: map[string]string{
				"tool/Makefile": "tool: tool.c\n", "tool/tool.c": "#include <stdio.h>\n\nint main(int argc, char **argv) {\n}\n",
				"one.cpp": "auto main() -> int {}\n", "lib.c": "int domain(void) { return 0; }\n",
			},
			Want: workspacetest.Found{
				Programs: []workspace.Program{
					{Language: "cpp", Path: ".", Target: "one.cpp", File: "one.cpp", Line: 1},
					{Language: "cpp", Path: "tool", Target: "tool", File: "tool/tool.c", Line: 3},
				},
			},
		},
	} {
		t.Run(name, func(t *testing.T) { c.Check(t, known) })
	}
}
