package ruby

import (
	"context"
	"embed"
	"fmt"
	"os"
	"path/filepath"

	"aidb-mcp/adapters"
	"aidb-mcp/adapters/prepare"
	"aidb-mcp/internal/recording"
	"aidb-mcp/internal/system/process"
)

// What runs in the program's own interpreter to record it; start.rb is loaded first.
//
//go:embed recorder/*.rb
var recorder embed.FS

// recorderFolder is the folder beside the spec of a recording in which the program's interpreter finds it.
const recorderFolder = "aidb_recorder"

// Record runs the program as its plan would, with the recorder in place of rdbg.
func (a *adapter) Record(ctx context.Context, r adapters.Request, w recording.Spec, progress func(string)) (*adapters.Recorded, error) {
	j, err := understand(r, a.Log)
	if err != nil {
		return nil, err
	}
	if j.Mode == adapters.Attach || j.Mode == adapters.RemoteAttach {
		return nil, prepare.NotRecordable("start it: give target or test; in a session that is attached, breakpoint with log_message logs values at each hit without stopping")
	}
	if progress == nil {
		progress = func(string) {}
	}
	s, err := j.start(ctx, progress)
	if err != nil {
		return nil, err
	}
	dir, err := a.Root.Scratch("rec-")
	if err != nil {
		return nil, err
	}
	w.Roots = prepare.Roots(j.Request, s.beside)
	if err := recording.Equip(dir, w, recorder, "recorder", recorderFolder); err != nil {
		_ = os.RemoveAll(dir)
		return nil, err
	}
	words := append([]string{}, j.options.RubyArgs...)
	words = append(append(words, s.ruby.flags...), j.flags...)
	words = append(words, "-r", filepath.Join(dir, recorderFolder, "start.rb"))
	return &adapters.Recorded{
		Spec: process.Spec{
			Name: "ruby", Path: s.ruby.Path, Args: append(words, s.words...),
			Env: append(j.env[:len(j.env):len(j.env)], recording.Variable+"="+dir), Dir: s.dir, Root: a.Root, Log: a.Log,
		},
		Records: dir, Target: s.target, How: recordingMethod(s.ruby, w), Warnings: s.ruby.warnings, EachRound: true, Begins: true,
		Close: func() { _ = os.RemoveAll(dir) },
	}, nil
}

// recordingMethod says by what the program is recorded, and what is not seen that way.
func recordingMethod(ruby *interpreter, w recording.Spec) string {
	unseen := "child processes are not seen"
	switch {
	case w.Calls != nil:
		unseen = "functions written in C, attribute readers and writers, and child processes are not seen"
	case w.Writes != nil:
		unseen = "what C code and code outside of the workspace write is found where a statement names the object next; child processes are not seen"
	}
	return fmt.Sprintf("in the program, by TracePoint of Ruby %s; %s", ruby.Version, unseen)
}
