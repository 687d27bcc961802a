//go:build linux

// Package languages is the one suite that every debug adapter must pass: a table
// of behaviours, run for each language through the built binary over real stdio.
// It knows the tools as an agent does and nothing of what is behind them.
//
// A behaviour ([behaviour]) is a name, one sentence for people and a test. A
// language ([language]) is a value with the words that differ: how the program
// is started, how an expression is written there, how a value is shown. The
// same language with another adapter is one more value. What an adapter cannot
// have is a line in Cannot with its reason; the suite then checks that the tool
// says so. The table of both is written to docs/languages.md:
//
//	go test ./test/languages -run TestDocumentation -update
//
// # The tour
//
// testdata/<language>/tour is the same program in every language. Its first
// argument names the part; without one it is loop. Each part is a function (a
// static method of Tour) of that name, called by main, with these local
// variables, these lines in this order, and these marks in trailing comments
// (//@mark name, #@mark name). Every marked line is a statement of its own with
// code on it. Where a name is a word of the language, an underscore follows it.
// All output is flushed at once (a program that is killed has said it all).
//
//	main       part := "loop"                           @mark main, the first statement
//	loop       items: 3 1 4 1 5 9 2 6 5 4; total := 0   @mark loop-start at total
//	           for i from 0 to 9: item := items[i]
//	             total += item                          @mark sum
//	           print "total 40"                         @mark loop-end
//	calls      count := 6                               @mark calls-start
//	           first := twice(count)                    @mark call
//	           second := combine(twice(first), count)   @mark nested
//	           count = count + second                   @mark after
//	           print "calls 36 12" (count, first)       @mark calls-end
//	           twice(n): result := n * 2                @mark twice
//	                     return result                  @mark twice-return
//	           combine(a, b): both := a + b             @mark combine
//	                     return both                    @mark combine-return
//	values     yes true, whole 42, huge 9007199254740993 (2^53+1, 64 bits), ratio 1.5,
//	           name "grüße 🙂", lines "one", newline, "two" in double quotes,
//	           list 10 20 30, ages {one: 1, two: 2},
//	           ada {name "Ada", age 36, address {city "Paris", tags x y}}, nothing (null)
//	           print "values" and all of them           @mark values-end
//	big        million (element i is i), text ("0123456789" 100,000 times),
//	           deep: 50 levels {depth 1…50, next}, the outermost has depth 1
//	           print their sizes                        @mark big-end
//	watch      counter is global, 10 (a static field of Tour)
//	           print "watch 10"                         @mark watch-start
//	           bump(): counter++                        @mark write
//	                   print "bumped"                   @mark written
//	                   print "for sure"                 @mark written-after
//	           print "counter 11"                       @mark watch-end
//	throw      print "before"; then a call of
//	           fail(7)                                  @mark throw-call
//	           fail(code) throws "tour failed: 7"       @mark throw
//	catch      calls fail(8) and catches it
//	           print "caught tour failed: 8"            @mark caught
//	exit3      print "last words"; to stderr "last complaint"
//	           exit with code 3                         @mark exit
//	streams    for i from 1 to 3: print "out <i>"
//	             print to stderr "err <i>"              @mark stream
//	           print "no newline at the end" without a newline
//	echo       for each line of stdin, counted by n from 1:
//	             print "<n>: <line>"                    @mark line
//	           print "end after <n> lines"
//	spin       print "spinning"; limit := -1
//	           for n from 0 while limit < 0 or n < limit: a busy statement  @mark spin
//	           print "spun"
//	sleep      for n from 0 to 2399: tick(n), then sleep 50 ms
//	           tick(n): print "tick <n>"                @mark tick
//	threads    20 threads call hold, which waits at a gate  @mark hold, the line that waits
//	           when all stand there print "gathered"    @mark gathered
//	           then open the gate, join them, end with 0
//	recursion  dive(500): depth counts down, at 0
//	             return 0                               @mark bottom
//	           print "depth 500"
//
// # A new language
//
//  1. testdata/<lang>/tour, as above.
//  2. test/languages/<lang>_test.go with one or more values of [language]; see go_test.go.
//  3. Its list stands in [languages].
//  4. go test ./test/languages -run 'TestLanguages/<name>/' until it is green,
//     TestDocumentation -update, and commit docs/languages.md with it.
//
// One behaviour alone: -run 'TestLanguages/python/stop_on_entry$'.
package languages

import (
	"os"
	"testing"

	"aidb-mcp/internal/testkit"
)

// A shortens the arguments of calls.
type A = testkit.A

func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == knockCommand {
		knock(os.Args[2:])
		return
	}
	if len(os.Args) > 2 && os.Args[1] == prowlCommand {
		prowl(os.Args[2])
		return
	}
	os.Exit(withCommonDir(func() int { return testkit.MainWithRaces(m) }))
}
