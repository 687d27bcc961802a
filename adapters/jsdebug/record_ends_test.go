package jsdebug

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"aidb-mcp/internal/recording"
)

// written changes what is called total in many ways: in plain statements and in such as call
// something, raise, or write to it by another name.
const written = `
class A { constructor() { this.total = 0; } add(k) { this.total += k; } bad(k) { this.total = this.total / fail(k); } }
class P { constructor() { this.inner = 0; } get total() { return this.inner; } set total(v) { this.inner = v; } }
class S extends A { add(k) { super.add(k); this.total = this.total; } }
function fail(k) { if (k === 1) throw new Error('one'); return k; }
const a = new A(), p = new P(), s = new S(), none = Object.create({ total: 7 }), f = () => 0, list = [];
const frozen = Object.freeze({ total: 1 }), proxy = new Proxy(new A(), {});
for (let i = 0; i < 9; i++) {
  a.add(i); p.total += i; s.add(i); a.total = a.total + 1; proxy.total = i;
  frozen.total = i;
  try { a.bad(i % 3); } catch { a.total = -1; }
  if (i % 4 === 0) Object.assign(a, { total: 77 });
  a.total = String(i).repeat(70);
  a.total = String(i);
  a.total = i > 4 ? true : null;
  a.total++;
  a['total'] = undefined;
  a.total = -0; a.total = NaN; a.total = NaN;
  a.total = 10n ** 20n; a.total = 1;
  none.total = i;
  f.total = i;
  list.total = i;
  delete none.total;
}
function alias(x, y) {
  for (let i = 0; i < 5; i++) {
    x.total = i;
    y.total = x.total + 1;
    x.total = (y.total = 5, y.total + i);
    x.total = inner(x, i);
    [x.total, y.total] = [y.total, x.total];
  }
  delete x.total;
  x.total = 3;
}
function inner(x, i) { x.total = i * 100; return i; }
alias(a, a);
alias(a, s);
const made = { total: 1 };
made.total ||= 5; made.total &&= 0; made.total ??= 4;
for (made.total of [1, 2, 3]);
a.total = { n: 1 };
a.total.n = 2;
const held = a.total;
held.n = 3;
a.total = 4;
`

// What is noted of a plain statement in a short way is what is noted in the long one, which is taken where an
// object lies in a place that is asked about.
func TestRecordedWritesAreTheSameInShort(t *testing.T) {
	noted := func(kept string) (rows []string) {
		log, printed := noteWrites(t, "a.cjs", "const kept = {};\nkept.total = "+kept+";\n"+written, recording.Writes{Expression: "a.total", Ends: 1000})
		if printed != "" || !log.IsWhole() {
			t.Fatalf("it prints %q", printed)
		}
		places := map[string]int{}
		for _, e := range log.Events {
			if _, line := recording.FileLine(e.At); e.Kind != recording.Write || line < 4 {
				continue
			}
			if places[e.Place] == 0 {
				places[e.Place] = len(places) + 1
			}
			of := fmt.Sprintf("%t", e.Values[1].Of != "" && strings.HasPrefix(e.Place, e.Values[1].Of+"["))
			rows = append(rows, strings.Join([]string{filepath.Base(e.At), e.Function, fmt.Sprint(places[e.Place]), e.Values[0].Shown(), e.Values[1].Shown(), e.Text, of, fmt.Sprint(e.Hit, " ", len(e.Stack))}, "|"))
		}
		return rows
	}
	short, long := noted("0"), noted("{}")
	for i := range min(len(short), len(long)) {
		if short[i] != long[i] {
			t.Fatalf("write %d is %s in short, and %s", i, short[i], long[i])
		}
	}
	if len(short) != len(long) || len(short) < 200 || !slices.ContainsFunc(short, func(row string) bool { return strings.Contains(row, "|true|") }) {
		t.Errorf("%d writes in short, and %d", len(short), len(long))
	}
}
