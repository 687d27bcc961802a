package debugpy

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"os"
	"slices"

	"aidb-mcp/adapters"
	"aidb-mcp/adapters/prepare"
	"aidb-mcp/internal/recording"
	"aidb-mcp/internal/system/process"
)

// What runs in the program's own interpreter to record it; run.py says how.
//
//go:embed recorder/*.py
var recorder embed.FS

// recorderPackage is the folder in which the program's interpreter finds it: no module
// of a program has that name.
const recorderPackage = "aidb_recorder"

// Record runs the program as its plan would, under run.py in place of debugpy, which
// need not be there.
func (a *adapter) Record(ctx context.Context, r adapters.Request, w recording.Spec, progress func(string)) (*adapters.Recorded, error) {
	start, err := a.planAlone(ctx, r, prepare.NotRecordable("start it: give target, module or test; in a session that is attached, breakpoint with log_message logs values at each hit without stopping"), progress)
	if err != nil {
		return nil, err
	}
	dir, err := a.Root.Scratch("rec-")
	if err != nil {
		return nil, err
	}
	w.Roots = start.plan.Modules
	if err := recording.Equip(dir, w, recorder, "recorder", recorderPackage); err != nil {
		_ = os.RemoveAll(dir)
		return nil, err
	}
	stacks := &stackFilters{}
	return &adapters.Recorded{
		Output: adapters.Output{Noise: stacks.drop},
		Spec: process.Spec{
			Name: "python", Path: start.Python[0], Args: start.commandBy(dir, recorderPackage),
			Env: prepare.Overlay(os.Environ(), start.Env), Dir: start.Cwd, Root: a.Root, Log: a.Log,
		},
		Records: dir, Target: start.plan.Target, How: recordingMethod(start.job.python, w), Warnings: start.plan.Warnings, EachRound: true,
		Close: func() { _ = os.RemoveAll(dir) },
	}, nil
}

// recordUnderDebugger has the program of a plan note what is asked for while the debugger is in it, up
// to Python 3.11 until the debugger has to trace it itself: boot/recording.py says how.
func (a *adapter) recordUnderDebugger(j *job, plan *adapters.Plan) error {
	args, ours := plan.Arguments.(arguments)
	if !ours {
		return nil
	}
	dir, err := a.Root.Scratch("rec-")
	if err != nil {
		return err
	}
	w := *j.Record
	w.Roots = plan.Modules
	if err := recording.Equip(dir, w, recorder, "recorder", recorderPackage); err != nil {
		return errors.Join(err, os.RemoveAll(dir))
	}
	args.Env[recording.Variable] = dir // which boot/recording.py takes out
	done := plan.Close
	plan.Records, plan.Close = dir, func() { done(); _ = os.RemoveAll(dir) }
	return nil
}

// hasMonitoring says that an interpreter has sys.monitoring.
func hasMonitoring(py *python) bool { return slices.Compare(py.Version, []int{3, 12}) >= 0 }

// recordingMethod says by what the program is recorded, and what is not seen that way.
func recordingMethod(py *python, w recording.Spec) string {
	way := "sys.settrace"
	if hasMonitoring(py) {
		way = "sys.monitoring"
	}
	unseen := "child processes are not seen"
	switch {
	case w.Rows() && w.Calls != nil:
		unseen = "functions written in C and child processes that it does not fork are not seen"
	case w.Rows():
		unseen = "child processes that it does not fork are not seen"
	case w.Calls != nil:
		unseen = "functions written in C and child processes are not seen"
	case w.Writes != nil:
		unseen = "what C code and code outside of the workspace write is found where a statement names the object next; child processes are not seen"
	}
	return fmt.Sprintf("in the program, by %s of Python %s; %s", way, formatVersion(py.Version), unseen)
}
