// Package bench is what the benchmark measures of JavaScript.
package bench

import (
	"bufio"
	"context"
	"embed"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"strconv"

	"aidb-mcp/internal/commands/bench/debuggee"
	"aidb-mcp/internal/text/pattern"
)

//go:embed _program
var programs embed.FS

// Set is what is measured of JavaScript.
func Set() debuggee.Set {
	return debuggee.Set{
		Sessions: []debuggee.Session{{
			Name: "JavaScript (js-debug)", File: "average.js", First: "let sum = 0", Ratio: debuggee.GainedRatio, Ways: javascriptWays,
			Adapter: func(*debuggee.Program) (debuggee.Command, error) {
				dir, err := debuggee.Component("js-debug", "src", "dapDebugServer.js")
				if err != nil {
					return debuggee.Command{}, err
				}
				node, err := exec.LookPath("node")
				return debuggee.Command{
					ID: "pwa-node", Path: node, Announces: "Debug server listening at ",
					Args: []string{filepath.Join(dir, "src", "dapDebugServer.js"), "0", "127.0.0.1"},
				}, err
			},
			Launch: func(p *debuggee.Program) debuggee.Object {
				return debuggee.Object{
					"type": "pwa-node", "request": "launch", "name": "node", "program": p.File, "cwd": p.Dir,
					"console": "internalConsole", "killBehavior": "forceful", "smartStep": false,
					"skipFiles": []string{"<node_internals>/**"}, "outFiles": []string{}, "__workspaceFolder": p.Dir,
				}
			},
			Files: programs,
		}},
		Rates: []debuggee.Rate{
			{Session: debuggee.Session{Name: "JavaScript, rewritten", File: "rate.js", Files: programs, First: debuggee.Counted}, Few: 5_000, Many: 205_000, Logged: 400, Least: 20_000},
		},
		Wides: []debuggee.Wide{{
			Name: "JavaScript, wide", Module: wideJS, Main: wideJSMain, Pattern: "m*.*", Noted: debuggee.WideNoted,
			Plain: func(ctx context.Context, _ string) *exec.Cmd { return exec.CommandContext(ctx, "node", "main.js") },
		}},
		Paces: []debuggee.Pace{{
			Name: "JavaScript, at work", File: "main.js", Rounds: 10_000_000, Diagnose: 2, Plain: debuggee.Runs("node", "main.js"),
			Text: atWork,
		}},
		Armed: []debuggee.Armed{{
			Name: "JavaScript, armed", File: "armed.js", Text: armed, Value: "total", Plain: debuggee.Runs("node", "armed.js"),
			Start: debuggee.Object{"adapter_options": debuggee.Object{"observe": true}},
		}},
		Holdings: []debuggee.Holding{{Name: "JavaScript, a Map of 1,000,000", File: "held.js", Count: 1_000_000, Text: heldMap}},
	}
}

var javascriptWays = []debuggee.Way{
	{Name: "launched", File: "average.js", Begin: func(_ context.Context, p *debuggee.Program) (debuggee.Object, func(), error) {
		return debuggee.Object{"target": p.File}, func() {}, nil
	}},
	{Name: "a child process", File: "average.js", Begin: func(_ context.Context, p *debuggee.Program) (debuggee.Object, func(), error) {
		target, _, err := p.Put("forking.js", "fork")
		return debuggee.Object{"target": target}, func() {}, err
	}},
	{Name: "attached", File: "attached.js", Begin: attachable},
}

// inspectorPort finds the port in what node says of its inspector.
var inspectorPort = pattern.New(`ws://127\.0\.0\.1:(\d+)/`)

// attachable starts a node that listens to debuggers.
func attachable(ctx context.Context, p *debuggee.Program) (debuggee.Object, func(), error) {
	node := exec.CommandContext(ctx, "node", "--inspect=127.0.0.1:0", filepath.Join(p.Dir, "attached.js"))
	said, err := node.StderrPipe()
	if err == nil {
		err = node.Start()
	}
	if err != nil {
		return nil, nil, err
	}
	end := func() { _ = node.Process.Kill(); _ = node.Wait() }
	lines := bufio.NewReader(said)
	line, err := lines.ReadString('\n')
	m := inspectorPort.FindStringSubmatch(line)
	if err != nil || m == nil {
		end()
		return nil, nil, fmt.Errorf("node says no port: %q, %w", line, err)
	}
	go func() { _, _ = io.Copy(io.Discard, lines) }()
	port, _ := strconv.Atoi(m[1])
	return debuggee.Object{"port": port}, end, nil
}

func wideJS(n int) (file, text string) {
	return fmt.Sprintf("m%d.js", n), "'use strict';\n" + debuggee.EachFunction(`
// f# counts the letters of a name.
function f#(sum, name) {
  for (let i = 0; i < name.length; i++) {
    if (name[i] === 'e' && i > #) {
      sum += name.charCodeAt(i) * i;
    }
  }
  if (sum < 0) return 0;
  return sum + name.length - #;
}
`) + "\nfunction run(sum) {\n" + debuggee.EachCalled("  sum = f#(sum, 'measured');\n") + "  return sum;\n}\n\nmodule.exports = { run };\n"
}

func wideJSMain() (file, text string) {
	return "main.js", "'use strict';\nlet sum = 0;\n" + debuggee.EachModule("sum = require('./m#.js').run(sum);\n") + "console.log(sum);\n"
}

const heldMap = `'use strict';
function main() {
  const numbers = new Map();
  for (let i = 0; i < Number(process.argv[2]); i++) numbers.set('k' + i, i);
  let x = numbers.size; // held
  x += 1;
  x += 2;
  x += 3;
  x += 4;
  x += 5;
  x += 6;
  console.log(x);
}
main();
`

const atWork = `'use strict';
function mix(a, b) { return (a * 31 + b) % 1000003; }

function step(sum, i) {
  if (i % 3 === 0) return mix(sum, i);
  return mix(i, sum);
}

function work(rounds) {
  let sum = 1;
  for (let i = 0; i < rounds; i++) {
    sum = step(sum, i);
    if (sum < 0) {
      sum = 0; // never
    }
  }
  return sum;
}

const table = [[1], [2], [3]];
const sum = work(Number(process.argv[2]));
console.log(table[sum + 3].length);
`

const armed = `'use strict';
const rate = Number(process.argv[2]) / 1000, now = () => performance.now();
let calls = 0, total = 1, gap = 0, since = now(), began = since, told = since, behind = 0;

function step(number) {
  total = (total * 31 + number) % 1000003; // armed
  return total;
}

function turn() {
  let at = now();
  gap = Math.max(gap, at - since);
  const due = Math.min((at - began) * rate - calls - behind, 50);
  behind = Math.max((at - began) * rate - calls - 50, behind);
  for (let i = 0; i < due; i++) step(calls++);
  since = now();
  if (since - told > 500) {
    console.log('calls ' + calls + ' gap ' + gap.toFixed(1));
    [told, gap] = [since, 0];
  }
  setTimeout(turn, 1);
}
turn();
`
