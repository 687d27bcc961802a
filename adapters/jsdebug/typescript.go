package jsdebug

import (
	"encoding/json"
	"path/filepath"
	"strings"

	"aidb-mcp/adapters/prepare"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/system/boundedfile"
)

// way is how a program's sources get into node.
type way struct {
	program     string            // what node runs; compiled code in place of the source where there is no other way
	runtimeArgs []string          // that let node read the source
	env         map[string]string // that they need, where the user sets nothing else
	outFiles    []string          // where compiled code with source maps lies
	warnings    []string
}

// From these on node runs TypeScript: first only when asked, then by itself.
var (
	stripsWhenAsked = version{22, 6, 0}
	stripsItself    = version{22, 18, 0}
	asked23         = version{23, 0, 0}
	itself23        = version{23, 6, 0}
)

// strips says whether a node runs TypeScript and what it must be told to.
func (v version) strips() (args []string, can bool) {
	switch {
	case v.isBefore(stripsWhenAsked):
		return nil, false
	case v.isBefore(stripsItself), !v.isBefore(asked23) && v.isBefore(itself23):
		return []string{"--experimental-strip-types"}, true
	}
	return nil, true
}

// wayOf finds how a file is run: JavaScript as it is; TypeScript with what the
// project has for it, from what tsc has made of it, or by a node that can itself.
// A loader that the user names is believed.
func (j job) wayOf(file string) (way, error) {
	if !isTypeScript(file) && filepath.Ext(file) != ".jsx" {
		return j.wayOfCompiled(file), nil
	}
	if j.loads || hasLoader(j.options.RuntimeArgs) || hasLoader(j.BuildArgs) || hasLoader(strings.Fields(prepare.Lookup(j.env, "NODE_OPTIONS"))) {
		return way{program: file}, nil
	}
	dir := filepath.Dir(file)
	if w := j.loader(dir); w != nil {
		w.program = file
		return *w, nil
	}
	w, err := j.compiledWay(file)
	if args, can := j.node.version.strips(); err != nil && can && !strings.HasSuffix(file, "x") {
		return way{program: file, runtimeArgs: args}, nil
	}
	if missing := j.loaderMissing(dir); err != nil && missing != nil {
		return way{}, missing
	}
	return w, err
}

// hasLoader says that node's arguments bring something that reads TypeScript.
func hasLoader(args []string) bool {
	for _, arg := range args {
		for _, loader := range []string{"tsx", "ts-node", "swc", "esbuild", "strip-types", "transform-types"} {
			if strings.Contains(arg, loader) {
				return true
			}
		}
	}
	return false
}

// tsconfig is what of a tsconfig.json says how a project is compiled.
type tsconfig struct {
	CompilerOptions struct {
		OutDir            string                     `json:"outDir"`
		RootDir           string                     `json:"rootDir"`
		DecoratorMetadata bool                       `json:"emitDecoratorMetadata"`
		Paths             map[string]json.RawMessage `json:"paths"`
	} `json:"compilerOptions"`
}

func readTSConfig(dir string) (c tsconfig) {
	text, err := boundedfile.ReadText(filepath.Join(dir, "tsconfig.json"))
	if err == nil {
		_ = json.Unmarshal(plainJSON(text), &c)
	}
	return c
}

// compiledWay finds what tsc has made of a source, and checks that its source map
// leads back.
func (j job) compiledWay(file string) (way, error) {
	shown := prepare.Show(j.Request, file)
	root := prepare.Upwards(filepath.Dir(file), "tsconfig.json")
	for _, out := range outputsOf(root, file) {
		if !prepare.Exists(out) {
			continue
		}
		if err := j.checkMap(file, out); err != nil {
			return way{}, err
		}
		return j.wayOfCompiled(out), nil
	}
	f := fault.New(fault.InvalidTarget, "%s is TypeScript, and node %s cannot run it", shown, j.node.version).WithField("target")
	if root != "" {
		return way{}, f.WithHint("install tsx in the project (npm install --save-dev tsx), or compile it with source maps (npx tsc --sourceMap), or give runtime_path a Node.js of 22.18 or newer, which runs TypeScript itself")
	}
	return way{}, f.WithHint("install tsx in the project (npm install --save-dev tsx), or give runtime_path a Node.js of 22.18 or newer, which runs TypeScript itself")
}

// outputsOf are the files that a source may have been compiled to.
func outputsOf(root, file string) []string {
	ext := filepath.Ext(file)
	js := map[string]string{".mts": ".mjs", ".cts": ".cjs"}[ext]
	if js == "" {
		js = ".js"
	}
	beside := strings.TrimSuffix(file, ext) + js
	if root == "" {
		return []string{beside}
	}
	options := readTSConfig(root).CompilerOptions
	var outs []string
	for _, dir := range []string{options.OutDir, "dist", "build", "out", "lib"} {
		for _, from := range []string{options.RootDir, "src", "."} {
			rel, err := filepath.Rel(filepath.Join(root, from), beside)
			if dir != "" && from != "" && err == nil && !strings.HasPrefix(rel, "..") {
				outs = append(outs, filepath.Join(root, dir, rel))
			}
		}
	}
	return append(outs, beside)
}

// compiledAround are the patterns of the compiled files that belong to one: all
// below the directory that its project compiles into, else its own directory.
// None when the file is not compiled: js-debug reads all files that match.
func compiledAround(file string) []string {
	if mapOf(file) == "" {
		return []string{}
	}
	dir := filepath.Dir(file)
	if root := prepare.Upwards(dir, "tsconfig.json"); root != "" {
		if out := readTSConfig(root).CompilerOptions.OutDir; out != "" && prepare.Inside(filepath.Join(root, out), file) {
			dir = filepath.Join(root, out)
		}
	}
	return []string{filepath.ToSlash(dir) + "/**/*.(m|c|)js", "!**/node_modules/**"}
}
