package jsdebug

import (
	"net/url"
	"path/filepath"
	"strings"

	"aidb-mcp/adapters/prepare"
	"aidb-mcp/internal/fault"
)

// loader is how a project runs TypeScript in node; nil when it has nothing for that. What esbuild compiles, as tsx does, lacks the types that
// decorators ask for, so that ts-node comes first where they do.
func (j job) loader(dir string) *way {
	order := []func(string) *way{j.tsx, j.tsNode}
	if p := projectOf(dir).manifest; metadata(dir) || p.Wants("ts-node") && !p.Wants("tsx") {
		order = []func(string) *way{j.tsNode, j.tsx}
	}
	for _, find := range order {
		if w := find(dir); w != nil {
			return w
		}
	}
	return nil
}

// metadata says that the project's code asks for its types as it runs.
func metadata(dir string) bool {
	root := prepare.Upwards(dir, "tsconfig.json")
	return root != "" && readTSConfig(root).CompilerOptions.DecoratorMetadata
}

// tsx is how the project's tsx is used; nil when it has none.
func (j job) tsx(dir string) *way {
	home := installedPackage(dir, "tsx")
	if home == "" {
		return nil
	}
	loader := fileURL(filepath.Join(home, "dist", "loader.mjs"))
	if j.node.version.isBefore(version{18, 19, 0}) || !j.node.version.isBefore(version{20, 0, 0}) && j.node.version.isBefore(version{20, 6, 0}) {
		return &way{runtimeArgs: []string{"--require", filepath.Join(home, "dist", "preflight.cjs"), "--loader", loader}}
	}
	return &way{runtimeArgs: []string{"--import", loader}}
}

// tsNode is how the project's ts-node is used; nil when it has none. ES modules
// need its loader. It would look for the tsconfig.json where the program runs.
func (j job) tsNode(dir string) *way {
	home := installedPackage(dir, "ts-node")
	if home == "" {
		return nil
	}
	w := &way{runtimeArgs: []string{"--require", filepath.Join(home, "register", "index.js")}}
	if projectOf(dir).manifest.Type == "module" {
		w.runtimeArgs = []string{"--no-warnings", "--loader", fileURL(filepath.Join(home, "esm.mjs"))}
	}
	root := prepare.Upwards(dir, "tsconfig.json")
	if root == "" {
		return w
	}
	w.env = map[string]string{"TS_NODE_PROJECT": filepath.Join(root, "tsconfig.json")}
	if paths := installedPackage(dir, "tsconfig-paths"); paths != "" && len(readTSConfig(root).CompilerOptions.Paths) > 0 {
		w.runtimeArgs = append(w.runtimeArgs, "--require", filepath.Join(paths, "register.js"))
	}
	return w
}

// loaderMissing says how to install what the project runs TypeScript with, where
// that is not there; nil when it asks for nothing.
func (j job) loaderMissing(dir string) error {
	p := projectOf(dir)
	for _, name := range []string{"tsx", "ts-node"} {
		if p.manifest.Wants(name) && installedPackage(dir, name) == "" {
			return fault.New(fault.InvalidTarget, "%s, which this project runs TypeScript with, is not installed in %s", name, prepare.Show(j.Request, p.dir)).
				WithField("target").WithHint("run %s in %s", installCommand(p.dir), prepare.Show(j.Request, p.dir))
		}
	}
	return nil
}

// installCommand is what installs a project's packages, by the lock file that is there.
func installCommand(dir string) string {
	for _, at := range []string{dir, monorepo(dir)} {
		for _, manager := range [][2]string{{"pnpm-lock.yaml", "pnpm"}, {"yarn.lock", "yarn"}, {"bun.lock", "bun"}, {"bun.lockb", "bun"}} {
			if at != "" && prepare.Exists(filepath.Join(at, manager[0])) {
				return manager[1] + " install"
			}
		}
	}
	return "npm install"
}

func fileURL(path string) string {
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	return (&url.URL{Scheme: "file", Path: path}).String()
}
