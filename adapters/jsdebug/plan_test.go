package jsdebug

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	godap "github.com/google/go-dap"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/testkit/filetree"
)

func TestMode(t *testing.T) {
	t.Parallel()
	dir := filetree.New(t, map[string]string{"app.js": "", "app.test.js": ""})
	for _, tt := range []struct {
		r    adapters.Request
		want adapters.Mode
	}{
		{adapters.Request{Target: "app.js"}, adapters.Launch},
		{adapters.Request{Target: "app.test.js"}, adapters.Test},
		{adapters.Request{Target: "app.js", Test: "adds"}, adapters.Test},
		{adapters.Request{Test: "app.test.js::adds"}, adapters.Test},
		{adapters.Request{PID: 7}, adapters.Attach},
		{adapters.Request{Port: 9229}, adapters.RemoteAttach},
		{adapters.Request{Mode: adapters.Attach, Port: 9229}, adapters.RemoteAttach},
	} {
		tt.r.Workspace = dir
		if j, err := understand(tt.r); err != nil || j.Mode != tt.want {
			t.Errorf("%+v: %s, %v; want %s", tt.r, j.Mode, err, tt.want)
		}
	}
	_, err := understand(adapters.Request{Target: "app.js", Mode: adapters.Core, Workspace: dir})
	if f := (*fault.Error)(nil); !errors.As(err, &f) || f.Field != "mode" {
		t.Errorf("mode core: %v", err)
	}
}

func TestClaims(t *testing.T) {
	t.Parallel()
	dir := filetree.New(t, map[string]string{"package.json": "{}", "app.ts": "", "notes.txt": ""})
	a := New(Options{})
	claim := func(r adapters.Request) int {
		r.Workspace = dir
		return a.Claims(r)
	}
	for name, r := range map[string]adapters.Request{
		"a source": {Target: "app.ts"}, "a missing source": {Target: "gone.mjs"}, "a test": {Test: "app.test.ts::adds"},
		"a package": {Target: "."}, "nothing": {}, "the inspector's port": {Port: 9229},
	} {
		if claim(r) < 40 {
			t.Errorf("%s: %d", name, claim(r))
		}
	}
	for name, r := range map[string]adapters.Request{
		"a text": {Target: "notes.txt"}, "ourselves": {PID: os.Getpid()}, "a core": {CoreFile: "core"}, "a Go file": {Target: "main.go"},
	} {
		if claim(r) != 0 {
			t.Errorf("%s: %d", name, claim(r))
		}
	}
}

func TestTypeStripping(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"v20.20.2": "no", "v22.5.1": "no", "v22.6.0": "--experimental-strip-types", "v22.17.9": "--experimental-strip-types", "v22.18.0": "",
		"v23.0.0": "--experimental-strip-types", "v23.6.0": "", "v24.1.0": "", "v25.0.0-nightly20260101": "",
	} {
		v, err := parseVersion(text)
		args, can := v.strips()
		got := strings.Join(args, " ")
		if !can {
			got = "no"
		}
		if err != nil || got != want {
			t.Errorf("%s: %q, %v; want %q", text, got, err, want)
		}
	}
	if _, err := parseVersion("hello"); err == nil {
		t.Error("hello is a version")
	}
}

func TestRunnerIsFound(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		files map[string]string
		want  string
	}{
		"import":         {map[string]string{"a.test.js": "import { test } from 'vitest'", "jest.config.js": ""}, "vitest"},
		"require":        {map[string]string{"a.test.js": `const t = require("node:test")`}, "node:test"},
		"configuration":  {map[string]string{"a.test.js": "", "package.json": "{}", ".mocharc.json": "{}"}, "mocha"},
		"jest's own":     {map[string]string{"a.test.js": "", "package.json": `{"jest":{}}`}, "jest"},
		"script":         {map[string]string{"a.test.js": "", "package.json": `{"scripts":{"test":"NODE_ENV=test mocha -r x"}}`}, "mocha"},
		"node's flag":    {map[string]string{"a.test.js": "", "package.json": `{"scripts":{"test":"node --test"}}`}, "node:test"},
		"dependency":     {map[string]string{"a.test.js": "", "package.json": `{"devDependencies":{"jest":"30"}}`}, "jest"},
		"what is there":  {map[string]string{"a.test.js": "", "package.json": "{}", "node_modules/vitest/package.json": "{}"}, "vitest"},
		"nothing at all": {map[string]string{"a.test.js": ""}, ""},
	} {
		dir := filetree.New(t, tt.files)
		j := job{Request: adapters.Request{Workspace: dir}}
		if got, err := j.runner([]string{filepath.Join(dir, "a.test.js")}); got.name != tt.want || (err != nil) != (tt.want == "") {
			t.Errorf("%s: %q, %v; want %q", name, got.name, err, tt.want)
		}
	}
}

// In a monorepo a package may leave to the root what runs its tests.
func TestRunnerOfTheWorkspaces(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		files      map[string]string
		want, root string
	}{
		"root's configuration": {map[string]string{"jest.config.js": "", "packages/a/package.json": `{"devDependencies":{"typescript":"5"}}`}, "jest", "."},
		"package's script":     {map[string]string{"jest.config.js": "", "packages/a/package.json": `{"scripts":{"test":"vitest run"}}`}, "vitest", "packages/a"},
		"root's dependency":    {map[string]string{"packages/a/package.json": "{}"}, "mocha", "packages/a"},
	} {
		tt.files["package.json"] = `{"workspaces":["packages/*"],"devDependencies":{"mocha":"11"}}`
		tt.files["packages/a/a.test.js"] = ""
		dir := filetree.New(t, tt.files)
		j, at := job{Request: adapters.Request{Workspace: dir}}, filepath.Join(dir, "packages", "a")
		got, err := j.runner([]string{filepath.Join(at, "a.test.js")})
		if root := j.rootOf(got, at); err != nil || got.name != tt.want || root != filepath.Join(dir, tt.root) {
			t.Errorf("%s: %q in %s, %v; want %q in %s", name, got.name, root, err, tt.want, tt.root)
		}
	}
}

// What a script tells its runner is told to it here too.
func TestScripted(t *testing.T) {
	t.Parallel()
	for script, tt := range map[string]struct {
		runner string
		want   scripted
	}{
		"jest --coverage": {"jest", scripted{}},
		"NODE_OPTIONS='--experimental-vm-modules --no-warnings' npx jest -c unit.json --watch": {"jest",
			scripted{runtimeArgs: []string{"--experimental-vm-modules"}, args: []string{"-c", "unit.json"}}},
		"node --experimental-vm-modules node_modules/jest/bin/jest.js --env=jsdom": {"jest",
			scripted{runtimeArgs: []string{"--experimental-vm-modules"}, args: []string{"--env=jsdom"}}},
		"npm run lint && cross-env NODE_ENV=test mocha --require test/support/env --reporter spec test/": {"mocha",
			scripted{args: []string{"--require", "test/support/env"}, env: map[string]string{"NODE_ENV": "test"}}},
		"node --import tsx --test --test-reporter=spec 'test/**/*.ts'": {"node:test", scripted{runtimeArgs: []string{"--import", "tsx"}}},
		"vitest run --config ./vitest.unit.ts":                         {"vitest", scripted{args: []string{"--config", "./vitest.unit.ts"}}},
		"echo none":                                                    {"vitest", scripted{}},
	} {
		manifest, err := json.Marshal(map[string]any{"scripts": map[string]string{"test": script}})
		if err != nil {
			t.Fatal(err)
		}
		dir := filetree.New(t, map[string]string{"package.json": string(manifest)})
		r := runners()[slices.IndexFunc(runners(), func(r runner) bool { return r.name == tt.runner })]
		if got := (job{}).readScript(r, dir); !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%s: %+v, want %+v", script, got, tt.want)
		}
	}
}

func TestEntry(t *testing.T) {
	t.Parallel()
	for want, files := range map[string]map[string]string{
		"lib/run.js":   {"package.json": `{"main":"lib/run"}`, "lib/run.js": "", "index.js": ""},
		"cli.mjs":      {"package.json": `{"bin":{"tool":"./cli.mjs"}}`, "cli.mjs": ""},
		"src/index.ts": {"package.json": `{}`, "src/index.ts": ""},
	} {
		dir := filetree.New(t, files)
		if got := entryOf(dir); got != filepath.Join(dir, want) {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

func TestModules(t *testing.T) {
	t.Parallel()
	dir := filetree.New(t, map[string]string{
		"a.mjs": "", "b.cjs": "import x from 'y'", "c.js": "const x = require('y')", "d.js": "import x from 'y'\n", "e.js": "// import\nawait 1\n",
		"m/package.json": `{"type":"module"}`, "m/f.js": "",
	})
	for name, want := range map[string]bool{"a.mjs": true, "b.cjs": false, "c.js": false, "d.js": true, "e.js": true, "m/f.js": true} {
		if got := isModule(filepath.Join(dir, name)); got != want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestValuesAreTidied(t *testing.T) {
	t.Parallel()
	for in, want := range map[[2]string]string{
		{"class Order extends Base { #x = 1 }", "Function"}: "class Order extends Base",
		{"ƒ total(a,\n  b) {\n  return a; }", "Function"}:   "ƒ total(a, b)",
		{"async (x) => {\n}", "Function"}:                   "ƒ async (x) =>",
		{"Promise {[[PromiseState]]: 'pending', [[PromiseResult]]: undefined, Symbol(async_id_symbol): 1}", "Promise"}: "Promise {pending}",
		{"Promise {[[PromiseState]]: 'rejected', [[PromiseResult]]: Error: x}", "Promise"}:                             "Promise {rejected: Error: x}",
		{"Map(1) {size: 1, a => 1}", "Map"}:                                          "Map(1) {a => 1}",
		{"Set(0) {size: 0}", "Set"}:                                                  "Set(0) {}",
		{"Error: boom\n    at f (/a.js:1:1) {stack: 'x', message: 'boom'}", "Error"}: "Error: boom",
		{"Buffer(1) [1, buffer: ArrayBuffer(8), byteLength: 1, byteOffset: 0, length: 1, Symbol(Symbol.toStringTag): 'Uint8Array']", "Buffer"}: "Buffer(1) [1]",
		{"'a\n    at b'", "string"}: "'a\n    at b'",
	} {
		if got := tidyValue(godap.Variable{Value: in[0], Type: in[1]}); got != want {
			t.Errorf("%q: %q, want %q", in[0], got, want)
		}
	}
}

func TestScopesAreSorted(t *testing.T) {
	t.Parallel()
	var d dialect
	names := func(scopes ...godap.Scope) string {
		var list []string
		for _, s := range d.Scopes(scopes) {
			list = append(list, s.Name+"="+s.PresentationHint)
		}
		return strings.Join(list, " ")
	}
	whole := func(name string) godap.Scope {
		return godap.Scope{Name: name, Line: 1, Column: 1, PresentationHint: "arguments"}
	}
	inner := func(name string) godap.Scope { return godap.Scope{Name: name, Line: 3, Column: 5} }
	for want, got := range map[string]string{
		"Block: f=locals Local: f=locals Module=globals":    names(inner("Block: f"), inner("Local: f"), godap.Scope{Name: "Module"}, godap.Scope{Name: "Global"}),
		"Local: f=locals Closure (g)=locals Module=globals": names(inner("Local: f"), inner("Closure (g)"), inner("Closure"), godap.Scope{Name: "Global"}),
		"Module body=locals":                                names(whole("Local"), godap.Scope{Name: "Global"}),
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestErrorsAreTold(t *testing.T) {
	t.Parallel()
	var d dialect
	for in, want := range map[string]string{
		"Uncaught ReferenceError ReferenceError: x is not defined\n    at eval (repl:1:1)\n": "ReferenceError: x is not defined",
		"Uncaught SyntaxError: Unexpected token ';'":                                         "SyntaxError: Unexpected token ';'",
		"breakpoint.provisionalBreakpoint":                                                   "no code that comes from this line has been loaded yet, or the condition is no expression",
	} {
		if got, _ := d.Fault("evaluate", errors.New(in)); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}
