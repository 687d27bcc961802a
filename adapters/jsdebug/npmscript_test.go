package jsdebug

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/testkit/filetree"
)

// What a script starts is found in the packages that are installed, by npm or, as
// links into a store, by pnpm.
func TestScriptOfPackage(t *testing.T) {
	t.Parallel()
	const tool = `{"name": "@shop/serve", "bin": {"serve": "bin/serve.mjs", "other": "x.js"}}`
	dir := filetree.New(t, map[string]string{
		"package.json":        `{"private": true, "devDependencies": {"typescript": "5"}}`,
		"pnpm-workspace.yaml": "packages: [apps/*]", "pnpm-lock.yaml": "",
		"apps/web/package.json": `{"scripts": {"dev": "PORT=1 HOST=a serve dev --open", "start": "tsc && node -r ./pre.js main one", "lint": "eslint .", "say": "node -e 1"}, "dependencies": {"@shop/serve": "1"}}`,
		"apps/web/main.js":      "",
		"apps/npm/package.json": `{"scripts": {"dev": "serve"}, "devDependencies": {"@shop/serve": "1"}}`,
		"node_modules/.pnpm/@shop+serve@1/node_modules/@shop/serve/package.json": tool,
		"apps/npm/node_modules/@shop/serve/package.json":                         tool,
	})
	link := filepath.Join(dir, "apps/web/node_modules/@shop/serve")
	if err := os.MkdirAll(filepath.Dir(link), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("../../../../node_modules/.pnpm/@shop+serve@1/node_modules/@shop/serve", link); err != nil {
		t.Fatal(err)
	}
	start := func(target, script string) (started, error) {
		j, err := understand(adapters.Request{Target: target, Module: script, Workspace: dir, Env: map[string]string{"HOST": "b"}, Args: []string{"more"}})
		if err != nil {
			t.Fatal(err)
		}
		return j.findStart()
	}
	s, err := start("apps/web", "dev")
	l := s.launch
	if err != nil || l.Program != filepath.Join(link, "bin", "serve.mjs") || !slices.Equal(l.Args, []string{"dev", "--open", "more"}) ||
		l.Env["PORT"] != "1" || l.Env["HOST"] != "b" || l.Cwd != filepath.Join(dir, "apps/web") || !l.PauseForSourceMap {
		t.Errorf("dev: %+v, %v", l, err)
	}
	if s, err = start("./apps/npm", "dev"); err != nil || s.launch.Program != filepath.Join(dir, "apps/npm/node_modules/@shop/serve/bin/serve.mjs") {
		t.Errorf("npm: %+v, %v", s.launch, err)
	}
	s, err = start("apps/web", "start")
	if l = s.launch; err != nil || l.Program != filepath.Join(dir, "apps/web/main.js") || !slices.Contains(l.RuntimeArgs, "./pre.js") || len(s.warnings) != 1 {
		t.Errorf("start: %+v, %q, %v", l, s.warnings, err)
	}
	for script, hint := range map[string]string{
		"lint": "run pnpm install in ./apps/web",
		"say":  "give the file that is to be run as target",
		"deb":  `did you mean "dev"?`,
	} {
		_, err := start("apps/web", script)
		if f := (*fault.Error)(nil); !errors.As(err, &f) || f.Field != "module" || f.Hint != hint {
			t.Errorf("%s: %v", script, err)
		}
	}
}

func TestClaimsScripts(t *testing.T) {
	t.Parallel()
	dir := filetree.New(t, map[string]string{"package.json": `{"scripts": {"dev": "next dev"}}`, "web/main.js": ""})
	for _, c := range []struct {
		target, module string
		claim          int
	}{{".", "dev", 65}, {"", "dev", 65}, {"", "flask", 20}, {"web", "dev", 0}} {
		r := adapters.Request{Target: c.target, Module: c.module, Workspace: dir}
		if got := (*adapter)(nil).Claims(r); got != c.claim {
			t.Errorf("%+v: %d", c, got)
		}
	}
}
