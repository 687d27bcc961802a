//go:build linux

package jsdebug

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"aidb-mcp/internal/recording"
	"aidb-mcp/internal/testkit/filetree"
	"aidb-mcp/internal/testkit/recorded"
)

// recordedChildren runs a program beside a worker of each kind of module, and tells what was noted of
// it, and what was not. It has nothing else to say.
func recordedChildren(t *testing.T, name, code string, w recording.Spec) (log recording.Log, rows, apart, printed string) {
	t.Helper()
	log, rows, apart, said, printed := recordChildren(t, name, code, w)
	if said != "" {
		t.Errorf("it says %q", said)
	}
	return log, rows, apart, printed
}

// recordChildren tells besides what the recorder says of itself.
func recordChildren(t *testing.T, name, code string, w recording.Spec) (log recording.Log, rows, apart, said, printed string) {
	t.Helper()
	node, home := nodeIn(t)
	filetree.Write(t, home, map[string]string{
		name:       code,
		"work.cjs": "exports.work = function work(n) { return n * 2; };\n",
		"worker.cjs": "const { parentPort, workerData } = require('worker_threads');\nrequire('./work.cjs').work(workerData ?? Number(process.argv[2]));\n" +
			"if (workerData === 7) parentPort.on('message', () => {}).postMessage('it has worked, and stays');\n",
		"worker.mjs": "import { workerData } from 'node:worker_threads';\nfunction work(n) { return n * 2; }\nwork(workerData ?? Number(process.argv[2]));\n",
	})
	dir, m := t.TempDir(), recorderOptions{Modules: strings.HasSuffix(name, ".mjs")}
	w.Text, w.Roots = 100, []string{home}
	for i := range w.Values {
		w.Values[i].File = filepath.Join(home, name)
	}
	if w.Calls != nil && w.Calls.Thin != nil { // functions are named by their files
		after := map[string]int64{}
		for name, calls := range w.Calls.Thin.After {
			after[strings.Replace(name, "app.cjs", filepath.Join(home, "app.cjs"), 1)] = calls
		}
		w.Calls.Thin.After = after
	}
	if err := unpackRecorder(dir, w, m); err != nil {
		t.Fatal(err)
	}
	printed, _ = run(t, home, recording.Variable+"="+dir, node, append(m.load(dir, nil), name)...)
	log, err := recording.Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	var seen, unseen []string
	recorded.CallsEnd(t, log.Events)
	for _, e := range log.Events {
		switch e.Kind {
		case recording.Leave:
			seen = append(seen, e.Thread+" "+e.Function+" "+e.Values[0].Text)
		case recording.Write:
			seen = append(seen, e.Thread+" "+e.Values[len(e.Values)-1].Text)
		case recording.Moment:
			seen = append(seen, e.Thread+" "+e.Values[0].Text)
		case recording.Apart:
			unseen = append(unseen, e.Text)
		case recording.Remark, recording.Missing, recording.Refused:
			if !strings.Contains(e.Text, "noted behind") {
				said += e.Text
			}
		}
	}
	return log, strings.Join(seen, ", "), strings.Join(unseen, "; "), said, printed
}

// What worker threads and child processes do is noted too, each by itself; where one is not followed,
// that is said.
func TestRecordedChildren(t *testing.T) {
	const begin = `const { Worker, SHARE_ENV } = require('worker_threads'), { fork, spawn, spawnSync } = require('child_process');
const { work } = require('./work.cjs');
const worker = (data, more) => new Worker(__dirname + '/worker.cjs', { workerData: data, ...more });
`
	for name, c := range map[string]struct{ code, rows, apart string }{
		"a worker":               {"work(1); worker(3).on('exit', () => { work(2); process.exit(3); });", " work 2,  work 4, worker 1 work 6", ""},
		"of a module":            {"new Worker(__dirname + '/worker.mjs', { workerData: 3 });", "worker 1 work 6", ""},
		"in its own environment": {"worker(3, { env: {}, execArgv: [] }); worker(4, { env: SHARE_ENV }).on('exit', () => console.log(process.env.AIDB_RECORD));", "worker 1 work 6, worker 2 work 8", ""},
		"of a worker":            {"const w = new Worker(`const { Worker } = require('worker_threads'); new Worker('./worker.cjs', { workerData: 3 });`, { eval: true });", "worker 2 work 6", "given as text"},
		"terminated":             {"const w = worker(7); w.on('message', () => w.terminate());", "worker 1 work 14", ""},
		"a child":                {"work(1); fork('./worker.cjs', ['3']).on('exit', () => work(2));", " work 2,  work 4, child 1 work 6", ""},
		"a child of a module":    {"fork('./worker.mjs', ['3'], { execArgv: [] });", "child 1 work 6", ""},
		"started by node":        {"spawn(process.execPath, ['worker.cjs', '3']); spawn('node', ['worker.cjs', '4']);", "child 1 work 6, child 2 work 8", ""},
		"of another child":       {"if (!process.argv[2]) fork(__filename, ['1']); else { work(4); worker(3); }", "child 1 work 8, worker 2 work 6", ""},
		"killed":                 {"if (!process.argv[2]) fork(__filename, ['1']); else { work(3); process.kill(process.pid, 'SIGKILL'); }", "child 1 work 6", ""},
		"by cluster":             {"const cluster = require('cluster'); if (cluster.isPrimary) cluster.fork(); else { work(3); process.disconnect(); }", "child 1 work 6", ""},
		"that cannot begin":      {"spawn('/nowhere/node', ['worker.cjs', '3']).on('error', () => worker(3));", "worker 2 work 6", ""},
		"other programs":         {"work(2); spawn('true');", " work 4", "other programs"},
		"waited for":             {"work(2); spawnSync(process.execPath, ['worker.cjs', '3']);", " work 4", "other programs"},
		"too many": {"const { dirname } = require('path'), home = dirname(dirname(process.execArgv.find((a) => a.endsWith('hook.cjs')))); for (let n = 1; n < 16; n++) require('fs').mkdirSync(home + '/child-' + n); worker(3).on('exit', () => worker(4));",
			"worker 16 work 6", "more than 16"},
		"outlives": {"if (!process.argv[2]) { fork(__filename, ['1'], { detached: true, stdio: 'ignore' }).on('message', () => process.exit()); } else { process.send(1, () => setTimeout(() => work(3), 2000)); }", "", "went on when the program had ended"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			log, rows, apart, printed := recordedChildren(t, "app.cjs", begin+c.code, recording.Spec{Calls: &recording.Calls{Names: []string{"work"}}})
			if rows != c.rows || !log.Follows || !log.IsWhole() {
				t.Errorf("got %q, want %q; follows %t, whole %t; it prints %q", rows, c.rows, log.Follows, log.IsWhole(), printed)
			}
			if (c.apart == "") != (apart == "") || !strings.Contains(apart, c.apart) {
				t.Errorf("it says %q, want %q", apart, c.apart)
			}
			if strings.Contains(printed, "rror") {
				t.Errorf("it prints %q", printed)
			}
		})
	}
	t.Run("of modules", func(t *testing.T) {
		t.Parallel()
		_, rows, apart, printed := recordedChildren(t, "app.mjs", `import { Worker } from 'node:worker_threads';
import { fork } from 'node:child_process';
function work(n) { return n; }
work(1);
new Worker(new URL('./worker.mjs', import.meta.url), { workerData: 3 }).on('exit', () =>
  new Worker(new URL('./worker.cjs', import.meta.url), { workerData: 4 }).on('exit', () => fork('./worker.mjs', ['5'])));
`, recording.Spec{Calls: &recording.Calls{Names: []string{"work"}}})
		if rows != " work 1, worker 1 work 6, worker 2 work 8, child 3 work 10" || apart != "" {
			t.Errorf("got %q, and it says %q; it prints %q", rows, apart, printed)
		}
	})
}

const sharedByWorkers = `const { Worker, isMainThread, workerData } = require('worker_threads');
let n = 0;
function count(to) {
  while (n < to) n++;
  return n;
}
count(workerData ?? 1);
if (isMainThread) new Worker(__filename, { workerData: 3 });
`

// Each thread has its own variables: those of a worker are written to by the worker.
func TestRecordedWritesAndMomentsOfWorkers(t *testing.T) {
	t.Parallel()
	_, rows, apart, _ := recordedChildren(t, "app.cjs", sharedByWorkers, recording.Spec{Writes: &recording.Writes{Expression: "n"}})
	if rows != " 0,  1, worker 1 0, worker 1 1, worker 1 2, worker 1 3" || apart != "" {
		t.Errorf("the writes are %q, and it says %q", rows, apart)
	}
	log, rows, apart, _ := recordedChildren(t, "app.cjs", sharedByWorkers, recording.Spec{First: &recording.First{Condition: "n === 3", Limit: 9}})
	if !strings.HasPrefix(rows, "worker 1 3") || apart != "" || !log.Judged.Whole || log.Judged.Times < 8 {
		t.Errorf("the moments are %q of %+v, and it says %q", rows, log.Judged, apart)
	}
	for name, w := range map[string]recording.Spec{
		"each":    {First: &recording.First{Condition: "each.n > 1", Each: "Counter", Limit: 9}},
		"changes": {First: &recording.First{Condition: "n", Changes: true, Limit: recording.Unlimited}},
	} {
		if log, _, apart, _, _ := recordChildren(t, "app.cjs", sharedByWorkers, w); log.Follows || log.Children() != 0 || !strings.Contains(apart, "worker threads") {
			t.Errorf("%s: it follows %t, and says %q", name, log.Follows, apart)
		}
	}
}

// The lines are those of one call, wherever that is.
func TestRecordedLinesOfWorkers(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		lines         recording.Lines
		thread, other string
	}{
		"the program's": {recording.Lines{Function: "count"}, "", "worker 1 has made such a call too"},
		"a worker's":    {recording.Lines{Function: "count", Condition: "to === 3"}, "worker 1", ""},
		"nobody's":      {recording.Lines{Function: "count", Call: 2}, "-", "1 calls of count were seen in the program itself"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			log, _, apart, said, _ := recordChildren(t, "app.cjs", sharedByWorkers, recording.Spec{Lines: &c.lines})
			thread := "-"
			for _, e := range log.Events {
				if e.Kind != recording.Line {
					continue
				}
				if thread = e.Thread; thread != c.thread {
					t.Errorf("a line is of %q, want %q", thread, c.thread)
				}
			}
			if thread != c.thread || apart != "" || !log.IsWhole() || (c.other == "") != (said == "") || !strings.Contains(said, c.other) {
				t.Errorf("the lines are of %q, want %q; whole %t, apart %q; it says %q", thread, c.thread, log.IsWhole(), apart, said)
			}
		})
	}
}

// Each counts the calls that it makes by itself, and the last ones of each can be asked for.
func TestRecordedOftenCallsOfWorkers(t *testing.T) {
	t.Parallel()
	const often = `const { Worker, isMainThread, workerData } = require('worker_threads');
function add(n) { return n + 1; }
let n = 0;
while (n < (workerData ?? 20)) n = add(n);
if (isMainThread) new Worker(__filename, { workerData: 30 }); else throw new Error('it fails');
`
	names := []string{"add"}
	log, _, _, _, _ := recordChildren(t, "app.cjs", often, recording.Spec{Calls: &recording.Calls{Names: names, Thin: &recording.Thin{First: 5}}})
	after := map[string]int64{}
	for _, e := range log.Events {
		if e.Kind == recording.Counted && e.Hit > 5 {
			name, file, _ := strings.Cut(e.Place, "/")
			after[name+filepath.Base(file)] = e.Hit - 2
		}
	}
	if len(after) != 2 || !slices.Contains(slices.Collect(maps.Values(after)), 28) {
		t.Fatalf("it has counted %v", after)
	}
	_, rows, _, _, _ := recordChildren(t, "app.cjs", often, recording.Spec{Calls: &recording.Calls{Names: names, Thin: &recording.Thin{First: 5, After: after, Last: 2}}})
	if !strings.Contains(rows, "worker 1 add 29, worker 1 add 30") || strings.Contains(rows, "worker 1 add 28") {
		t.Errorf("the last calls are %q", rows)
	}
}

// A value that was seen in a worker is followed within that: its objects are not those of the program
// which have the same numbers.
func TestRecordedOriginsOfWorkers(t *testing.T) {
	t.Parallel()
	log, _, _, _, _ := recordChildren(t, "app.cjs", `const { Worker, isMainThread, workerData } = require('worker_threads');
function pay(order) {
  order.paid = order.price * 2;
  return order.paid;
}
const order = { price: workerData ?? 1, paid: 0 };
pay(order);
if (isMainThread) new Worker(__filename, { workerData: 3 });
`, recording.Spec{Writes: &recording.Writes{All: true}, Values: []recording.Values{{Line: 4, Expressions: []string{"order.paid"}, Places: true}}})
	places := map[string][]string{}
	for _, e := range log.Events {
		if v := e.Values; e.Kind == recording.Write && v[1].Text == "2" || e.Kind == recording.Write && v[1].Text == "6" || e.Kind == recording.Hit {
			place := e.Place
			if e.Kind == recording.Hit {
				place = v[0].Place
			}
			places[e.Thread] = append(places[e.Thread], place)
		}
	}
	own, theirs := places[""], places["worker 1"]
	if len(own) != 2 || own[0] != own[1] || len(theirs) != 2 || theirs[0] != theirs[1] || theirs[0] == own[0] {
		t.Errorf("it was written to and seen at %q", places)
	}
	if child := log.Process(1); !child.IsWhole() || len(child.Events) == 0 || child.Events[0].Child != 1 || child.Number(child.Events[0]) != 1 {
		t.Errorf("the worker's own recording is %+v", child)
	}
}

// That nothing is called so is not said where only a worker has it.
func TestRecordedNamesOfWorkers(t *testing.T) {
	t.Parallel()
	log, rows, _, _ := recordedChildren(t, "app.cjs", "new (require('worker_threads').Worker)('./worker.cjs', { workerData: 3 });\n", recording.Spec{Calls: &recording.Calls{Names: []string{"work"}}})
	if rows != "worker 1 work 6" || slices.ContainsFunc(log.Events, func(e recording.Event) bool { return e.Kind == recording.Missing }) {
		t.Errorf("got %q of %+v", rows, log.Events)
	}
}
