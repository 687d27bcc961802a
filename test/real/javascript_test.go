//go:build linux

package real

import (
	"strconv"

	"aidb-mcp/internal/testkit/registry"
)

// tools installs the test framework that testdata locks in tools.
var tools = [][]string{
	{"npm", "ci", "--prefix", "tools", "--ignore-scripts", "--no-audit", "--no-fund"},
	{"mv", "tools/node_modules", "node_modules"},
}

var javascript = []project{{
	Name: "express", Title: "Express 4.21.2, in an npm workspace", Language: "JavaScript", Small: true,
	Pins: []registry.Pin{{From: registry.Npm, Name: "express@4.21.2", Sum: "sha512-28HqgMZAmih1Czt9ny7qr6ek2qddF4FclbMzwhCREB6OFfH+rXAnuNCwo1/wFvrtbgsQDb4kSbX9de9lFbrXnA==", Into: "packages/express"}},
	Build: [][]string{
		{"npm", "pkg", "delete", "devDependencies", "--workspace", "express"},
		{"npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund"},
	},
	Again: []string{"trace", "diagnose", "attempt"},
	Journeys: []journey{
		{"request", "a route stops at a request, a step goes into the sum, and a breakpoint in a package of the workspace stops with the value that is sent", expressRequest},
		{"caught error", "an error that the framework turns into status 500 stops where it is thrown, with its message", expressError},
		{"trace", "tables show what is sent and the calls of a function, without a stop", expressTrace},
		{"why", "why leads from the value that fails a request back to a function's result and its operands", expressWhy},
		{"diagnose", "diagnose names the null value in a client of the server", expressDiagnosis},
		{"attempt", "attempt tells a fix from a change that fails and one that does not parse, and writes nothing", expressAttempt},
	},
}, {
	Name: "zod", Title: "Zod 3.25.76, with vitest", Language: "TypeScript",
	Pins:  []registry.Pin{{From: registry.Npm, Name: "zod@3.25.76", Sum: "sha512-gzUt/qt81nXsFGKIFcC3YnfEAx5NkunCfnDlvuBSSFS02bcXu4Lmea0AFIUwbLWxWPx3d9p8S5QoaujKcNQxcQ=="}},
	Edits: []edit{{"src/v3/types.ts", "if (ctx.data.length < def.minLength.value) {\n        addIssueToContext(ctx, {\n          code: ZodIssueCode.too_small,\n          minimum: def.minLength.value,\n          type: \"array\"", "if (ctx.data.length > def.minLength.value) {\n        addIssueToContext(ctx, {\n          code: ZodIssueCode.too_small,\n          minimum: def.minLength.value,\n          type: \"array\""}},
	Build: tools,
	Journeys: []journey{
		{"failing test", "a vitest test stops at the failing assertion, with its message and the locals of the test", zodExpect},
		{"error in a test", "a test that fails with the library's own error stops, and the condition in the TypeScript source shows why", zodError},
	},
}, {
	Name: "immer", Title: "Immer 10.1.1, with ts-jest", Language: "TypeScript",
	Pins:  []registry.Pin{{From: registry.Npm, Name: "immer@10.1.1", Sum: "sha512-s2MPrmjovJcoMaHtx6K11Ra7oD05NT97w1IC5zpMkT6Atjr7H8LjaDd81iIxUYpMKSRRNMJE703M1Fhr/TctHw=="}},
	Edits: []edit{{"src/utils/common.ts", "Array.prototype.slice.call(base)", "Array.prototype.slice.call(base, 1)"}},
	Build: tools,
	Journeys: []journey{
		{"failing test", "a ts-jest test stops at the failing assertion, in its TypeScript source, with expected and received", immerTest},
		{"breakpoint", "a breakpoint in the library's TypeScript stops with its values, in a test that passes", immerBreakpoint},
		{"why", "why leads from a wrong total into the library's TypeScript, under ts-jest", immerWhy},
		{"trace", "a table shows the calls of a library function with their arguments, in a ts-jest test", immerTrace},
		{"diagnose", "diagnose shows the wrong value in a ts-jest test", immerDiagnosis},
	},
}, {
	Name: "prettier", Title: "Prettier 3.3.3, a command", Language: "JavaScript",
	Pins: []registry.Pin{{From: registry.Npm, Name: "prettier@3.3.3", Sum: "sha512-i2tDNA0O5IrMO757lfrdQZCc2jPNDVntV0m/+4whiDfWaTKfMNgR7Qz0NAeGz/nRqF4m5/6CLzbP4/liHt12Ew==", Into: "node_modules/prettier"}},
	Journeys: []journey{
		{"command", "a breakpoint on a function's name stops in a bundled package, with the text that the command prints", prettierCommand},
	},
}}

// sentBelow is how far below the head of res.json it sends its text.
const sentBelow = 28

const expressListening = `listening on (127\.0\.0\.1:\d+)`

func expressRequest(s *story) {
	const main, sums, response = "packages/shop/server.js", "packages/shop/sums.js", "packages/express/lib/response.js"
	sent := s.line(response, "res.json = function json(obj) {") + sentBelow
	good := s.served(expressListening, "/orders/1", "node", main)
	address := s.serve(A{"target": main, "breakpoints": []A{
		{"file": main, "statement": "const mean = average(order.lines);"},
		{"file": response, "line": sent},
	}}, expressListening)

	answer := ask("http://" + address + "/orders/1")
	r := s.wait().Stopped("stopped_at_breakpoint", s.at(main, "const mean"))
	r.Contains([]string{"data", "locals", "order", "v"}, s.find(`"customer":"(\w+)"`, good))
	s.shows(map[string]string{"order.lines.length": "2", "req.params.number": "'1'"})
	s.OK("step", A{"action": "into"}).Want("average", "data", "function")
	r = s.OK("run_until", A{"location": s.at(sums, "return lines.length")})
	s.same("total", local(r, "total"), "14")
	r = s.goOn().Stopped("stopped_at_breakpoint", response+":"+strconv.Itoa(sent))
	s.same("what is sent", local(r, "body"), "'"+s.find(`(\{.*\})`, good)+"'")
	s.OK("execute", A{"wait_for_stop": false})
	s.same("the answer", s.answered(answer), good)
}

func expressError(s *story) {
	const main = "packages/shop/server.js"
	bad := s.served(expressListening, "/orders/2", "node", main)
	address := s.serve(A{"target": main}, expressListening)
	s.OK("breakpoint", A{"exceptions": "all"}) // now that nothing is loaded any more
	answer := ask("http://" + address + "/orders/2")
	r := s.wait().Stopped("stopped_at_exception", s.at(main, "mean.toFixed"))
	r.Want("TypeError", "data", "exception", "type").Contains([]string{"data", "exception", "message"}, "Cannot read properties of undefined (reading 'toFixed')")
	s.shows(map[string]string{"mean": "undefined", "order.customer": "'Bob'"})
	s.OK("execute", A{"wait_for_stop": false})
	s.same("the answer", s.answered(answer), bad)
}

func zodExpect(s *story) {
	report := s.truth("npx", "vitest", "run", "-t", "refuses an order")
	r := s.start(A{"test": "src/orders.test.ts::refuses an order without lines"})
	r.Stopped("stopped_at_exception", s.find(`(src/orders\.test\.ts:\d+):\d+`, report))
	r.Contains([]string{"data", "exception", "message"}, s.find(`AssertionError: (expected true to be false)`, report))
	s.shows(map[string]string{"result.success": "true"})
	s.ends(s.goOn(), 1)
}

func zodError(s *story) {
	report := s.truth("npx", "vitest", "run", "-t", "sums an order")
	r := s.start(A{"test": "src/orders.test.ts::sums an order", "breakpoints": []A{{"file": "src/v3/types.ts", "statement": "if (ctx.data.length > def.minLength.value) {"}}})
	r.Stopped("stopped_at_breakpoint", s.at("src/v3/types.ts", "if (ctx.data.length > def.minLength.value) {"))
	s.shows(map[string]string{"ctx.data.length": "2", "def.minLength.value": s.find(`"minimum": (\d+)`, report)})
	r = s.goOn().Want("stopped_at_exception", "data", "execution_state", "status")
	r.Contains([]string{"data", "exception", "message"}, "Array must contain at least 1 element(s)")
	s.ends(s.goOn(), 1)
}

func immerTest(s *story) {
	report := s.truth("npx", "jest", "-t", "is summed")
	r := s.start(A{"test": "test/orders.test.ts::is summed"})
	r.Stopped("stopped_at_exception", s.find(`\((test/orders\.test\.ts:\d+):\d+\)`, report))
	r.Contains([]string{"data", "exception", "message"}, "Expected: "+s.find(`Expected: (\d+)`, report), "Received: "+s.find(`Received: (\d+)`, report))
	s.shows(map[string]string{"next.total": s.find(`Received: (\d+)`, report)})
	s.ends(s.goOn(), 1)
}

func immerBreakpoint(s *story) {
	const source = "src/utils/common.ts"
	r := s.start(A{"test": "test/orders.test.ts::is summed", "exceptions": "none", "breakpoints": []A{{"file": source, "statement": "if (Array.isArray(base)) return Array.prototype.slice.call(base, 1)", "condition": "base.length === 2"}}})
	r.Stopped("stopped_at_breakpoint", s.at(source, "slice.call(base, 1)"))
	s.shows(map[string]string{"base.length": "2", "base[1].price": "1.25"})
	s.ends(s.start(A{"test": "test/orders.test.ts::is not changed itself"}), 0)
}

func prettierCommand(s *story) {
	const command, bundle = "node_modules/prettier/bin/prettier.cjs", "node_modules/prettier/index.mjs"
	printed := s.truth("node", command, "shop.js")
	r := s.start(A{"target": command, "args": []string{"shop.js"}, "breakpoints": []A{{"file": bundle, "function": "coreFormat"}}})
	r.Want("stopped_at_breakpoint", "data", "execution_state", "status").Want("coreFormat", "data", "function")
	s.shows(map[string]string{"originalText.split('\\n').length": "4"})
	s.OK("run_until", A{"location": s.at(bundle, `const comments = opts[Symbol.for("comments")];`)})
	s.shows(map[string]string{"ast.type": "'File'", "ast.program.body.length": "3", "result.formatted === " + strconv.Quote(printed): "true"})
	r = s.goOn()
	s.same("what it prints", r.At("data", "output", "stdout"), printed)
	s.ends(r, 0)
}
