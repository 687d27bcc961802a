//go:build linux

package jsdebug

import (
	"os/exec"
	"path/filepath"
	"testing"

	"aidb-mcp/internal/recording"
)

const comparedRows = `'use strict';
const { Rows } = require(process.argv[1]);
Object.prototype.put = 'by the program';
const rows = new Rows();
let differing = 0;
const same = (row, event) => {
  delete Object.prototype.put;
  const want = JSON.stringify(event) + '\n';
  Object.prototype.put = 'by the program';
  if (row === want) return;
  differing++;
  console.log(row, want);
};
const texts = ['a', '12', '-0.5', '', 'é', '"q"', 'back\\slash', '\n', '\ud800', '\u2028', '\u007f', '😀', 'x'.repeat(40), 'f2.sum@187', '${a}'];
for (const t of texts) {
  const values = [{ v: t, o: t, u: true, w: undefined, p: [{ v: t }], h: '' }, {}, { e: t }];
  same(rows.use(t, t, 3, [t, 'y'], values, 9), { k: 'use', at: t, f: t, c: 3, a: [t, 'y'], v: values, n: 9 });
  same(rows.use(t, t, 3, [], [], 10), { k: 'use', at: t, f: t, c: 3, a: [], v: [], n: 10 });
  for (const m of [undefined, t]) {
    same(rows.write(t, t, 1, t, {}, { v: t }, [t, 'b'], m, 2), { k: 'write', at: t, f: t, c: 1, o: t, v: [{}, { v: t }], s: [t, 'b'], m, n: 2 });
  }
}
console.log('differing: ' + differing);
`

// A row that is made by hand is what JSON.stringify makes of the event, whatever the program has
// put into the prototype of all objects.
func TestRowsAreJSON(t *testing.T) {
	node, _ := nodeIn(t)
	dir := t.TempDir()
	if err := unpackRecorder(dir, recording.Spec{}, recorderOptions{}); err != nil {
		t.Fatal(err)
	}
	found, err := filepath.Glob(filepath.Join(dir, "*", "rows.cjs"))
	if err != nil || len(found) != 1 {
		t.Fatalf("rows.cjs is at %v: %v", found, err)
	}
	out, err := exec.CommandContext(t.Context(), node, "-e", comparedRows, found[0]).CombinedOutput()
	if string(out) != "differing: 0\n" {
		t.Errorf("%v\n%s", err, out)
	}
}
