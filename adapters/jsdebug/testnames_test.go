package jsdebug

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/testkit/filetree"
)

func TestTestsAreRead(t *testing.T) {
	t.Parallel()
	for source, want := range map[string]struct {
		names []string
		more  bool
	}{
		"describe('a', () => {\n  it(\"it's b\", f);\n  test.only(`c`, f);\n  test('d\\'e', f);\n});\nsplit('no');": {names: []string{"a", "it's b", "c", "d'e"}},
		"test.each([\n  [1, 'x)'],\n])('adds %i and $name', f)":                                                     {names: []string{"adds %i and $name"}},
		"it.only.each`\n a | b\n ${1} | ${2}\n`('adds $a', f)":                                                      {names: []string{"adds $a"}},
		"describe.each<Row>(rows)('of %s', () => { it('works', f) })":                                               {names: []string{"of %s", "works"}},
		"for (const n of all) test(`n ${n.x}`, f); it('sum ' + n, f)":                                               {names: []string{"n ${n.x}", "sum …"}},
		"test(name, f)":             {more: true},
		"test.each(rows)('%s', f)":  {more: true},
		"test.each(rows)(title, f)": {more: true},
		"test(`${name}`, f)":        {more: true},
	} {
		names, more := testsIn(source)
		var texts []string
		for _, name := range names {
			texts = append(texts, name.text)
		}
		if !slices.Equal(texts, want.names) || more != want.more {
			t.Errorf("%s:\n%q, %v", source, texts, more)
		}
	}
}

// A row is named as the runner names it, and all rows as the source does.
func TestRowsOfTests(t *testing.T) {
	t.Parallel()
	names, _ := testsIn("test.each(rows)('adds %i + %i (%%)', f); test(`n ${n}`, f); it('plain 100%', f)")
	for wanted, is := range map[string]bool{
		"adds 1 + 2 (%)": true, "sums adds 1 + 2 (%)": true, "sums > adds 1 + 2 (%)": true, "adds %i + %i (%%)": true,
		"n 4": true, "plain 100%": true, "adds 1 - 2": false, "radds 1 + 2 (%)": false, "n": false,
	} {
		if got := slices.ContainsFunc(names, func(n testName) bool { return n.isIn(wanted) }); got != is {
			t.Errorf("%s: %t", wanted, got)
		}
	}
	dir := filetree.New(t, map[string]string{"a.test.js": "describe('cart', () => test.each(rows)('adds %i', f))"})
	for wanted, want := range map[string]string{"adds 1": `adds 1$`, "sums > adds %i": `sums (?:> )?adds .*$`, "shop cart": `shop cart(?: |$)`} {
		if got := (job{test: wanted}).pattern([]string{dir + "/a.test.js"}); got != want {
			t.Errorf("%s: %s", wanted, got)
		}
	}
}

func TestRunnerOfWholeFilesIsMissing(t *testing.T) {
	t.Parallel()
	dir := filetree.New(t, map[string]string{"package.json": "{}", "test/a.js": "require('tape')('adds', f)"})
	j, err := understand(adapters.Request{Target: "test/a.js", Mode: adapters.Test, Workspace: dir})
	if err == nil {
		_, err = j.findTests()
	}
	if f := (*fault.Error)(nil); !errors.As(err, &f) || !strings.Contains(f.Hint, "npm install --save-dev tape") {
		t.Error(err)
	}
}
