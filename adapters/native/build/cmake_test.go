package build

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/fault"
)

func TestCMake(t *testing.T) {
	t.Parallel()
	p := newProject(t, "cpp/pantry")
	for _, r := range []adapters.Request{
		{Target: ".", Module: "pantry"},
		{Target: "pantry"},
		{Target: "src/main.cpp"},
		{Target: "build/pantry"},
		{Target: "CMakeLists.txt", Module: "pantry"},
	} {
		got := p.build(CPP, r)
		wants(t, output(t, got), "total 7")
		if got.Dir != p.dir || got.Modules[0] != p.dir || got.Entry != "main" || !hasDebugInfo(got.Program) {
			t.Errorf("%+v: %+v", r, got)
		}
		if strings.HasPrefix(got.Program, p.dir) {
			t.Errorf("%s lies in the source", got.Program)
		}
	}
	p.refuse(CPP, adapters.Request{Target: "."}, fault.InvalidTarget, "has 3 programs", "audit, pantry, shelf_test")
	p.refuse(CPP, adapters.Request{Target: ".", Module: "pantri"}, fault.InvalidTarget, "no target pantri", "did you mean pantry?")
	p.refuse(CPP, adapters.Request{Target: "shelf"}, fault.InvalidTarget, "shelf", "is no program", "audit, pantry")
	p.refuse(CPP, adapters.Request{Target: "src/shelv.cpp"}, fault.InvalidTarget, "there is no ./src/shelv.cpp", "did you mean shelf.cpp")

	p.write("src/shelf.cpp", "#include \"shelf.h\"\nvoid Shelf::put(const std::string &what, int count) {\n  jars[what] = count;\n}\n")
	located(t, p.refuse(CPP, adapters.Request{Target: "pantry"}, fault.BuildFailed, "was not declared", "src/shelf.cpp:3"), filepath.Join("src", "shelf.cpp"), 3)
	p.write("CMakeLists.txt", "cmake_minimum_required(VERSION 3.14)\nproject(pantry CXX)\nadd_executable(pantry src/missing.cpp)\n")
	located(t, p.refuse(CPP, adapters.Request{Target: "pantry"}, fault.BuildFailed, "missing.cpp"), "CMakeLists.txt", 3)
	p.write("CMakeLists.txt", "cmake_minimum_required(VERSION 3.14)\nproject(pantry CXX)\nfind_package(Nowhere REQUIRED)\n")
	located(t, p.refuse(CPP, adapters.Request{Target: "pantry"}, fault.BuildFailed, "Nowhere", "CMAKE_PREFIX_PATH"), "CMakeLists.txt", 3)
	p.write("CMakeLists.txt", "cmake_minimum_required(VERSION 3.14)\nproject(pantry CXX)\nadd_library(shelf STATIC src/shelf.cpp)\n")
	p.refuse(CPP, adapters.Request{Target: "."}, fault.InvalidTarget, "has no program", "shelf")
	p.refuse(CPP, adapters.Request{Target: ".", RuntimePath: "/nowhere"}, fault.InvalidParam, "runtime_path")
	p.refuse(CPP, adapters.Request{Target: ".", Env: map[string]string{"PATH": p.dir}}, fault.BuildFailed, "cmake was not found", "apt install cmake")
}

func TestAnExistingBuildTreeIsUsed(t *testing.T) {
	t.Parallel()
	p := newProject(t, "cpp/pantry")
	build := filepath.Join(p.dir, "build")
	if out, err := exec.Command("cmake", "-S", p.dir, "-B", build, "-DCMAKE_BUILD_TYPE=Debug").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if got := p.build(CPP, adapters.Request{Target: "pantry"}); got.Program != filepath.Join(build, "pantry") {
		t.Errorf("built %s", got.Program)
	}
}

func TestGoogleTests(t *testing.T) {
	t.Parallel()
	p := newProject(t, "cpp/pantry")
	var program string
	for _, c := range []struct{ test, entry, printed string }{
		{"Shelf.Holds", "Shelf_Holds_Test::TestBody", "[  PASSED  ] 1 test."},
		{"Takes", "Shelf_Takes_Test::TestBody", "1 FAILED TEST"},
		{"Shelf", "main", "3 tests from 1 test suite ran"},
		{"Sizes.Fit", "main", "2 tests from 1 test suite ran"},
		{"Small/Sizes.Fit/1", "Sizes_Fit_Test::TestBody", "[  PASSED  ] 1 test."},
		{"Sizes", "main", "2 tests from 1 test suite ran"},
		{"*.IsEmpty", "main", "2 tests from 2 test suites ran"},
		{"Other.IsEmpty", "Other_IsEmpty_Test::TestBody", "[  PASSED  ] 1 test."}, // the environment is CTest's
		{"audit-passes", "main", "audit 2 --strict"},
	} {
		got := p.build(CPP, adapters.Request{Target: ".", Test: c.test})
		if got.Entry != c.entry {
			t.Errorf("%s: entry %s, want %s", c.test, got.Entry, c.entry)
		}
		wants(t, output(t, got), c.printed)
		if filepath.Base(got.Program) == "shelf_test" {
			program = got.Program
		}
	}
	ready := p.build(CPP, adapters.Request{Target: program, Test: "Shelf.Holds"})
	wants(t, output(t, ready), "[  PASSED  ] 1 test.")
	wants(t, output(t, p.build(CPP, adapters.Request{Target: "tests/shelf_test.cpp", Mode: adapters.Test})), "6 tests from 3 test suites ran")
	wants(t, output(t, p.build(CPP, adapters.Request{Target: "shelf_test", Mode: adapters.Test})), "6 tests from 3 test suites ran")
	p.refuse(CPP, adapters.Request{Target: ".", Test: "IsEmpty"}, fault.InvalidTarget, "2 tests are called IsEmpty", "Shelf.IsEmpty, Other.IsEmpty")
	p.refuse(CPP, adapters.Request{Target: ".", Test: "Shelf.Hold"}, fault.InvalidParam, "no test Shelf.Hold", "did you mean Shelf.Holds")
	p.refuse(CPP, adapters.Request{Target: ".", Test: "Zebra"}, fault.InvalidParam, "its tests are", "Shelf.Holds")
	p.refuse(CPP, adapters.Request{Target: "pantry", Test: "Shelf.Holds"}, fault.InvalidTarget, "pantry has no tests")
}

const twoPrograms = "all: one two\none: one.c\n\t$(CC) $(CFLAGS) -o $@ $<\ntwo: one.c\n\t$(CC) $(CFLAGS) -o $@ $<\n.PHONY: all\n"

func TestMake(t *testing.T) {
	t.Parallel()
	p := newProject(t, "")
	p.write("Makefile", "CFLAGS = -O2 -I$(INC)\nINC = include\napp: main.o util.o\n\t$(CC) $(CFLAGS) -o $@ $^\nclean:\n\trm -f app *.o\n")
	p.write("include/util.h", "int twice(int);\n").write("util.c", "#include \"util.h\"\nint twice(int n) { return 2 * n; }\n")
	p.write("main.c", "#include <stdio.h>\n#include \"util.h\"\nint main(void) {\n  printf(\"twice %d\\n\", twice(21));\n}\n")
	// What was made without debug information is made again.
	cmd := exec.Command("make")
	cmd.Dir = p.dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, r := range []adapters.Request{{Target: "."}, {Target: ".", Module: "app"}, {Target: "Makefile"}, {Target: ".", BuildArgs: []string{"app"}}} {
		got := p.build(CPP, r)
		wants(t, output(t, got), "twice 42")
		if got.Program != filepath.Join(p.dir, "app") || got.Dir != p.dir || !hasDebugInfo(got.Program) {
			t.Errorf("%+v", got)
		}
	}
	if err := os.Remove(filepath.Join(p.dir, "app")); err != nil {
		t.Fatal(err)
	}
	wants(t, output(t, p.build(CPP, adapters.Request{Target: "./app"})), "twice 42")
	p.refuse(CPP, adapters.Request{Target: ".", Module: "ap"}, fault.InvalidTarget, "no target ap", "did you mean app?")
	p.refuse(CPP, adapters.Request{Target: ".", Env: map[string]string{"PATH": p.dir}}, fault.BuildFailed, "make was not found")
	p.write("util.c", "int twice(int n) { return 2 * m; }\n")
	located(t, p.refuse(CPP, adapters.Request{Target: "."}, fault.BuildFailed, "undeclared"), "util.c", 1)
	p.write("util.c", "int thrice(int n) { return 3 * n; }\n")
	located(t, p.refuse(CPP, adapters.Request{Target: "."}, fault.BuildFailed, "undefined reference"), "main.c", 4)
	p.write("Makefile", "app: main.c\n    gcc main.c\n")
	located(t, p.refuse(CPP, adapters.Request{Target: "."}, fault.BuildFailed, "missing separator"), "Makefile", 2)
	p.write("Makefile", "app: nowhere.c\n\t$(CC) -o $@ $<\n")
	p.refuse(CPP, adapters.Request{Target: "."}, fault.BuildFailed, "no rule to make 'nowhere.c'")

	p.write("one.c", "int main(void) { return 0; }\n").write("Makefile", twoPrograms)
	p.refuse(CPP, adapters.Request{Target: "."}, fault.InvalidTarget, "2 programs", "./one", "./two")
	p.write("Makefile", "three: one.c\n\tgcc -s -o $@ $<\n")
	p.refuse(CPP, adapters.Request{Target: "."}, fault.BuildFailed, "without debug information", "$(CFLAGS)")
}

func TestOneSourceFile(t *testing.T) {
	t.Parallel()
	p := newProject(t, "")
	p.write("calc.c", "#include <stdio.h>\nint main(void) {\n  printf(\"C %d\\n\", 42);\n}\n")
	p.write("calc.cpp", "#include <iostream>\n#include \"calc.h\"\nint main() {\n  std::cout << \"C++ \" << WORD << std::endl;\n}\n").write("calc.h", "#define WORD \"old\"\n")
	wants(t, output(t, p.build(CPP, adapters.Request{Target: "calc.c"})), "C 42")
	first := p.build(CPP, adapters.Request{Target: "calc.cpp"})
	wants(t, output(t, first), "C++ old")
	if again := p.build(CPP, adapters.Request{Target: "calc.cpp"}); again.Program != first.Program {
		t.Error("what had not changed was compiled again")
	}
	p.write("calc.h", "#define WORD \"changed\"\n")
	wants(t, output(t, p.build(CPP, adapters.Request{Target: "calc.cpp"})), "C++ changed")
	wants(t, output(t, p.build(CPP, adapters.Request{Target: "calc.cpp", Env: map[string]string{"CXXFLAGS": "-DX", "CXX": "g++ -Wall"}})), "C++ changed")

	p.write("bad.c", "int main(void) {\n  return missing;\n}\n")
	located(t, p.refuse(CPP, adapters.Request{Target: "bad.c"}, fault.BuildFailed, "bad.c:2", "undeclared"), "bad.c", 2)
	p.write("bad.cpp", "#include \"nowhere.h\"\nint main() {}\n")
	located(t, p.refuse(CPP, adapters.Request{Target: "bad.cpp"}, fault.BuildFailed, "nowhere.h", `"build_args":["-Iinclude"]`), "bad.cpp", 1)
	p.write("link.cpp", "int twice(int);\nint main() {\n  return twice(21);\n}\n").write("util.cpp", "int twice(int n) { return 2 * n; }\n")
	located(t, p.refuse(CPP, adapters.Request{Target: "link.cpp"}, fault.BuildFailed, "undefined reference", `"build_args":["util.cpp"`), "link.cpp", 3)
	p.build(CPP, adapters.Request{Target: "link.cpp", BuildArgs: []string{"util.cpp"}})
	p.write("library.c", "int twice(int n) { return 2 * n; }\n")
	p.refuse(CPP, adapters.Request{Target: "library.c"}, fault.BuildFailed, "main", "no main function")
	p.refuse(CPP, adapters.Request{Target: "calc.c", Env: map[string]string{"PATH": p.dir}}, fault.BuildFailed, "a C compiler was not found", "apt install g++")
	p.refuse(CPP, adapters.Request{Target: "calc.cpp", Env: map[string]string{"CXX": "no-such-c++"}}, fault.BuildFailed, "no-such-c++", "CXX")
	p.refuse(CPP, adapters.Request{Target: "."}, fault.InvalidTarget, "source files and nothing that says how they are built", "calc.c")
	p.refuse(CPP, adapters.Request{Target: "calc.cp"}, fault.InvalidTarget, "there is no ./calc.cp", "did you mean calc.c")
	p.refuse(CPP, adapters.Request{Target: "calc.h"}, fault.InvalidTarget, "neither source nor a program")
	p.refuse(CPP, adapters.Request{Target: "calc.c", Mode: adapters.Test}, fault.InvalidTarget, "no tests that are known here")
}
