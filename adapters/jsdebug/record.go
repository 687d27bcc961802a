package jsdebug

import (
	"context"
	"embed"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"aidb-mcp/adapters"
	"aidb-mcp/adapters/prepare"
	"aidb-mcp/internal/recording"
	"aidb-mcp/internal/system/process"
)

// What runs in the program itself to record it; recorder.cjs says how.
//
//go:embed recorder/*.cjs recorder/*.mjs
var recorder embed.FS

// recorderOptions is what the recorder has to know besides the spec.
type recorderOptions struct {
	Tests   []string `json:"tests,omitempty"`   // of a runner: the process that loads one of them records
	Modules bool     `json:"modules,omitempty"` // ES modules are loaded from the beginning on
	Later   bool     `json:"later,omitempty"`   // others turn sources into JavaScript, and ours must come behind them
}

// Record runs the program as its plan would, with its sources rewritten as they are
// loaded.
func (a *adapter) Record(ctx context.Context, r adapters.Request, w recording.Spec, _ func(string)) (*adapters.Recorded, error) {
	j, err := understand(r)
	if err != nil {
		return nil, err
	}
	if j.Mode != adapters.Launch && j.Mode != adapters.Test {
		return nil, prepare.NotRecordable("start it: give target or test")
	}
	if j.node, err = a.runtime(ctx, r, j.env); err != nil {
		return nil, err
	}
	s, err := j.toRecord()
	if err != nil {
		return nil, err
	}
	dir, err := a.Root.Scratch("rec-")
	if err != nil {
		return nil, err
	}
	w.Roots = modules(j, s.home)
	m := j.recorderOptions(s)
	if err := unpackRecorder(dir, w, m); err != nil {
		_ = os.RemoveAll(dir)
		return nil, err
	}
	l := s.launch
	set := prepare.Overlay(os.Environ(), l.Env)
	own := filepath.Join(dir, "recorder") + string(filepath.Separator)
	return &adapters.Recorded{
		Output: adapters.Output{Noise: func(_, line string) bool { return isFrameIn(own, line) }},
		Spec: process.Spec{
			Name: "node", Path: l.RuntimeExecutable, Args: append(append(m.load(dir, l.RuntimeArgs), l.Program), l.Args...),
			Env: prepare.Overlay(set, map[string]string{recording.Variable: dir}), Dir: l.Cwd, Root: a.Root, Log: a.Log,
		},
		Records: dir, Target: s.target, How: "in the program, by statements put into its sources as they are loaded", Warnings: s.warnings,
		Close: func() { _ = os.RemoveAll(dir) },
	}, nil
}

// isFrameIn says that a line of what node prints is of a stack's frame in a directory.
func isFrameIn(dir, line string) bool {
	return strings.HasPrefix(strings.TrimSpace(line), "at ") && strings.Contains(line, dir)
}

func (j job) toRecord() (started, error) {
	if j.Mode == adapters.Test {
		return j.findTests()
	}
	return j.findStart()
}

// recorderOptions is how the sources of what is started become JavaScript.
func (j job) recorderOptions(s started) recorderOptions {
	hooks := func(args []string) bool {
		return slices.ContainsFunc(args, func(arg string) bool {
			return strings.HasPrefix(arg, "--import") || strings.HasPrefix(arg, "--loader") || strings.HasPrefix(arg, "--experimental-loader")
		})
	}
	return recorderOptions{
		Tests:   s.tests,
		Modules: len(s.tests) > 0 || isModule(s.launch.Program),
		Later:   hooks(s.launch.RuntimeArgs) || hooks(strings.Fields(prepare.Lookup(j.env, "NODE_OPTIONS"))),
	}
}

// load are node's arguments that load the recorder, with those that there are.
func (m recorderOptions) load(dir string, args []string) []string {
	args = append([]string{"--require", filepath.Join(dir, "recorder", "hook.cjs")}, args...)
	if m.Later {
		args = append(args, "--import", fileURL(filepath.Join(dir, "recorder", "register.mjs")))
	}
	return args
}

// unpackRecorder writes the recorder and what it is to note.
func unpackRecorder(dir string, w recording.Spec, m recorderOptions) error {
	text, err := json.Marshal(m)
	if err == nil {
		err = recording.Equip(dir, w, recorder, "recorder", "recorder")
	}
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "how.json"), text, 0o600)
}
