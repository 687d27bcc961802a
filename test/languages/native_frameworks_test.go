//go:build linux

package languages

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"aidb-mcp/internal/testkit"
)

const assertions = `
#include <string>
static int add(int a, int b) { return a + b; }
TEST_CASE("adds numbers") {
  int got = add(2, 2);
  CHECK(got == 5);
  REQUIRE(got == 6);
}
TEST_CASE("joins, with a comma") {
  std::string s = "ab";
  PART("upper") { REQUIRE(s == "ab"); }
  PART("lower") { REQUIRE(s == "AB"); }
}
TEST_CASE("passes") {
  CHECK(add(1, 1) == 2);
}
`

// withTests writes and builds the same tests with both frameworks: catch and doctest.
func withTests(t *testing.T, dir string) {
	t.Helper()
	catch, libraries := "#include <catch2/catch_test_macros.hpp>\n\n#define PART SECTION\n", []string{"-lCatch2Main", "-lCatch2"}
	if header, err := os.ReadFile("/usr/include/catch2/catch.hpp"); err == nil { // version 2
		catch = "#include <catch2/catch.hpp>\n\n#define PART SECTION\n"
		libraries = []string{catchMain(t, dir, header)}
	}
	write(t, filepath.Join(dir, "catch.cpp"), catch+assertions, 0o644)
	write(t, filepath.Join(dir, "doctest.cpp"), "#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN\n#include <doctest/doctest.h>\n#define PART SUBCASE\n"+assertions, 0o644)
	run(t, dir, "g++", append([]string{"-std=c++17", "-g", "-O0", "-o", "catch", "catch.cpp"}, libraries...)...)
	run(t, dir, "g++", "-g", "-O0", "-o", "doctest", "doctest.cpp")
}

// catchMain is the object with all that Catch2's header brings: it takes ten seconds of a
// processor, and is kept for the next run.
func catchMain(t *testing.T, dir string, header []byte) string {
	t.Helper()
	compiler, err := exec.Command("g++", "--version").Output()
	if err != nil {
		t.Fatalf("asking for the compiler's version: %v", err)
	}
	home := filepath.Join(testkit.Home(), "catch2")
	if err := os.MkdirAll(home, 0o755); err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(append(compiler, header...))
	object := filepath.Join(home, hex.EncodeToString(sum[:6])+".o")
	defer testkit.Alone(t, object+".lock")()
	if _, err := os.Stat(object); err == nil {
		return object
	}
	write(t, filepath.Join(dir, "catchmain.cpp"), "#define CATCH_CONFIG_MAIN\n#include <catch2/catch.hpp>\n", 0o644)
	fresh := object + ".new" // one that is cut off is none
	run(t, dir, "g++", "-std=c++17", "-g", "-O0", "-c", "-o", fresh, "catchmain.cpp")
	if err := os.Rename(fresh, object); err != nil {
		t.Fatal(err)
	}
	return object
}

// TestNativeFrameworks: a test of Catch2 or doctest is started by its name, stops
// at the line of the assertion that fails with what that says, and one that is
// not there is no success.
func TestNativeFrameworks(t *testing.T) {
	t.Parallel()
	testkit.Adapters(t)
	dir := t.TempDir()
	withTests(t, dir)
	for _, framework := range []struct{ name, values string }{
		{"catch", "CHECK( got == 5 ) failed; the program's output has the values"},
		{"doctest", "CHECK( got == 5 ) failed: 4 == 5"},
	} {
		for _, debugger := range viewers() {
			t.Run(framework.name+" "+debugger, func(t *testing.T) {
				t.Parallel()
				s := testkit.Start(t, testkit.Options{Dir: dir, Env: withGDB()})
				start := func(test string) A {
					return A{"target": framework.name, "mode": "test", "language": "cpp", "test": test, "timeout_ms": startLimit, "adapter_options": A{"debugger": debugger}}
				}
				r := s.OK("session_start", start("adds numbers")).Stopped("stopped_at_exception", framework.name+".cpp:9")
				r.Want("test failure", "data", "exception", "type").Want(framework.values, "data", "exception", "message").Want("4", "data", "locals", "got", "v")
				r.Contains([]string{"data", "output", "stdout"}, "4 == 5")
				if debugger == "gdb" && !testkit.IsLong() { // the rest is as under LLDB
					return
				}
				s.OK("execute", nil).Stopped("stopped_at_exception", framework.name+".cpp:10")
				if s.OK("execute", nil).At("data", "execution_state", "exit_code") == "0" {
					t.Error("the run was a success")
				}
				s.OK("session_start", start("joins, with a comma/lower")).Stopped("stopped_at_exception", framework.name+".cpp:15").
					Want(`"ab"`, "data", "locals", "s", "v")
				s.OK("session_start", start("Passes")).Want("0", "data", "execution_state", "exit_code")
				s.Fail("VALIDATION_INVALID_TARGET", "session_start", start("joins, with a comma/lowr")).Has("no test ran")
				s.Fail("VALIDATION_INVALID_PARAM", "session_start", start("add numbers")).Has("did you mean adds numbers?")
			})
		}
	}
	t.Run("none", func(t *testing.T) {
		t.Parallel()
		s := testkit.Start(t, testkit.Options{Dir: dir, Env: withGDB()})
		noTestRan(t, s, "catch", "nosuch", debuggers()[:testkit.Rounds(1, 3)]...)
		noTestRan(t, s, "doctest", "--dt-test-case=nosuch", debuggers()[:testkit.Rounds(1, 3)]...)
	})
}

// noTestRan: a run of no test is no success, though GoogleTest, Catch2 and
// doctest call it one.
func noTestRan(t *testing.T, s *testkit.Server, program, argument string, tried ...string) {
	t.Helper()
	for _, debugger := range tried {
		s.Fail("VALIDATION_INVALID_TARGET", "session_start", A{
			"target": program, "mode": "exec", "language": "cpp", "args": []string{argument}, "timeout_ms": startLimit, "adapter_options": A{"debugger": debugger},
		}).Has("no test ran")
	}
}
