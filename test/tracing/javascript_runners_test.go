//go:build linux

package tracing

import (
	"path/filepath"
	"strings"
	"testing"

	"aidb-mcp/internal/testkit"
)

// A test of each runner is traced where it runs, whatever process and context that is
// and whatever the runner makes of the sources.
func TestRunnersOfJavaScript(t *testing.T) {
	const cart = "CLASS Cart {\n  total = 0;\n  add(price) {\n    this.total += price; //@mark adds\n    return this;\n  }\n}\n"
	const body = "test('adds', () => {\n  const cart = new Cart().add(2).add(3); //@mark cart\n  const sum = cart.total; //@mark sum\n  ASSERT; //@mark asserts\n});\n"
	expects := strings.Replace(body, "ASSERT", "expect(sum).toBe(5)", 1)
	asserts := strings.Replace(body, "ASSERT", "require('assert').equal(sum, 5)", 1)
	common := strings.Replace(cart, "CLASS", "exports.Cart = class", 1)
	exported := strings.Replace(cart, "CLASS", "export class", 1)
	imported := strings.Replace(body, "ASSERT", "assert.equal(sum, 5)", 1)
	for name, c := range map[string]struct {
		packages    []string
		file, other string
		head, test  string
		cart        string
	}{
		"node-test":             {nil, "cart.test.js", "cart.js", "const { test } = require('node:test');\nconst { Cart } = require('./cart.js');\n", asserts, common},
		"node-test as a module": {nil, "cart.test.mjs", "cart.mjs", "import assert from 'node:assert';\nimport { test } from 'node:test';\nimport { Cart } from './cart.mjs';\n", imported, exported},
		"mocha":                 {[]string{"mocha"}, "cart.test.js", "cart.js", "const test = it;\nconst { Cart } = require('./cart.js');\n", asserts, common},
		"jest":                  {[]string{"jest"}, "cart.test.js", "cart.js", "const { Cart } = require('./cart.js');\n", expects, common},
		"vitest":                {[]string{"vitest"}, "cart.test.ts", "cart.ts", "import { test, expect } from 'vitest';\ninterface Unused {\n  x: 1;\n}\nimport { Cart } from './cart';\n", expects, strings.ReplaceAll(strings.Replace(exported, "add(price)", "add(price: number)", 1), "CLASS", "")},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if name == "node-test as a module" {
				testkit.Long(t, "vitest runs modules, and node:test what is none")
			}
			p := testkit.NewProgramOf(t, "javascript", "hunt")
			install(t, p, c.packages...)
			p.Write("package.json", `{ "name": "runners", "private": true, "scripts": { "test": "`+strings.ReplaceAll(strings.TrimSuffix(name, " as a module"), "node-test", "node --test")+`" } }`)
			p.Write(c.other, c.cart)
			p.Write(c.file, c.head+c.test)
			s := testkit.Start(t, testkit.Options{Dir: p.Dir})
			start := A{"target": c.file, "test": "adds", "env": A{"TMPDIR": filepath.Dir(p.Dir)}, "timeout_ms": 120_000}
			why := A{"expression": "sum", "location": p.At(c.file, "asserts"), "steps": 3}
			calls := A{"what": "calls", "functions": []string{"Cart.add"}}
			for k, v := range start {
				why[k], calls[k] = v, v
			}
			r := s.OK("why", why).Want("5", "data", "value")
			r.Want(p.At(c.file, "sum"), "data", "chain", "0", "at").Want(p.At(c.other, "adds"), "data", "chain", "1", "at")
			if !testkit.IsLong() && name != "node-test" && name != "jest" { // what is recorded of the run is asked in another way
				return
			}
			r = s.OK("trace", calls).Want("2", "data", "hits")
			if got := strings.Join(rows(t, r, "call", "from"), "; "); !strings.Contains(got, "add(price=3)") || !strings.Contains(got, p.At(c.file, "cart")) {
				t.Errorf("the calls are %q in\n%s", got, r)
			}
		})
	}
}
