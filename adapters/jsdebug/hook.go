package jsdebug

import (
	"embed"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	godap "github.com/google/go-dap"
)

// hookFiles are loaded into the program: hook.cjs, which says what it knows, and what that
// loads, with the recorder's parser; besides, where the program runs tests, tests.cjs.
// vitest-runner.mjs takes the place of vitest's own runner, by vitest-start.mjs.
//
//go:embed hook/hook.cjs hook/errors.cjs hook/kept.cjs hook/origin.cjs hook/outline.cjs hook/plants.cjs
//go:embed hook/tests.cjs hook/tape.cjs hook/unseen.cjs hook/vitest-runner.mjs hook/vitest-start.mjs
var hookFiles embed.FS

// The names that they have in js-debug's directory. What lies below node_modules
// is left as it is by what compiles a project.
const (
	hookName     = "aidb-hook.cjs"
	testHookName = "aidb-tests.cjs"
	reportName   = "aidb-tests.jsonl"
	runnerFolder = "node_modules/aidb/"
	startName    = runnerFolder + "vitest-start.mjs"
)

// The questions that js-debug asks the hook, in the program, about an error.
// Where the program has no hook, because it was attached to, the answer is V8's.
const (
	askStop   = `globalThis.__aidb?.stop(error) ?? true`
	askEvery  = `globalThis.__aidb?.stop(error, true) ?? true`
	askCaught = `globalThis.__aidb?.caught(error) ?? false`
	describe  = `globalThis.__aidb?.describe()`
)

// writeHook puts the hook, in its parts, into a directory, which is js-debug's.
func writeHook(dir string) error {
	files, err := hookFiles.ReadDir("hook")
	if err != nil {
		return fmt.Errorf("reading the hook: %w", err)
	}
	if err := os.MkdirAll(filepath.Join(dir, filepath.FromSlash(runnerFolder)), 0o700); err != nil {
		return fmt.Errorf("writing the hook: %w", err)
	}
	parser, err := recorder.ReadFile("recorder/acorn.cjs")
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "aidb-acorn.cjs"), parser, 0o600)
	}
	if err != nil {
		return fmt.Errorf("writing the hook: %w", err)
	}
	for _, f := range files {
		text, err := hookFiles.ReadFile("hook/" + f.Name())
		if err != nil {
			return fmt.Errorf("reading the hook: %w", err)
		}
		name := "aidb-" + f.Name()
		if strings.HasSuffix(name, ".mjs") {
			name = runnerFolder + f.Name()
		}
		if err := os.WriteFile(filepath.Join(dir, filepath.FromSlash(name)), text, 0o600); err != nil {
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
