package languages

import (
	"fmt"
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

func plantedServer(t *testing.T) (*testkit.Server, *testkit.Program) {
	t.Helper()
	testkit.Adapters(t)
	p := testkit.NewProgram(t, "")
	p.Write("planted.js", plantedScript)
	return testkit.Start(t, testkit.Options{Dir: p.Dir}), p
}

// A function with a breakpoint that is not reached runs as one without: V8 would interpret it,
// and all functions behind a line without code that was asked for.
func TestJavaScriptBreakpointThatCostsNothing(t *testing.T) {
	t.Parallel()
	s, p := plantedServer(t)
	p.Write("plain.js", strings.ReplaceAll(plantedScript, "@mark", ""))
	p.Write("race.js", `function cost(work) {
  const times = [1, 2, 3].map(() => {
    const before = process.cpuUsage().user;
    work(4_000_000);
    return process.cpuUsage().user - before;
  });
  return Math.min(...times);
}
const plain = cost(require('./plain.js').work), planted = cost(require('./planted.js').work);
console.log(planted < 3 * plain ? 'as fast' : 'slow: ' + planted / plain);
`)
	never := []A{{"file": "planted.js", "line": p.Line("planted-never")}, {"file": "planted.js", "line": p.Line("planted-comment")}}
	start := A{"target": "race.js", "timeout_ms": startLimit, "breakpoints": never}
	s.OK("session_start", start).Want("terminated", "data", "execution_state", "status").Want("as fast\n", "data", "output", "stdout").Has("never hit")

	// It is so, too, after a stop and a step.
	start["breakpoints"] = append(never, A{"file": "race.js", "line": 9})
	s.OK("session_start", start).Stopped("stopped_at_breakpoint", "race.js:9")
	s.OK("step", A{"action": "into"}).Has("stopped_after_step")
	s.OK("execute", nil).Want("terminated", "data", "execution_state", "status").Want("as fast\n", "data", "output", "stdout")
}

// The first hit of such a breakpoint is one of all; steps begin and end where they would
// without it, and neither places in stacks nor the text of functions differ.
func TestJavaScriptPlantsAreNotSeen(t *testing.T) {
	t.Parallel()
	s, p := plantedServer(t)
	first := p.Line("planted-comment") + 1
	start := func(points ...A) testkit.Reply {
		return s.OK("session_start", A{"target": "planted.js", "timeout_ms": startLimit, "breakpoints": points})
	}
	at := func(line int) string { return fmt.Sprintf("planted.js:%d", line) }
	length := strings.Index(plantedScript, "\n\nfunction work") - strings.Index(plantedScript, "class Step ")
	ends := func(r testkit.Reply) {
		t.Helper()
		r.Want("terminated", "data", "execution_state", "status")
		s.OK("inspect", A{"target": "output"}).Has(fmt.Sprintf("at Step.take %d:13 %d", first+1, length))
	}

	start(A{"file": "planted.js", "line": first - 1}).Stopped("stopped_at_breakpoint", at(first)).Want("-1", "data", "locals", "i", "v")
	s.OK("step", A{"action": "over"}).Stopped("stopped_after_step", at(first+1))
	ends(s.OK("execute", nil))

	// A step comes by the one that is not reached, and on to the one that is.
	start(A{"file": "planted.js", "line": first}, A{"file": "planted.js", "line": p.Line("planted-never")}, A{"file": "planted.js", "line": p.Line("planted-call")}).
		Stopped("stopped_at_breakpoint", at(p.Line("planted-call")))
	s.OK("step", A{"action": "into"}).Has(at(first - 2))
	s.OK("step", A{"action": "over"}).Has(at(first))
	s.OK("step", A{"action": "over"}).Stopped("stopped_after_step", at(first+1))
	ends(s.OK("execute", nil))

	start(A{"file": "planted.js", "line": first, "condition": "i === 1"}, A{"file": "planted.js", "line": first + 1, "log_message": "it is {i}"})
	s.OK("inspect", A{"target": "output"}).Has("it is -1").Has(fmt.Sprintf("at Step.take %d:13 %d", first+1, length))
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
	t.Parallel()
	testkit.Adapters(t)
	p := testkit.NewProgram(t, "")
	p.Write("quoted.js", `function boom(x) {
  const y = x; null.foo;
  return y + 1;
}
boom(3);
`)
	s := testkit.Start(t, testkit.Options{Dir: p.Dir})
	s.OK("session_start", A{"target": "quoted.js", "exceptions": "none", "breakpoints": []A{{"file": "quoted.js", "line": 3}}, "timeout_ms": startLimit}).
		Contains([]string{"data", "output", "stderr"}, "  const y = x; null.foo;\n").Lacks("__aidb")
}
