package jsdebug

import (
	"context"
	"embed"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"

	"aidb-mcp/adapters"
	"aidb-mcp/adapters/prepare"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/process"
	"aidb-mcp/internal/recording"
)

// What runs in the program itself to record it; hook.cjs says how.
//
//go:embed recorder/*.cjs
var recorder embed.FS

// Record runs the program as its plan would, with its sources rewritten as they are
// loaded.
func (a *adapter) Record(ctx context.Context, r adapters.Request, w recording.Wish, progress func(string)) (*adapters.Recorded, error) {
	plan, err := a.Plan(ctx, r, progress)
	if err != nil {
		return nil, err
	}
	l, ours := plan.Arguments.(launch)
	if !ours || l.Request != "launch" {
		return nil, fault.New(fault.NotSupported, "only a program that is started can be recorded, not one that is attached to").WithField("mode").
			WithHint("start it: give target or test")
	}
	dir, err := a.Root.Scratch("rec-")
	if err != nil {
		return nil, err
	}
	w.Roots = plan.Modules
	if err := unpackRecorder(dir, w); err != nil {
		_ = os.RemoveAll(dir)
		return nil, err
	}
	args := append([]string{"--expose-internals", "--require", filepath.Join(dir, "recorder", "hook.cjs")}, l.RuntimeArgs...)
	set := maps.Clone(l.Env)
	maps.DeleteFunc(set, func(name, _ string) bool { return name == "NODE_OPTIONS" }) // those are our debugger's
	set[recording.Variable] = dir
	return &adapters.Recorded{
		Spec: process.Spec{
			Name: "node", Path: l.RuntimeExecutable, Args: append(append(args, l.Program), l.Args...),
			Env: prepare.Overlay(os.Environ(), set), Dir: l.Cwd, Log: a.Log,
		},
		Records: dir, Target: plan.Target, How: "in the program, by statements put into its sources as they are loaded", Warnings: plan.Warnings,
		Close: func() { _ = os.RemoveAll(dir) },
	}, nil
}

// unpackRecorder writes the recorder and what it is to note.
func unpackRecorder(dir string, w recording.Wish) error {
	scripts, err := fs.Sub(recorder, "recorder")
	if err == nil {
		err = os.MkdirAll(dir, 0o700)
	}
	if err == nil {
		err = os.CopyFS(filepath.Join(dir, "recorder"), scripts)
	}
	if err == nil {
		err = recording.Ask(dir, w)
	}
	if err != nil {
		return fmt.Errorf("writing the recorder: %w", err)
	}
	return nil
}

// RecordsFrames is of [adapters.Recorder].
func (*adapter) RecordsFrames() bool { return false }
