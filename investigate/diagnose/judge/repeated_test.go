package judge

import (
	"strconv"
	"strings"
	"testing"

	"aidb-mcp/internal/text/exprsyntax"
)

func TestUnrepeated(t *testing.T) {
	for _, c := range []struct {
		language               exprsyntax.Language
		printed, message, want string
	}{
		{exprsyntax.C, "a\nterminate called after throwing an instance of 'std::out_of_range'\n  what():  map::at\n", "std::out_of_range: map::at (nobody catches it)", "a\n"},
		{exprsyntax.C, "shop: shop.c:37: main: Assertion `o.id == 8' failed.\nb\n", "SIGABRT: shop: shop.c:37: main: Assertion `o.id == 8' failed.", "b\n"},
		{exprsyntax.Rust, "a\n\nthread 'main' (12) panicked at src/main.rs:3:5:\nno city\nstack backtrace:\n   0: core::panic\n             at /rustc/x.rs:1:2\n   1: shop::main\n             at ./src/main.rs:3:5\nnote: Some details are omitted, run with `RUST_BACKTRACE=full` for a verbose backtrace.\n", "panic: no city", "a\n"},
		{exprsyntax.Rust, "thread 'main' panicked at src/main.rs:3:5:\nno city\nnote: run with `RUST_BACKTRACE=1` environment variable to display a backtrace\n", "panic: no city", ""},
		{exprsyntax.Rust, "thread 'other' panicked at src/main.rs:3:5:\nanother\nnote: run with `RUST_BACKTRACE=1` environment variable to display a backtrace\n", "panic: no city", "thread 'other' panicked at src/main.rs:3:5:\nanother\nnote: run with `RUST_BACKTRACE=1` environment variable to display a backtrace\n"},
		{exprsyntax.Java, "x\nException in thread \"main\" java.lang.IllegalStateException: no city\n\tat Shop.main(Shop.java:3)\nCaused by: java.lang.Error\n\t... 3 more\ny\n", "IllegalStateException: no city", "x\ny\n"},
	} {
		if got := Unrepeated(syntaxOf(c.language), c.printed, c.message); got != c.want {
			t.Errorf("%q\n got %q\nwant %q", c.printed, got, c.want)
		}
	}
}

func TestReports(t *testing.T) {
	for _, c := range []struct{ printed, headline, file, function string }{
		{"=================================================================\n==7==ERROR: AddressSanitizer: heap-use-after-free on address 0x602 at pc 0x1 bp 0x2 sp 0x3\nREAD of size 4 at 0x602 thread T0\n    #0 0x40 in freed(unsigned long) /w/shop.cpp:138\n    #1 0x41 in main /w/shop.cpp:205\nSUMMARY: AddressSanitizer: heap-use-after-free /w/shop.cpp:138 in freed\nShadow bytes around the buggy address:\n  0x0c: fa\n==7==ABORTING\n",
			"AddressSanitizer: heap-use-after-free", "/w/shop.cpp:138", "freed(unsigned long)"},
		{"shop.cpp:143:14: runtime error: signed integer overflow: 4 * 2 cannot be represented in type 'int'\n", "runtime error: signed integer overflow: 4 * 2 cannot be represented in type 'int'", "shop.cpp:143", ""},
		{"==================\nWARNING: ThreadSanitizer: data race (pid=7)\n  Write of size 8 at 0x1 by thread T1:\n    #0 race()::{lambda()#1}::operator()() const /w/shop.cpp:157:50 (shop+0x1)\n", "ThreadSanitizer: data race", "/w/shop.cpp:157", "race()::{lambda()#1}::operator()() const"},
		{"==================\nWARNING: DATA RACE\nWrite at 0x1 by goroutine 7:\n  main.count()\n      /w/main.go:12 +0x44\n", "DATA RACE", "/w/main.go:12", "main.count"},
	} {
		report := Report(c.printed)
		if got := Headline(report); got != c.headline {
			t.Errorf("the headline of %q is %q", report, got)
		}
		if strings.Contains(report, "Shadow bytes") {
			t.Errorf("the report has the shadow: %q", report)
		}
		places := Places(report)
		if len(places) == 0 {
			t.Errorf("no place in %q", report)
			continue
		}
		if p := places[0]; p.File+":"+strconv.Itoa(p.Line) != c.file || p.Function != c.function {
			t.Errorf("the place is %+v, want %s in %s", p, c.file, c.function)
		}
	}
}

// Who has made a thread did not race.
func TestAccesses(t *testing.T) {
	report := "WARNING: DATA RACE\nWrite at 0x1 by goroutine 8:\n  a.TestLoop.func2()\n      /w/sub_test.go:32 +0x44\n\nPrevious read at 0x1 by goroutine 7:\n  a.(*loop).run()\n      /w/sub_test.go:17 +0x3c\n\n" +
		"Goroutine 8 (running) created at:\n  a.TestLoop()\n      /w/sub_test.go:30 +0x54\n"
	places := Accesses(report)
	if len(places) != 2 || places[0].Line != 32 || places[1].Line != 17 {
		t.Errorf("the accesses are %+v", places)
	}
	if all := Places(report); len(all) != 3 {
		t.Errorf("the places are %+v", all)
	}
}

func TestRecursion(t *testing.T) {
	one := strings.Split(strings.Repeat("f ", 100), " ")
	if period, length := Recursion(one); period != 1 || length != 100 {
		t.Errorf("one function: %d, %d", period, length)
	}
	two := strings.Split(strings.Repeat("f g ", 50)+"main", " ")
	if period, length := Recursion(two); period != 2 || length != 100 {
		t.Errorf("two functions: %d, %d", period, length)
	}
	if period, _ := Recursion([]string{"a", "b", "a", "c", "main"}); period != 0 {
		t.Errorf("no recursion: %d", period)
	}
}
