//go:build linux

package jsdebug

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"aidb-mcp/internal/recording"
	"aidb-mcp/internal/recording/recordingtest"
	"aidb-mcp/internal/testkit/filetree"
)

const oftenScript = `
let total = 0;
const half = (n) => n >> 1;
function add(n) { total += n; return total; }
const counter = { *up(to) { for (let i = 0; i < to; i++) yield i; } };
async function once(name) { await null; return name + '!'; }
once('over').then((text) => {
  for (const i of counter.up(50000)) add(half(i));
  throw new Error(text);
});
`

func TestCallsOfWhatIsCalledOftenAreCounted(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"often.cjs", "often.mjs"} {
		home := t.TempDir()
		if err := os.WriteFile(filepath.Join(home, name), []byte(oftenScript), 0o600); err != nil {
			t.Fatal(err)
		}
		spec := recording.Spec{Roots: []string{home}, Text: 100, Calls: &recording.Calls{Names: []string{"*"}, Thin: &recording.Thin{First: 10, Last: 4}}}
		noted := func() (calls map[string][]recording.Event, counts map[string]recording.Event) {
			dir, m := t.TempDir(), recorderOptions{Modules: true}
			if err := unpackRecorder(dir, spec, m); err != nil {
				t.Fatal(err)
			}
			run(t, home, recording.Variable+"="+dir, node, append(m.load(dir, nil), name)...)
			log, err := recording.Read(dir)
			if err != nil {
				t.Fatal(err)
			}
			return recordingtest.Entered(log), recordingtest.Counted(log)
		}
		calls, counts := noted()
		if len(calls["half"]) != 10 || len(calls["once"]) != 1 || counts["half"].Hit != 50_000 || counts["add"].Hit != 50_000 || len(counts) != 2 {
			t.Fatalf("%s: noted %+v, counted %+v", name, calls, counts)
		}
		spec.Calls.Thin.After = recordingtest.After(counts, 4)
		calls, again := noted()
		if last := calls["half"]; len(last) != 4 || last[3].Values[0].Text != "49999" || again["half"].Hit != 50_000 || len(calls["once"]) != 1 {
			t.Errorf("%s: noted %+v, counted %+v", name, calls, again)
		}
	}
}

// In each way in which a function may end it does the same as without being counted.
const endingScript = `
import { early } from './ending-late.mjs';
export function hoisted(n) { return n * 2; }
const list = [];
const say = (...x) => { list.push(x.join(' ')) };
function bare(n) { if (n) return
  else say('else'); return; }
function bareBlock(n) { if (n) { return } say('fell') }
function unended(n) { if (n) return; else return say('other') }
const object = (n) => ({ n })
const nested = (a) => (b) => a + b;
function sequence(a, b) { return (say('first'), a, b) }
function lines(a) {
  return (
    a +
    1
  )
}
class Base { constructor(n) { if (n === 3) return { n: 'other' }; this.n = n; } }
class Derived extends Base { constructor(n) { super(n); if (n === 2) return; this.more = true } get twice() { return this.n * 2 } static of(n) { return new this(n) } }
function last() { try { return say('body') } finally { say('finally') } }
function over() { try { return 'lost' } finally { return 'kept' } }
function caught() { try { throw new Error('inner') } catch (e) { return e.message } }
function thrown() { throw new Error('outer') }
async function waits(n) { const x = await n; return x + 1 }
async function rejects() { await null; throw new Error('rejected') }
function* gives(n) { try { while (n) yield n--; return 'end' } finally { say('closed') } }
function defaults(a, b = hoisted(a), { c = 1 } = {}) { return [a, b, c].join() }
function label(n) { out: for (;;) { for (;;) { if (n) break out; return 'in' } } return 'out' }
function rest(...all) { return arguments.length + all.length }
function keeps() { return keeps.toString().includes('return keeps.toString') && !keeps.toString().includes('aidb') }
for (let i = 0; i < 40; i++) {
  say(bare(i % 2), bareBlock(i % 2), unended(i % 2), JSON.stringify(object(i)), nested(i)(1), sequence(i, 2), lines(i));
  say(JSON.stringify(new Derived(i % 4)), Derived.of(i).twice, last(), over(), caught(), defaults(i), label(i % 2), rest(i, 2), keeps());
  try { thrown() } catch (e) { say(e.message) }
  say(await waits(i), await rejects().catch((e) => e.message), [...gives(i % 3)]);
  for (const x of gives(3)) { say(x); break }
}
console.log(early, list.join('\n'));
`

func TestWhatIsCountedEndsAsEver(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Fatal(err)
	}
	home, dir, m := t.TempDir(), t.TempDir(), recorderOptions{Modules: true}
	filetree.Write(t, home, map[string]string{
		"ending.mjs":      endingScript,
		"ending-late.mjs": "import { hoisted } from './ending.mjs';\nexport const early = hoisted(21);\n", // before ending.mjs has begun
	})
	want, _ := run(t, home, "NONE=", node, "ending.mjs")
	if !strings.HasPrefix(want, "42 else") {
		t.Fatalf("without being recorded it prints %s", want)
	}
	spec := recording.Spec{Roots: []string{home}, Text: 100, Calls: &recording.Calls{Names: []string{"*"}, Thin: &recording.Thin{First: 10, Last: 4}}}
	if err := unpackRecorder(dir, spec, m); err != nil {
		t.Fatal(err)
	}
	if got, _ := run(t, home, recording.Variable+"="+dir, node, append(m.load(dir, nil), "ending.mjs")...); got != want {
		t.Errorf("recorded it prints\n%s\nin place of\n%s", got, want)
	}
	log, err := recording.Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	entered, left := map[int64]string{}, 0
	for _, e := range log.Events {
		switch e.Kind {
		case recording.Enter:
			entered[e.Call] = e.Function
		case recording.Leave:
			left++
			delete(entered, e.Call)
		case recording.Remark, recording.Refused:
			t.Errorf("%s: %s", e.Kind, e.Text)
		}
	}
	if left == 0 || len(entered) > 0 {
		t.Errorf("%d calls ended, and %v did not", left, entered)
	}
}
