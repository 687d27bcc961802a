package native

import (
	"strconv"
	"strings"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/text/pattern"
)

// How Unity, a test framework for C, reports: a line for each expectation that was not met, and at the
// end how many these were.
var (
	unityEnd  = pattern.New(`^(\d+) Tests (\d+) Failures \d+ Ignored\s*$`)
	unityFail = pattern.New(`^(.+?):(\d+):(\w+):FAIL(?:: ?(.*))?$`)
	// unitySides matches what an expectation was given, where both values are numbers, words of
	// Unity's or texts in quotes.
	unitySides = pattern.New(`^(?:Element \d+ |Memory Mismatch\. (?:Element \d+ )?Byte \d+ )?Expected (-?[\w.+-]+|'[^']*') Was (-?[\w.+-]+?|'[^']*')(?:\. .*|\.)?$`)
)

// unityRun is what a run of Unity's tests has come to. Any program may print such lines: they are
// Unity's where there are as many as its end tells.
func unityRun(lines func(stream, text string) []string) (run adapters.TestRun, known bool) {
	failures := -1
	for _, line := range lines("stdout", " Failures ") {
		if m := unityEnd.FindStringSubmatch(plainLine(line)); m != nil {
			run.Ran, _ = strconv.Atoi(m[1])
			failures, _ = strconv.Atoi(m[2])
		}
	}
	if failures < 0 {
		return run, false
	}
	failed := 0
	for _, line := range lines("stdout", ":FAIL") {
		m := unityFail.FindStringSubmatch(plainLine(line))
		if m == nil {
			continue
		}
		if failed++; run.First == nil {
			run.First = unityUnmet(m)
		}
	}
	if failed != failures {
		return adapters.TestRun{}, false
	}
	if u := run.First; u != nil {
		run.Why = strings.TrimSuffix(u.Test+": "+u.Message, ": ")
	}
	return run, true
}

func unityUnmet(m []string) *adapters.ReportedFailure {
	line, _ := strconv.Atoi(m[2])
	u := &adapters.ReportedFailure{File: m[1], Line: line, Test: m[3], Message: m[4]}
	if of := unitySides.FindStringSubmatch(m[4]); of != nil {
		u.Sides = adapters.Sides{Expected: of[1], Actual: of[2], From: "the framework's report"}
	}
	return u
}

func plainLine(line string) string { return strings.TrimSpace(colors.ReplaceAllString(line, "")) }
