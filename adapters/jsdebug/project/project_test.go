package project

import (
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"aidb-mcp/internal/project/workspace"
	"aidb-mcp/internal/project/workspace/workspacetest"
	"aidb-mcp/internal/testkit/filetree"
)

// known is the language of these tests.
var known = workspace.Languages{&Support}

const aTest = "describe('cart', () => {\n  it('adds', () => {})\n})\n"

// What is proposed first in the layouts that projects of JavaScript and TypeScript have.
func TestStartsOfJavaScript(t *testing.T) {
	for name, c := range map[string]struct {
		files         map[string]string
		test, program workspace.Start
	}{
		"sources apart, several programs": {
			files: map[string]string{
				"package.json":  `{"bin": {"shop": "bin/shop.js"}, "scripts": {"start": "node --env-file=.env src/server.js --quiet", "seed": "node scripts/seed.js"}, "dependencies": {"express": "5"}}`,
				"src/server.js": "app.listen(1)\n", "bin/shop.js": "#!/usr/bin/env node\n", "scripts/seed.js": "#!/usr/bin/env node\n", "src/main.js": "",
			},
			program: workspace.Start{Target: "src/server.js", Framework: "Express", BuildArgs: []string{"--env-file=.env"}, Args: []string{"--quiet"}, Serves: true},
		},
		"express-generator": {
			files: map[string]string{
				"package.json": `{"scripts": {"start": "node ./bin/www"}, "dependencies": {"express": "4"}}`,
				"bin/www":      "#!/usr/bin/env node\nserver.listen(port)\n", "app.js": "module.exports = app\n",
			},
			program: workspace.Start{Target: "bin/www", Framework: "Express", Serves: true},
		},
		"compiled, with the tests": {
			files: map[string]string{
				"package.json":  `{"main": "out/app.js", "scripts": {"start": "node out/app.js", "test": "node --test out"}}`,
				"tsconfig.json": `{"compilerOptions": {"outDir": "./out", "rootDir": "src", "sourceMap": true,} /* all */}`,
				"src/app.ts":    "", "src/app.test.ts": "import { test } from 'node:test'\ntest('adds', () => {})\n",
				"out/app.js": "", "out/app.test.js": "import { test } from 'node:test'\ntest('adds', () => {})\n",
			},
			test:    workspace.Start{Framework: "node:test", Target: "src/app.test.ts", Name: "adds"},
			program: workspace.Start{Target: "src/app.ts"},
		},
		"sources before what is built of others": {
			files: map[string]string{
				"package.json": `{"scripts": {"start": "node dist/main", "start:dev": "tsx watch src/dev.ts"}}`,
				"src/main.ts":  "", "src/dev.ts": "", "dist/main.js": "",
			},
			program: workspace.Start{Target: "src/dev.ts"},
		},
		"a browser's": {
			files: map[string]string{
				"package.json": `{"scripts": {"dev": "vite", "test": "vitest"}, "dependencies": {"react-dom": "19"}}`,
				"src/main.tsx": "", "src/main.ts": "", "src/App.test.tsx": aTest, "vite.config.ts": "", "server.js": "app.listen(1)\n",
			},
			test:    workspace.Start{Framework: "vitest", Target: "src/App.test.tsx", Name: "adds"},
			program: workspace.Start{Target: "server.js", Serves: true},
		},
		"Next.js in a monorepo of pnpm": {
			files: map[string]string{
				"package.json": `{"private": true, "scripts": {"dev": "pnpm -r dev"}}`, "pnpm-workspace.yaml": "packages: [apps/*]\n",
				"apps/shop/package.json":           `{"scripts": {"dev": "next dev -p 3001", "start": "next start"}, "dependencies": {"next": "16", "react-dom": "19"}}`,
				"apps/shop/app/api/items/route.ts": "export function GET() {}\n",
			},
			program: workspace.Start{Target: "apps/shop", Module: "dev", Framework: "Next.js", Serves: true},
		},
		"SvelteKit, whose tests Vite runs too": {
			files: map[string]string{
				"package.json":   `{"scripts": {"dev": "vite dev", "test": "vitest run"}, "devDependencies": {"@sveltejs/kit": "2", "svelte": "5"}}`,
				"vite.config.ts": "", "src/cart.test.ts": aTest,
			},
			test:    workspace.Start{Framework: "vitest", Target: "src/cart.test.ts", Name: "adds"},
			program: workspace.Start{Target: ".", Module: "dev", Framework: "SvelteKit", Serves: true},
		},
		"Vite with a server's code": {
			files: map[string]string{
				"package.json": `{"scripts": {"dev": "vite --host"}, "devDependencies": {"vite": "8"}}`, "vite.config.mts": "configureServer(server) {}\n",
			},
			program: workspace.Start{Target: ".", Module: "dev", Framework: "Vite", Serves: true},
		},
		"Vite for a browser only": {
			files: map[string]string{
				"package.json": `{"scripts": {"dev": "vite", "build": "vite build"}, "devDependencies": {"vite": "8"}}`, "vite.config.ts": "", "src/main.ts": "",
			},
		},
		"built before it is served": {
			files: map[string]string{"package.json": `{"scripts": {"start": "next start", "dev": "nuxt build"}}`},
		},
		"Nest without what runs TypeScript": {
			files: map[string]string{
				"package.json": `{"scripts": {"start": "nest start"}, "dependencies": {"@nestjs/core": "11"}}`, "src/main.ts": "",
			},
			program: workspace.Start{Target: ".", Module: "start", Framework: "NestJS", Serves: true},
		},
		"nested tests, with helpers": {
			files: map[string]string{
				"package.json":                `{"main": "lib/cart.js", "scripts": {"test": "mocha --recursive"}}`,
				"lib/cart.js":                 "exports.total = () => 0\n",
				"test/helpers/clock.js":       "exports.it = 1\n",
				"test/unit/money/rounding.js": aTest,
				"test/fixtures/broken.js":     "it('is data', () => {})\n",
			},
			test: workspace.Start{Framework: "mocha", Target: "test/unit/money/rounding.js", Name: "adds"},
		},
		"jest's directories": {
			files: map[string]string{
				"package.json":                `{"jest": {}, "main": "index.js"}`,
				"index.js":                    "module.exports = {}\n",
				"src/deep/__tests__/price.js": aTest,
				"src/deep/__mocks__/price.js": "",
				"node_modules/x/x.test.js":    aTest,
			},
			test: workspace.Start{Framework: "jest", Target: "src/deep/__tests__/price.js", Name: "adds"},
		},
		"a monorepo": {
			files: map[string]string{
				"package.json":                 `{"private": true, "devDependencies": {"typescript": "5"}}`,
				"pnpm-workspace.yaml":          "packages: [packages/*, apps/*]\n",
				"vitest.config.ts":             "",
				"packages/tax/package.json":    `{"main": "src/index.ts"}`,
				"packages/tax/src/index.ts":    "export const tax = 1\n",
				"packages/tax/src/tax.test.ts": aTest,
				"apps/api/package.json":        `{"scripts": {"dev": "tsx watch src/main.ts"}, "dependencies": {"fastify": "5"}}`,
				"apps/api/src/main.ts":         "app.listen({ port })\n",
				"apps/web/package.json":        `{"scripts": {"dev": "next dev"}, "dependencies": {"react-dom": "19"}}`,
				"apps/web/src/index.js":        "",
			},
			test:    workspace.Start{Framework: "vitest", Target: "packages/tax/src/tax.test.ts", Name: "adds"},
			program: workspace.Start{Target: "apps/api/src/main.ts", Framework: "Fastify", Cwd: "apps/api", Serves: true},
		},
		"a library that serves": {
			files: map[string]string{
				"package.json":  `{"main": "serve.js", "types": "serve.d.ts", "scripts": {"unit": "node --test"}}`,
				"lib/server.js": "module.exports = { create }\nhttp.createServer(options)\n", "serve.js": "module.exports = {}\n",
			},
		},
		"tests of a runner that is not known": {
			files: map[string]string{
				"package.json": `{"devDependencies": {"tap": "5"}}`,
				"test/cart.js": "const { test } = require('tap')\ntest('adds', (t) => {})\n",
			},
		},
		"tape, which runs whole files": {
			files: map[string]string{
				"package.json": `{"scripts": {"test": "tape test/*.js"}}`,
				"test/cart.js": "const test = require('tape')\ntest('adds', (t) => {})\n",
			},
			test: workspace.Start{Framework: "tape", Target: "test/cart.js"},
		},
		"rows of a table": {
			files: map[string]string{
				"package.json":    `{"jest": {}}`,
				"src/sum.test.js": "it.each([\n  [1, 2],\n])('adds %i', () => {})\n",
			},
			test: workspace.Start{Framework: "jest", Target: "src/sum.test.js", Name: "adds %i"},
		},
		"names made in a loop": {
			files: map[string]string{
				"package.json": `{"scripts": {"test": "mocha"}}`,
				"test/sum.js":  "for (const n of all) {\n  it(`adds ${n}`, () => {})\n}\n",
			},
			test: workspace.Start{Framework: "mocha", Target: "test/sum.js", Name: "adds ${n}"},
		},
		"ava beside what is called alike": {
			files: map[string]string{
				"package.json":    `{"scripts": {"test": "ava # not java"}}`,
				"test/cart.js":    "import test from 'ava'\ntest.serial('adds', (t) => {})\n",
				"test/helpers.js": "test('is none', () => {})\n",
			},
			test: workspace.Start{Framework: "ava", Target: "test/cart.js", Name: "adds"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			tests, programs := workspacetest.Starts(t, known, filetree.New(t, c.files))
			first := func(list []workspace.Start) (s workspace.Start) {
				if len(list) > 0 {
					s = list[0]
					s.Language, s.Test = "", false
				}
				return s
			}
			if diff := cmp.Diff(c.test, first(tests)); diff != "" {
				t.Errorf("test (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(c.program, first(programs), cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("program (-want +got):\n%s", diff)
			}
		})
	}
}

// Runners of JavaScript keep which files failed.
func TestFailedJavaScript(t *testing.T) {
	temporary := t.TempDir()
	t.Setenv("TMPDIR", temporary)
	for runner, keep := range map[string]func(root string) (file, text string){
		"vitest": func(root string) (string, string) {
			return filepath.Join(root, "node_modules/.vite/vitest/da39/results.json"),
				`{"version": "4", "results": [[":a.test.js", {"failed": false}], ["web:b.test.js", {"failed": true}], ["x"], [":gone.test.js", {"failed": true}]]}`
		},
		"jest": func(root string) (string, string) {
			return filepath.Join(temporary, "jest_"+strconv.FormatInt(int64(os.Getuid()), 36), "perf-cache-1"),
				`{"` + root + `/a.test.js": [1, 20], "` + root + `/b.test.js": [0, 30], "/elsewhere/c.test.js": [0, 1]}`
		},
	} {
		root := filetree.New(t, map[string]string{
			"package.json": `{"scripts": {"test": "` + runner + `"}}`, "a.test.js": aTest, "b.test.js": aTest,
		})
		file, text := keep(root)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		tests, _ := workspacetest.Starts(t, known, root)
		want := workspace.Start{Language: "javascript", Framework: runner, Test: true, Target: "b.test.js", Reason: workspace.Failed}
		if diff := cmp.Diff(want, tests[0]); diff != "" {
			t.Errorf("%s (-want +got):\n%s", runner, diff)
		}
	}
}

// What a project says of its Node.js and of its build is told.
func TestAroundJavaScript(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	t.Setenv("NVM_DIR", "")
	t.Setenv("VOLTA_HOME", "")
	p := workspacetest.Detect(t, known, filetree.New(t, map[string]string{
		".nvmrc": "v20.11\n", "package.json": `{}`, "web/package.json": `{"volta": {"node": "22.1.0"}}`,
		"tsconfig.json": `{"compilerOptions": {"outDir": "./built", "sourceMap": true}}`, "built/a.js": "#!/usr/bin/env node\n", "a.ts": "",
		"web/tsconfig.json": `{"compilerOptions": {"outDir": "."}}`,
	}))
	want := []workspace.Environment{{Language: "javascript", Path: ".nvmrc", Name: "node 20.11"}, {Language: "javascript", Path: "web/package.json", Name: "node 22.1.0"}}
	if diff := cmp.Diff(want, p.Environments); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for _, b := range p.Builds {
		if b.Path == "tsconfig.json" && b.Name != "compiled into built with source maps" || b.Path == "web/tsconfig.json" && b.Name != "" {
			t.Errorf("%+v", b)
		}
	}
	if len(p.Programs) != 0 {
		t.Errorf("%+v", p.Programs)
	}
}

// What is found in projects.
func TestDetect(t *testing.T) {
	for name, c := range map[string]workspacetest.Project{
		"javascript": {
			Files: map[string]string{
				"package.json":  `{"description": "A shop.", "main": "dist/index.js", "bin": {"b": "bin/b.js", "a": "bin/a.js"}, "scripts": {"start": "node --enable-source-maps src/server.js"}, "devDependencies": {"jest": "1"}}`,
				"tsconfig.json": "{}",
				"src/server.js": "", "src/index.ts": "", "bin/a.js": "", "src/other.js": "",
				"src/sum.test.ts":     "describe('sum', () => {\n  it('adds', () => {})\n  test(\"it's zero\", () => {})\n  // it('not', …)\n})\n",
				"tools/gen.mjs":       "#!/usr/bin/env node\n",
				"jest.config.js":      "",
				"node_modules/x/a.js": "#!/usr/bin/env node\n",
				"unit/test/plain.js":  "import test from 'node:test'\ntest('plain', () => {})\n",
			},
			Want: workspacetest.Found{
				Programs: []workspace.Program{
					{Language: "javascript", Path: "src", Target: "src/server.js", File: "src/server.js", Line: 1, Doc: "A shop."},
					{Language: "javascript", Path: "bin", Target: "bin/a.js", File: "bin/a.js", Line: 1, Doc: "A shop."},
					{Language: "javascript", Path: "src", Target: "src/index.ts", File: "src/index.ts", Line: 1, Doc: "A shop."},
					{Language: "javascript", Path: "tools", Target: "tools/gen.mjs", File: "tools/gen.mjs", Line: 1},
				},
				Tests: []workspace.Suite{
					{Language: "javascript", Framework: "jest", Path: "src", Target: "src/sum.test.ts", Names: []string{"adds", "it's zero"}, Total: 2},
					{Language: "javascript", Framework: "node:test", Path: "unit/test", Target: "unit/test/plain.js", Names: []string{"plain"}, Total: 1},
				},
				Frameworks: []workspace.Framework{{Language: "javascript", Name: "jest"}, {Language: "javascript", Name: "node:test"}},
			},
		},
		"a library of javascript": {
			Files: map[string]string{
				"package.json":  `{"main": "dist/index.js", "types": "dist/index.d.ts", "bin": "bin/tool.js"}`,
				"dist/index.js": "", "dist/index.d.ts": "", "index.js": "", "bin/tool.js": "",
			},
			Want: workspacetest.Found{Programs: []workspace.Program{{Language: "javascript", Path: "bin", Target: "bin/tool.js", File: "bin/tool.js", Line: 1}}},
		},
		"a library of javascript alone": {
			Files: map[string]string{"package.json": `{"name": "only", "files": ["lib"]}`, "index.js": "", "lib/main.js": ""},
			Want:  workspacetest.Found{},
		},
	} {
		t.Run(name, func(t *testing.T) { c.Check(t, known) })
	}
}
