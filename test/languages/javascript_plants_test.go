package languages

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"aidb-mcp/internal/testkit"
)

const plantedScript = `'use strict';
function mix(a, b) {
  return (a * 31 + b) % 1000003;
}

class Step {
  #taken = 0;

  take(sum, i) {
    if (i < 0) {
      // the comment is asked for //@mark planted-comment
      this.#taken++;
      throw new Error('negative');
    }
    if (sum < 0) {
      sum = 0; //@mark planted-never
    }
    return mix(sum, i);
  }
}

function work(rounds) {
  const s = new Step();
  let sum = 1;
  for (let i = 0; i < rounds; i++) {
    sum = s.take(sum, i);
  }
  return sum;
}

function fail() {
  const one = new Step();
  try {
    one.take(1, -1); //@mark planted-call
  } catch (e) {
    console.log(e.stack.split('\n')[1].replace(/\(.*:(\d+:\d+)\)/, '$1').trim(), Step.toString().length);
  }
}

exports.work = work;
if (require.main === module) fail();
`

// planted is a script in one of the kinds that node has.
type planted struct {
	*testkit.Server
	*testkit.Program
	text    string
	ending  string // of files
	request A      // that of a start with what all have
}

// eachKind tries something with a script of CommonJS, and with an ES module in a node that can be asked how
// it loads these.
func eachKind(t *testing.T, try func(t *testing.T, k planted)) {
	t.Parallel()
	testkit.Adapters(t)
	module := strings.NewReplacer("exports.work = work;\n", "export { work };\n", "require.main === module", "process.argv[1].endsWith('planted.mjs')").Replace(plantedScript)
	for name, k := range map[string]planted{
		"CommonJS":  {text: plantedScript, ending: ".js", request: A{}},
		"ES module": {text: module, ending: ".mjs", request: A{"runtime_path": newerNode(t)}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k.Program = testkit.NewProgram(t, "")
			k.Write("planted"+k.ending, k.text)
			k.Server = testkit.Start(t, testkit.Options{Dir: k.Program.Dir})
			try(t, k)
		})
	}
}

// start starts one of its files with breakpoints.
func (k planted) start(file string, points ...A) testkit.Reply {
	request := maps.Clone(k.request)
	request["target"], request["timeout_ms"], request["breakpoints"] = file+k.ending, startLimit, points
	return k.OK("session_start", request)
}

// A function with a breakpoint that is not reached runs as one without: V8 would interpret it,
// and all functions behind a line without code that was asked for.
func TestJavaScriptBreakpointThatCostsNothing(t *testing.T) {
	eachKind(t, func(_ *testing.T, k planted) {
		k.Write("plain"+k.ending, strings.ReplaceAll(k.text, "@mark", ""))
		both := "const plain = require('./plain.js').work, planted = require('./planted.js').work;\n"
		if k.ending == ".mjs" {
			both = "import { work as plain } from './plain.mjs'; import { work as planted } from './planted.mjs';\n"
		}
		k.Write("race"+k.ending, both+`function cost(work) {
  const times = [1, 2, 3].map(() => {
    const before = process.cpuUsage().user;
    work(4_000_000);
    return process.cpuUsage().user - before;
  });
  return Math.min(...times);
}
const times = [cost(plain), cost(planted)];
console.log(times[1] < 3 * times[0] ? 'as fast' : 'slow: ' + times[1] / times[0]);
`)
		never := []A{{"file": "planted" + k.ending, "line": k.Line("planted-never")}, {"file": "planted" + k.ending, "line": k.Line("planted-comment")}}
		k.start("race", never...).Want("terminated", "data", "execution_state", "status").Want("as fast\n", "data", "output", "stdout").Has("never hit")

		// It is so, too, after a stop and a step.
		k.start("race", append(never, A{"file": "race" + k.ending, "line": 10})...).Stopped("stopped_at_breakpoint", "race"+k.ending+":10")
		k.OK("step", A{"action": "into"}).Has("stopped_after_step")
		k.OK("execute", nil).Want("terminated", "data", "execution_state", "status").Want("as fast\n", "data", "output", "stdout")
	})
}

// The first hit of such a breakpoint is one of all; steps begin and end where they would
// without it, and neither places in stacks nor the text of functions differ.
func TestJavaScriptPlantsAreNotSeen(t *testing.T) {
	eachKind(t, func(t *testing.T, k planted) {
		file := "planted" + k.ending
		first := k.Line("planted-comment") + 1
		at := func(line int) string { return fmt.Sprintf("%s:%d", file, line) }
		length := strings.Index(plantedScript, "\n\nfunction work") - strings.Index(plantedScript, "class Step ")
		ends := func(r testkit.Reply) {
			t.Helper()
			r.Want("terminated", "data", "execution_state", "status")
			k.OK("inspect", A{"target": "output"}).Has(fmt.Sprintf("at Step.take %d:13 %d", first+1, length))
		}

		k.start("planted", A{"file": file, "line": first - 1}).Stopped("stopped_at_breakpoint", at(first)).Want("-1", "data", "locals", "i", "v")
		k.OK("step", A{"action": "over"}).Stopped("stopped_after_step", at(first+1))
		ends(k.OK("execute", nil))

		// A step comes by the one that is not reached, and on to the one that is.
		k.start("planted", A{"file": file, "line": first}, A{"file": file, "line": k.Line("planted-never")}, A{"file": file, "line": k.Line("planted-call")}).
			Stopped("stopped_at_breakpoint", at(k.Line("planted-call")))
		k.OK("step", A{"action": "into"}).Has(at(first - 2))
		k.OK("step", A{"action": "over"}).Has(at(first))
		k.OK("step", A{"action": "over"}).Stopped("stopped_after_step", at(first+1))
		ends(k.OK("execute", nil))

		k.start("planted", A{"file": file, "line": first, "condition": "i === 1"}, A{"file": file, "line": first + 1, "log_message": "it is {i}"})
		k.OK("inspect", A{"target": "output"}).Has("it is -1").Has(fmt.Sprintf("at Step.take %d:13 %d", first+1, length))
	})
}

// A script that is loaded again has the breakpoint again.
func TestJavaScriptPlantsOfEachLoad(t *testing.T) {
	t.Parallel()
	testkit.Adapters(t)
	p := testkit.NewProgram(t, "")
	p.Write("half.js", "'use strict';\nexports.half = (n) => {\n  if (n === 4) {\n    return 2;\n  }\n  return n / 2;\n};\n")
	p.Write("main.js", `for (let i = 0; i < 3; i++) {
  delete require.cache[require.resolve('./half.js')];
  console.log(require('./half.js').half(2 * i));
}
`)
	s := testkit.Start(t, testkit.Options{Dir: p.Dir})
	s.OK("session_start", A{"target": "main.js", "timeout_ms": startLimit, "breakpoints": []A{{"file": "half.js", "line": 4}}}).
		Stopped("stopped_at_breakpoint", "half.js:4").Want("4", "data", "locals", "n", "v").Want("0\n1\n", "data", "output", "stdout")
	s.OK("execute", nil).Want("terminated", "data", "execution_state", "status").Want("2\n", "data", "output", "stdout")
}

// What node quotes of a script is what the user wrote.
func TestJavaScriptPlantsAreNotQuoted(t *testing.T) {
	eachKind(t, func(_ *testing.T, k planted) {
		k.Write("quoted"+k.ending, `function boom(x) {
  const y = x; null.foo;
  return y + 1;
}
boom(3);
`)
		k.request["exceptions"] = "none"
		k.start("quoted", A{"file": "quoted" + k.ending, "line": 3}).Contains([]string{"data", "output", "stderr"}, "  const y = x; null.foo;\n").Lacks("__aidb")
	})
}

// The modules of a program are what they are by themselves where node asks us how it loads one: they are
// the same ones however they are loaded, and what cannot be loaded says why, in node's words.
func TestJavaScriptModulesAreLoadedAsEver(t *testing.T) {
	t.Parallel()
	testkit.Adapters(t)
	p := testkit.NewProgram(t, "")
	for name, text := range map[string]string{
		"lib.cjs":    "exports.main = require.main === module;\nexports.name = require('./more.cjs').name;\n",
		"more.cjs":   "exports.name = typeof module.parent + module.children.length;\n",
		"data.json":  "[1]\n",
		"late.mjs":   "export const late = await Promise.resolve(7);\n",
		"fine.mjs":   "export default 5;\n",
		"bad.mjs":    "export const x = ;\n",
		"other.foo":  "?\n",
		"throws.mjs": "export const y = 1;\nthrow new Error('its own');\n",
		"circle.mjs": "import { early } from './main.mjs';\nexport const circle = () => early();\nexport const at = import.meta.url.split('/').pop();\n",
		"main.mjs": `import { createRequire } from 'module';
import { appendFileSync } from 'fs';
import lib from './lib.cjs';
import data from './data.json' with { type: 'json' };
import { circle, at } from './circle.mjs';
import { late } from './late.mjs';
import * as again from './circle.mjs?again';

export function early() {
  const is = 'early';
  return is;
}
function never(n) {
  const m = n;
  return m;
}
const require = createRequire(import.meta.url);
const said = [lib.main, lib.name, data[0], circle(), at, late, again.at, require('./lib.cjs') === lib];
for (const path of ['bad.mjs', 'other.foo', 'missing.mjs', 'throws.mjs', 'data.json', 'fine.mjs']) {
  try {
    const loaded = await import('./' + path);
    said.push(loaded === await import('./' + path), require('./' + path) === loaded);
  } catch (e) {
    const stack = e.stack.split('\n');
    said.push(e.code, e.message, stack[0], stack[1], stack.some((line) => line.includes('aidb')));
  }
}
appendFileSync(process.env.SAID, JSON.stringify(said) + '\n');
`,
	} {
		p.Write(name, text)
	}
	node := newerNode(t)
	alone := exec.Command(node, "main.mjs")
	alone.Dir, alone.Env = p.Dir, append(os.Environ(), "SAID="+filepath.Join(p.Dir, "said"))
	if out, err := alone.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	s := testkit.Start(t, testkit.Options{Dir: p.Dir})
	s.OK("session_start", A{
		"target": "main.mjs", "runtime_path": node, "exceptions": "none", "timeout_ms": startLimit, "env": A{"SAID": filepath.Join(p.Dir, "said")},
		"breakpoints": []A{{"file": "main.mjs", "line": 15}, {"file": "late.mjs", "line": 1}},
	}).Stopped("stopped_at_breakpoint", "late.mjs:1")
	s.OK("execute", nil).Want("terminated", "data", "execution_state", "status")
	text, err := os.ReadFile(filepath.Join(p.Dir, "said"))
	if said := strings.Split(strings.TrimSpace(string(text)), "\n"); err != nil || len(said) != 2 || said[0] != said[1] || !strings.Contains(said[0], "its own") {
		t.Errorf("by itself, and in a session, it says (%v)\n%s", err, text)
	}
}
