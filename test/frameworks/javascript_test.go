//go:build linux

package frameworks

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"aidb-mcp/internal/testkit"
)

var javaScriptFamily = family{Language: "JavaScript and TypeScript", Samples: []sample{
	{
		Long: "test/languages starts its tests",
		Name: "jest", Dir: "js-jest", Prepare: packages("jest"), Caches: "jest_*",
		File: "src/cart.js", Mark: "total", Ask: "sum", Want: "21",
	},
	{
		Long: "test/languages starts its tests",
		Name: "vitest", Dir: "js-vitest", Prepare: packages("vitest", "typescript"),
		File: "src/price.ts", Mark: "discount", Ask: "whole", Want: "200",
	},
	{
		Long: "test/languages starts its tests",
		Name: "mocha", Dir: "js-mocha", Prepare: packages("mocha"),
		File: "lib/queue.js", Mark: "place", Ask: "priority", Want: "0",
	},
	{
		Long: "test/languages starts its tests",
		Name: "node:test", Dir: "js-node-test",
		File: "src/slug.js", Mark: "slug", Ask: "joined", Want: "hello-ada-bob",
	},
	{
		Name: "Express", Dir: "js-express", Prepare: packages("express"),
		File: "src/routes/greetings.js", Mark: "reply", Ask: "greeting", Want: "Hello, Ada!",
		Request: "/greet/Ada?loud=1", Answer: "Hello, Ada!",
	},
	{
		Name: "NestJS", Dir: "js-nest", Caches: "v8-compile-cache-*",
		Prepare: packages("@nestjs/common", "@nestjs/core", "@nestjs/platform-express", "reflect-metadata", "rxjs", "ts-node", "typescript", "@types/node"),
		File:    "src/orders/orders.service.ts", Mark: "order", Ask: "total", Want: "12",
		Request: "/orders/tea?count=3", Answer: `"total":12`,
	},
	{
		Long: "npm workspaces are started by it",
		Name: "tsx", Dir: "js-tsx", Prepare: packages("tsx", "typescript"), Caches: "tsx-*",
		File: "src/words.ts", Mark: "counts", Ask: "counts.get('the')", Want: "3",
	},
	{
		Long: "NestJS is started by it",
		Name: "ts-node", Dir: "js-ts-node", Prepare: packages("ts-node", "typescript", "@types/node"), Caches: "v8-compile-cache-*",
		File: "src/hall.ts", Mark: "taken", Ask: "name", Want: "Ada",
	},
	{
		Long: "test/languages starts what tsc has compiled",
		Name: "tsc with source maps", Dir: "js-tsc",
		Note: "Compile it first, with `npm run build`.",
		Prepare: func(t *testing.T, dir string) {
			t.Helper()
			packages("typescript", "@types/node")(t, dir)
			cmd := exec.Command("node", filepath.Join("node_modules", "typescript", "bin", "tsc"))
			cmd.Dir = dir
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("tsc: %v\n%s", err, out)
			}
		},
		File: "src/till/till.ts", Mark: "change", Ask: "change", Want: "7",
	},
	{
		Name: "Vite", Dir: "js-vite", Prepare: packages("vite", "typescript"),
		Note: "What Vite runs on the server can be debugged: its configuration, and modules that are rendered there. A project that Vite only hands to the browser is not proposed. " +
			"Next.js, Nuxt, SvelteKit, React Router, Astro and `nest start` are started in the same way, by the script of `package.json` that starts them.",
		File: "src/page.ts", Mark: "page", Ask: "guest.visits", Want: "3",
		Request: "/guests/Ada", Answer: "Hello, Ada!",
	},
	{
		Name: "npm workspaces", Dir: "js-workspaces", Init: A{"mode": "launch"}, Caches: "tsx-*",
		Prepare: func(t *testing.T, dir string) {
			t.Helper()
			packages("tsx", "typescript", "vitest")(t, dir)
			scope := filepath.Join(dir, "node_modules", "@shop")
			if err := os.Mkdir(scope, 0o755); err != nil {
				t.Fatal(err)
			}
			for name, at := range map[string]string{"tax": "packages/tax", "api": "services/api"} {
				if err := os.Symlink(filepath.Join("..", "..", at), filepath.Join(scope, name)); err != nil {
					t.Fatal(err)
				}
			}
		},
		File: "packages/tax/src/index.ts", Mark: "gross", Ask: "tax", Want: "20",
		Request: "/?net=100", Answer: "120",
	},
}}

// packages installs what a project depends on, as npm would.
func packages(names ...string) func(*testing.T, string) {
	return func(t *testing.T, dir string) {
		t.Helper()
		testkit.LinkPackages(t, dir, names...)
	}
}
