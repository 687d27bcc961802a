package jsdebug

import (
	_ "embed"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	godap "github.com/google/go-dap"
)

// hook is loaded into the program: see hook/hook.cjs for what it knows.
//
//go:embed hook/hook.cjs
var hook []byte

// errorsHook is loaded by the hook: see hook/errors.cjs.
//
//go:embed hook/errors.cjs
var errorsHook []byte

// originHook is loaded by the hook: see hook/origin.cjs.
//
//go:embed hook/origin.cjs
var originHook []byte

// keptHook is loaded by the one before: see hook/kept.cjs.
//
//go:embed hook/kept.cjs
var keptHook []byte

// testHook is loaded, besides, into programs that run tests.
//
//go:embed hook/tests.cjs
var testHook []byte

// vitestRunner takes the place of vitest's own runner, by vitestStart.
//
//go:embed hook/vitest-runner.mjs
var vitestRunner []byte

//go:embed hook/vitest-start.mjs
var vitestStart []byte

// The names that they have in js-debug's directory. What lies below node_modules
// is left as it is by what compiles a project.
const (
	hookName     = "aidb-hook.cjs"
	errorsName   = "aidb-errors.cjs"
	originName   = "aidb-origin.cjs"
	keptName     = "aidb-kept.cjs"
	testHookName = "aidb-tests.cjs"
	runnerName   = "node_modules/aidb/vitest-runner.mjs"
	reportName   = "aidb-tests.jsonl"
	startName    = "node_modules/aidb/vitest-start.mjs"
)

// The questions that js-debug asks the hook, in the program, about an error.
// Where the program has no hook, because it was attached to, the answer is V8's.
const (
	askStop   = `globalThis.__aidb?.stop(error) ?? true`
	askEvery  = `globalThis.__aidb?.stop(error, true) ?? true`
	askCaught = `globalThis.__aidb?.caught(error) ?? false`
	describe  = `globalThis.__aidb?.describe()`
)

// writeHook puts the hook, in its parts, into js-debug's directory.
func (s *server) writeHook() error {
	for name, text := range map[string][]byte{hookName: hook, errorsName: errorsHook, originName: originHook, keptName: keptHook, testHookName: testHook, runnerName: vitestRunner, startName: vitestStart} {
		path := filepath.Join(s.scratch, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return fmt.Errorf("writing the hook: %w", err)
		}
		if err := os.WriteFile(path, text, 0o600); err != nil {
			return fmt.Errorf("writing the hook: %w", err)
		}
	}
	return nil
}

// secret keeps node's inspector from telling everybody who asks its port the id
// without which nobody can debug the program. (On standard error it is told, and
// sifted out there.)
const secret = "--inspect-publish-uid=stderr"

// loadHook gives node's options that load the hook from a directory, after those
// that there are.
func loadHook(dir, options string, tests bool) string {
	load := secret + " --require " + filepath.Join(dir, hookName)
	if tests {
		load += " --require " + filepath.Join(dir, testHookName)
	}
	if options != "" {
		load = options + " " + load
	}
	return load
}

// Conditioned lets the hook answer for V8, which takes node's module loader for
// a handler: an error that gets out of an ES module counts as caught there.
//
// js-debug asks all conditions of all filters at once, so that there can be one
// only: an error that V8 knows to be uncaught goes unasked where modules are.
func (d *dialect) Conditioned(filters []string) []godap.ExceptionFilterOptions {
	uncaught, all := slices.Contains(filters, "uncaught"), slices.Contains(filters, "all")
	if d.attached || !uncaught && !all {
		return nil
	}
	if uncaught && !all && d.modules {
		return []godap.ExceptionFilterOptions{{FilterId: "uncaught"}, {FilterId: "all", Condition: askCaught}}
	}
	var options []godap.ExceptionFilterOptions
	for _, name := range filters {
		ask := askStop
		if name == "all" {
			ask = askEvery
		}
		options = append(options, godap.ExceptionFilterOptions{FilterId: name, Condition: ask})
	}
	return options
}
