//go:build linux

package languages

import (
	"strings"
	"testing"

	"aidb-mcp/internal/testkit"
)

// TestGoogleTestFailures: an assertion that fails stops at its line with what it
// found and the test's variables; a test that passes runs to its end.
func TestGoogleTestFailures(t *testing.T) {
	t.Parallel()
	s, p := cppProgram(t)
	p.Write("prices_test.cpp", strings.Join([]string{
		"#include <gtest/gtest.h>", "#include <stdexcept>",
		"static int price(int n) { return n * 3; }",
		"TEST(Shop, Fails) {",
		"  int count = 4;",
		"  int got = price(count);",
		`  EXPECT_EQ(got, 13) << "for " << count;`,
		"  ASSERT_TRUE(got == 13);",
		"}",
		"TEST(Shop, Passes) {",
		`  EXPECT_THROW(throw std::runtime_error("x"), std::runtime_error);`,
		"  EXPECT_EQ(price(2), 6);",
		"}", "",
	}, "\n"))
	run(t, p.Dir, "g++", "-g", "-O0", "-o", "prices_test", "prices_test.cpp", "-lgtest", "-lgtest_main", "-pthread")
	for _, debugger := range debuggers() {
		start := A{"target": "prices_test", "mode": "test", "language": "cpp", "test": "Shop.Fails", "timeout_ms": startLimit, "adapter_options": A{"debugger": debugger}}
		r := s.OK("session_start", start).Stopped("stopped_at_exception", "prices_test.cpp:7")
		r.Want("test failure", "data", "exception", "type").Contains([]string{"data", "exception", "message"}, "Expected equality", "Which is: 12", "13")
		r.Want("4", "data", "locals", "count", "v")
		if debugger == "gdb" && !testkit.IsLong() { // the rest is as under LLDB
			continue
		}
		s.OK("execute", nil).Stopped("stopped_at_exception", "prices_test.cpp:8")
		s.OK("execute", nil).Want("1", "data", "execution_state", "exit_code")
		start["test"] = "Shop.Passes"
		s.OK("session_start", start).Want("0", "data", "execution_state", "exit_code")
	}
	noTestRan(t, s, "prices_test", "--gtest_filter=Shop.Buys", debuggers()...)
	s.OK("session_start", A{"target": "prices_test", "mode": "exec", "args": []string{"--gtest_filter=*.Passes"}, "timeout_ms": startLimit}).Want("0", "data", "execution_state", "exit_code")
}

// TestNativeSignals: a signal that the program handles is the program's, and no stop.
func TestNativeSignals(t *testing.T) {
	t.Parallel()
	s, p := cppProgram(t)
	p.Write("signals.c", strings.Join([]string{
		"#include <signal.h>", "#include <stdio.h>",
		"static volatile sig_atomic_t seen;",
		"static void note(int n) { (void)n; seen++; }",
		"int main(void) {",
		"  signal(SIGUSR1, note); signal(SIGHUP, note);",
		"  raise(SIGUSR1); raise(SIGHUP);",
		`  printf("seen %d\n", (int)seen);`,
		"  return 0;",
		"}", "",
	}, "\n"))
	run(t, p.Dir, "gcc", "-g", "-o", "signals", "signals.c")
	for _, debugger := range viewers() {
		r := s.OK("session_start", A{"target": "signals", "timeout_ms": startLimit, "adapter_options": A{"debugger": debugger}})
		r.Want("0", "data", "execution_state", "exit_code").Contains([]string{"data", "output", "stdout"}, "seen 2")
	}
}

// TestNativeSanitizer: what AddressSanitizer reports is an exception in the user's
// line; the program without an error runs to its end.
func TestNativeSanitizer(t *testing.T) {
	t.Parallel()
	s, p := cppProgram(t)
	p.Write("freed.cpp", strings.Join([]string{
		"#include <cstdio>",
		"static int take(int *p) {",
		"  return p[1];",
		"}",
		"int main(int argc, char **) {",
		"  int *p = new int[3]();",
		"  if (argc > 1) delete[] p;",
		`  std::printf("took %d\n", take(p));`,
		"  if (argc == 1) delete[] p;",
		"}", "",
	}, "\n"))
	run(t, p.Dir, "g++", "-g", "-fsanitize=address", "-o", "freed", "freed.cpp")
	list := debuggers()
	if !testkit.IsLong() { // test/diagnosing has a report under LLDB
		list = []string{"gdb"}
	}
	for _, debugger := range list {
		start := A{"target": "freed", "args": []string{"freed"}, "timeout_ms": startLimit, "adapter_options": A{"debugger": debugger}}
		r := s.OK("session_start", start).Stopped("stopped_at_exception", "freed.cpp:3")
		r.Want("AddressSanitizer", "data", "exception", "type").
			Contains([]string{"data", "exception", "message"}, "heap-use-after-free", "read of 4 bytes at 0x")
		delete(start, "args")
		s.OK("session_start", start).Want("0", "data", "execution_state", "exit_code").Contains([]string{"data", "output", "stdout"}, "took 0")
	}
}
