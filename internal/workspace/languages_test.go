package workspace

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// found is what is looked at in these tests.
type found struct {
	Programs   []Program
	Tests      []Suite
	Frameworks []Framework
}

func TestDetectLanguages(t *testing.T) {
	cases := map[string]struct {
		files map[string]string
		want  found
	}{
		"python": {
			map[string]string{
				"pyproject.toml":     "[project]\n",
				"app.py":             "\"\"\"Sells things. And more.\"\"\"\nimport sys\n\nif __name__ == \"__main__\":\n    pass\n",
				"lib.py":             "def test_nothing():\n    pass\n",
				"shop/__init__.py":   "",
				"shop/__main__.py":   "print(1)\n",
				"tests/test_cart.py": "import pytest\n\ndef test_sum():\n    pass\n\nclass TestCart:\n    def test_add(self):\n        pass\n    def helper(self):\n        pass\n\nclass Fake:\n    def test_no(self):\n        pass\n",
				"tests/test_unit.py": "import unittest\n\nclass Prices(unittest.TestCase):\n    def test_zero(self):\n        pass\n",
				".venv/pyvenv.cfg":   "", ".venv/bin/python": "", ".venv/lib/x.py": "if __name__ == '__main__':\n    pass\n",
			},
			found{
				[]Program{
					{Language: "python", Path: ".", Target: "app.py", File: "app.py", Line: 4, Doc: "Sells things."},
					{Language: "python", Path: "shop", Target: "shop", File: "shop/__main__.py", Line: 1},
				},
				[]Suite{
					{Language: "python", Framework: "pytest", Path: "tests", Target: "tests/test_cart.py", Names: []string{"test_sum", "TestCart::test_add"}, Total: 2},
					{Language: "python", Framework: "pytest", Path: "tests", Target: "tests/test_unit.py", Names: []string{"Prices::test_zero"}, Total: 1},
				},
				[]Framework{{"python", "pytest"}},
			},
		},
		"javascript": {
			map[string]string{
				"package.json":  `{"description": "A shop.", "main": "dist/index.js", "bin": {"b": "bin/b.js", "a": "bin/a.js"}, "scripts": {"start": "node --enable-source-maps src/server.js"}, "devDependencies": {"jest": "1"}}`,
				"tsconfig.json": "{}",
				"src/server.js": "", "src/index.ts": "", "bin/a.js": "", "src/other.js": "",
				"src/sum.test.ts":     "describe('sum', () => {\n  it('adds', () => {})\n  test(\"it's zero\", () => {})\n  // it('not', …)\n})\n",
				"tools/gen.mjs":       "#!/usr/bin/env node\n",
				"jest.config.js":      "",
				"node_modules/x/a.js": "#!/usr/bin/env node\n",
				"unit/test/plain.js":  "import test from 'node:test'\ntest('plain', () => {})\n",
			},
			found{
				[]Program{
					{Language: "javascript", Path: "src", Target: "src/server.js", File: "src/server.js", Line: 1, Doc: "A shop."},
					{Language: "javascript", Path: "bin", Target: "bin/a.js", File: "bin/a.js", Line: 1, Doc: "A shop."},
					{Language: "javascript", Path: "src", Target: "src/index.ts", File: "src/index.ts", Line: 1, Doc: "A shop."},
					{Language: "javascript", Path: "tools", Target: "tools/gen.mjs", File: "tools/gen.mjs", Line: 1},
				},
				[]Suite{
					{Language: "javascript", Framework: "jest", Path: "src", Target: "src/sum.test.ts", Names: []string{"adds", "it's zero"}, Total: 2},
					{Language: "javascript", Framework: "node:test", Path: "unit/test", Target: "unit/test/plain.js", Names: []string{"plain"}, Total: 1},
				},
				[]Framework{{"javascript", "jest"}, {"javascript", "node:test"}},
			},
		},
		"cmake": {
			map[string]string{
				"CMakeLists.txt":       "project(shop)\nadd_executable(shop main.cpp)\nadd_subdirectory(tests)\n",
				"main.cpp":             "int main() {}\n",
				"tests/CMakeLists.txt": "add_executable(shop_test t.cpp)\n",
				"tests/t.cpp":          "#include <gtest/gtest.h>\nTEST(Cart, Adds) {}\nTEST_F(Shelf, Holds) {}\n",
				"build/CMakeCache.txt": "", "build/gen.c": "int main(void) {}\n",
			},
			found{
				[]Program{
					{Language: "cpp", Path: ".", Target: ".", Module: "shop", File: "CMakeLists.txt", Line: 2, Usual: true},
				},
				[]Suite{{Language: "cpp", Framework: "GoogleTest", Path: "tests", Target: "tests/t.cpp", Names: []string{"Cart.Adds", "Shelf.Holds"}, Total: 2}},
				[]Framework{{"cpp", "GoogleTest"}},
			},
		},
		"make and single files": {
			map[string]string{
				"tool/Makefile": "tool: tool.c\n", "tool/tool.c": "#include <stdio.h>\n\nint main(int argc, char **argv) {\n}\n",
				"one.cpp": "auto main() -> int {}\n", "lib.c": "int domain(void) { return 0; }\n",
			},
			found{
				[]Program{
					{Language: "cpp", Path: ".", Target: "one.cpp", File: "one.cpp", Line: 1},
					{Language: "cpp", Path: "tool", Target: "tool", File: "tool/tool.c", Line: 3},
				},
				nil, nil,
			},
		},
		"rust": {
			map[string]string{
				"Cargo.toml":        "[package]\nname = \"shop\"\n",
				"src/main.rs":       "//! Sells things.\nmod cart;\n\n#[tokio::main]\nasync fn main() {}\n",
				"src/cart.rs":       "fn domain() {}\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn adds() {}\n    #[test]\n    #[should_panic]\n    fn fails() {}\n    fn helper() {}\n}\n",
				"src/bin/tool.rs":   "fn main() {}\n",
				"build.rs":          "fn main() {}\n",
				"target/debug/x.rs": "fn main() {}\n",
			},
			found{
				[]Program{
					{Language: "rust", Framework: "cargo binary", Path: "src", Target: "src/main.rs", File: "src/main.rs", Line: 5, Doc: "Sells things."},
					{Language: "rust", Framework: "cargo binary", Path: "src/bin", Target: "src/bin/tool.rs", File: "src/bin/tool.rs", Line: 1},
				},
				[]Suite{{Language: "rust", Framework: "cargo test", Path: "src", Target: "src/cart.rs", Names: []string{"cart::tests::adds", "cart::tests::fails"}, Total: 2}},
				[]Framework{{"rust", "cargo test"}},
			},
		},
		"rust tests that a macro makes": {
			map[string]string{
				"Cargo.toml":  "[package]\nname = \"cases\"\n",
				"src/lib.rs":  "macro_rules! case { ($name:ident : $value:expr) => {\n    #[test]\n    fn $name() { assert!($value) }\n} }\ncase!(holds: true);\n",
				"src/none.rs": "macro_rules! make { ($name:ident) => { fn $name() {} } }\nmake!(domain);\n",
			},
			found{
				nil,
				[]Suite{{Language: "rust", Framework: "cargo test", Path: "src", Target: "src/lib.rs", Whole: true}},
				[]Framework{{"rust", "cargo test"}},
			},
		},
		"a library of javascript": {
			map[string]string{
				"package.json":  `{"main": "dist/index.js", "types": "dist/index.d.ts", "bin": "bin/tool.js"}`,
				"dist/index.js": "", "dist/index.d.ts": "", "index.js": "", "bin/tool.js": "",
			},
			found{[]Program{{Language: "javascript", Path: "bin", Target: "bin/tool.js", File: "bin/tool.js", Line: 1}}, nil, nil},
		},
		"a library of javascript alone": {
			map[string]string{"package.json": `{"name": "only", "files": ["lib"]}`, "index.js": "", "lib/main.js": ""},
			found{},
		},
		"java's kinds of tests": {
			map[string]string{
				"shop/Base.java": "package shop;\n\nimport org.junit.jupiter.api.Test;\n\nabstract class Base<T> {\n    @Test\n    void inherited() {}\n}\n",
				"shop/KindsTest.java": "package shop;\n\nimport java.util.stream.Stream;\n\nclass KindsTest extends Base {\n    @TestFactory\n    Stream<DynamicTest> made() {\n        return null;\n    }\n\n" +
					"    @org.junit.jupiter.api.Test\n    void own() {}\n}\n",
			},
			found{
				nil,
				[]Suite{{Language: "java", Framework: "JUnit 5", Path: ".", Target: "shop/KindsTest.java", Names: []string{"KindsTest.made", "KindsTest.own", "KindsTest.inherited"}, Total: 3}},
				[]Framework{{"java", "JUnit 5"}},
			},
		},
		"java": {
			map[string]string{
				"pom.xml":                          "<project/>",
				"src/main/java/shop/Main.java":     "package shop;\n\npublic class Main {\n    public static void main(String[] args) {}\n}\n",
				"src/main/java/shop/Short.java":    "class Short { static void main() {} }\n",
				"src/test/java/shop/CartTest.java": "package shop;\n\nimport org.junit.jupiter.api.Test;\n\nclass CartTest {\n    @Test\n    void adds() {}\n\n    @Test @Disabled(\"x\")\n    public void later() {}\n\n    void helper() {}\n}\n",
			},
			found{
				[]Program{{Language: "java", Path: "src/main/java", Target: "src/main/java/shop/Main.java", File: "src/main/java/shop/Main.java", Line: 4},
					{Language: "java", Path: "src/main/java/shop", Target: "src/main/java/shop/Short.java", File: "src/main/java/shop/Short.java", Line: 1}},
				[]Suite{{Language: "java", Framework: "JUnit 5", Path: "src/test/java", Target: "src/test/java/shop/CartTest.java", Names: []string{"CartTest.adds", "CartTest.later"}, Total: 2}},
				[]Framework{{"java", "JUnit 5"}},
			},
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			p := detect(t, tree(t, c.files))
			if diff := cmp.Diff(c.want, found{p.Programs, p.Tests, p.Frameworks}, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
