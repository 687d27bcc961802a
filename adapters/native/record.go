package native

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"aidb-mcp/adapters"
	"aidb-mcp/adapters/native/build"
	"aidb-mcp/adapters/prepare"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/recording"
	"aidb-mcp/internal/system/process"
)

// Record runs the program under gdb, or LLDB where gdb is not there, whose
// breakpoints call scripts of ours and never stop.
func (a *adapter) Record(ctx context.Context, r adapters.Request, w recording.Spec, progress func(string)) (*adapters.Recorded, error) {
	j := &job{Request: r, adapter: a, lang: a.lang}
	if err := prepare.Options(r.Options, &j.options, a.Info().Name, optionsExample); err != nil {
		return nil, err
	}
	j.Mode = build.Infer(r, a.lang)
	if j.Mode == adapters.Attach || j.Mode == adapters.RemoteAttach || j.Mode == adapters.Core {
		return nil, fault.New(fault.NotSupported, "only a program that is started can be recorded, not one that runs or has ended").WithField("mode").
			WithHint("start it: give target or test")
	}
	var err error
	if j.debugger, err = a.recorderFor(ctx, j.options, j.Mode); err != nil {
		return nil, err
	}
	kit, ok := recorderKits[j.debugger.kind]
	if !ok {
		return nil, fault.New(fault.NotSupported, "%s does not record programs here", j.debugger).
			WithHint("install gdb 14 or newer, or leave out adapter_options.debugger")
	}
	p, err := j.program(ctx, progress)
	if err != nil {
		return nil, err
	}
	dir, err := a.Root.Scratch("rec-")
	if err != nil {
		return nil, err
	}
	rec := &recorder{start: &start{job: j, program: p, scripts: dir, library: a.scriptLibrary(dir)}, kit: kit}
	w.Roots = p.modules
	if err := rec.write(w); err != nil {
		rec.close()
		return nil, err
	}
	return &adapters.Recorded{
		Debugger: true,
		Spec:     rec.spec(), Records: dir, Target: p.target, Warnings: p.warnings, Close: rec.close, Watches: true, Begins: true, EachRound: true,
		How: rec.recordingMethod(w),
	}, nil
}

// recordingMethod says where the recorder was, what it does not see there, and what sees more.
func (rec *recorder) recordingMethod(w recording.Spec) string {
	how := rec.kit.how
	if w.Writes == nil {
		return how
	}
	if rec.debugger.kind != gdb && runtime.GOOS+"/"+runtime.GOARCH == "linux/amd64" {
		how += `; each write stops the program for 2 to 4 ms: of very many gdb 14 or newer tells the last ones (adapter_options {"debugger": "gdb"})`
	}
	if rec.lang == build.Rust {
		how += "; entries of a HashMap lie elsewhere in each run (random seed)"
	}
	return how
}

// recorderFor is the debugger that records: the one that the options name, else gdb,
// which is faster than LLDB.
func (a *adapter) recorderFor(ctx context.Context, o options, mode adapters.Mode) (debugger, error) {
	if o.Debugger == "" && o.DebuggerPath == "" {
		if d, err := a.find(ctx, gdb); err == nil {
			return d, nil
		}
	}
	return a.choose(ctx, o, mode)
}

// Files of a recorded run, in its directory: how LLDB starts the program, and the shell's
// script that becomes it.
const (
	commandFile = "command.json"
	startScript = "start.sh"
)

// recorder is one recorded run.
type recorder struct {
	*start
	kit recorderKit
}

// recorderKit is how a debugger records.
type recorderKit struct {
	// command is its command line, without our own part of it.
	command func(rec *recorder) (path string, args []string)
	how     string
}

var recorderKits = map[debuggerKind]recorderKit{
	gdb:      {gdbRecorder, "by gdb's breakpoints and watchpoints, which do not stop; writes that leave a value as it was are not seen"},
	codeLLDB: {lldbRecorder, "by LLDB's breakpoints and watchpoints, which do not stop"},
	lldbDAP:  {lldbRecorder, "by LLDB's breakpoints and watchpoints, which do not stop"},
}

// lldbPath is LLDB itself, from beside its adapter.
func lldbPath(d debugger) string {
	if d.kind == lldbDAP {
		return filepath.Join(filepath.Dir(d.path), strings.NewReplacer("-dap", "", "-vscode", "").Replace(filepath.Base(d.path)))
	}
	return filepath.Join(filepath.Dir(d.library), "..", "bin", "lldb")
}

// lldbRecorder is that with what records.
func lldbRecorder(rec *recorder) (path string, args []string) {
	path = lldbPath(rec.debugger)
	args = []string{"-b", "-x"}
	for _, command := range rec.options.InitCommands {
		args = append(args, "-o", command)
	}
	commands := rec.lldbImports()
	if rec.keepsBytecode() {
		commands = append(commands, "script import aidb.debugger.lldb.bytecode; aidb.debugger.lldb.bytecode.begin()")
	}
	commands = append(commands, "script import aidb.record.lldb.recorder; aidb.record.lldb.recorder.begin(lldb.debugger)")
	for _, command := range commands {
		args = append(args, "-o", command)
	}
	return path, args
}

func gdbRecorder(rec *recorder) (path string, args []string) {
	args = []string{"-batch", "-nx", "-q", "-iex", "set debuginfod enabled off", "-iex", "set auto-load off", "-iex", hostCharset}
	for _, command := range rec.options.InitCommands {
		args = append(args, "-iex", command)
	}
	args = append(args, "-ex", rec.gdbImport(), "-ex", "python import aidb.record.gdb.recorder; aidb.record.gdb.recorder.begin()")
	return rec.debugger.path, append(append(args, "--args", rec.path), rec.args...)
}

// write puts our scripts, the spec and how the program starts into the directory.
func (rec *recorder) write(w recording.Spec) error {
	if err := recording.Ask(rec.scripts, w); err != nil {
		return err
	}
	if err := rec.unpackScripts(); err != nil {
		return err
	}
	if err := rec.writeCommand(); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(rec.scripts, startScript), []byte(rec.starter()), 0o600)
}

// writeCommand says to LLDB how the program is started.
func (rec *recorder) writeCommand() error {
	text, err := json.Marshal(struct {
		Program string   `json:"program"`
		Args    []string `json:"args"`
		Dir     string   `json:"dir"`
		Env     []string `json:"env"`
	}{rec.path, append([]string{}, rec.args...), rec.dir, rec.env})
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(rec.scripts, commandFile), text, 0o600)
}

// starter is the shell's script that becomes the program: with the streams that we
// have kept from the debugger, and with the environment that is the program's.
func (rec *recorder) starter() string {
	var text strings.Builder
	ours := rec.recorderEnv()
	for _, pair := range ours {
		if name, _, ok := cutPair(pair); ok && prepare.Lookup(rec.env, name) == "" && plainVariable(name) {
			fmt.Fprintf(&text, "unset %s\n", name)
		}
	}
	text.WriteString("unset LINES COLUMNS\n")
	for _, pair := range rec.env {
		name, value, ok := cutPair(pair)
		// What is ours may have another value by now, that of the debugger's supervisor. Its length differs
		// from run to run, and with it the place of the program's stack.
		if ok && plainVariable(name) && (prepare.Lookup(ours, name) != value || strings.HasPrefix(name, "AIDB_")) {
			fmt.Fprintf(&text, "export %s=%s\n", name, shellQuote(value))
		}
	}
	text.WriteString(`exec "$@" <&3 >&4 2>&5 3<&- 4>&- 5>&-` + "\n")
	return text.String()
}

// plainVariable says whether a shell knows a variable of this name.
func plainVariable(name string) bool {
	return name != "" && strings.IndexFunc(name, func(r rune) bool {
		return r != '_' && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z') && (r < '0' || r > '9')
	}) < 0 && (name[0] < '0' || name[0] > '9')
}

// recorderEnv is the environment of the debugger.
func (rec *recorder) recorderEnv() []string {
	return prepare.Overlay(adapterEnv(rec.env), map[string]string{
		recording.Variable: rec.scripts, "AIDB_RECORD_LANGUAGE": rec.language(), "TMPDIR": rec.scripts, "PYTHONDONTWRITEBYTECODE": "1",
		"AIDB_RECORD_PRINTS": failureSyntax.Prints.String(),
	})
}

// spec runs the debugger with its own streams aside: those that the shell was given
// are the program's.
func (rec *recorder) spec() process.Spec {
	path, args := rec.kit.command(rec)
	const aside = `exec 3<&0 4>&1 5>&2 </dev/null >"$0" 2>&1; exec "$@"`
	return process.Spec{
		Name: string(rec.debugger.kind), Path: "/bin/sh", Args: append([]string{"-c", aside, filepath.Join(rec.scripts, "said"), path}, args...),
		Env: rec.recorderEnv(), Dir: rec.dir, Log: rec.adapter.Log,
	}
}
