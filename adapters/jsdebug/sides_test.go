//go:build linux

package jsdebug

import (
	"encoding/json"
	"testing"

	"aidb-mcp/adapters"
)

// The sides of an expectation come from what the error itself has, and from nothing else.
func TestSidesOfErrors(t *testing.T) {
	dir := t.TempDir()
	if err := writeHook(dir); err != nil {
		t.Fatal(err)
	}
	const own, matched = "the error's own expected and actual", "expected and actual of the error's matcherResult"
	for name, c := range map[string]struct {
		error string
		want  adapters.Sides
	}{
		"node:assert":      {"caught(() => require('assert').deepStrictEqual([[2, 1]], [[1, 2]]))", adapters.Sides{Expected: "[ [ 1, 2 ] ]", Actual: "[ [ 2, 1 ] ]", From: own}},
		"not to be equal":  {"caught(() => require('assert').notStrictEqual(1, 1))", adapters.Sides{}},
		"a text":           {"new Error('expected 4 to equal 5')", adapters.Sides{}},
		"chai":             {"Object.assign(new Error('x'), { actual: 4, expected: 5, showDiff: true, operator: 'strictEqual' })", adapters.Sides{Expected: "5", Actual: "4", From: own}},
		"chai, older":      {"Object.assign(new Error('x'), { actual: 4, expected: 5, showDiff: true })", adapters.Sides{Expected: "5", Actual: "4", From: own}},
		"chai, no diff":    {"Object.assign(new Error('x'), { actual: 4, expected: 5, showDiff: false })", adapters.Sides{}},
		"jest":             {"Object.assign(new Error('x'), { matcherResult: { actual: { a: [1] }, expected: { a: [2] }, pass: false } })", adapters.Sides{Expected: "{ a: [ 2 ] }", Actual: "{ a: [ 1 ] }", From: matched}},
		"jest, negated":    {"Object.assign(new Error('x'), { matcherResult: { actual: 1, expected: 1, pass: true } })", adapters.Sides{}},
		"jest, one is not": {"Object.assign(new Error('x'), { matcherResult: { message: 'm', pass: false } })", adapters.Sides{}},
		"no error":         {"5", adapters.Sides{}},
		"a trap":           {"Object.defineProperty(new Error('x'), 'matcherResult', { get() { throw new Error('trap'); } })", adapters.Sides{}},
	} {
		t.Run(name, func(t *testing.T) {
			script := "const caught = (f) => { try { f(); } catch (e) { return e; } };\n" +
				"require('./" + hookName + "'); __aidb.thrown = " + c.error + "; console.log(__aidb.describe());"
			printed, _ := run(t, dir, "", "node", "-e", script)
			var chain []thrown
			if err := json.Unmarshal([]byte(printed), &chain); err != nil || len(chain) != 1 {
				t.Fatalf("%v: %s", err, printed)
			}
			if chain[0].Sides != c.want {
				t.Errorf("got %+v, want %+v", chain[0].Sides, c.want)
			}
		})
	}
}
