package java

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"aidb-mcp/adapters"
	"aidb-mcp/adapters/prepare"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/profiling"
	"aidb-mcp/internal/system/process"
)

const (
	recordingName = "aidb" // of the flight recorder's recordings that are ours
	sampledEvery  = 10     // ms
	recordedMore  = 20 * time.Second
	readLimit     = time.Minute

	searchRunning = 500 * time.Millisecond // for ways from roots, in a program that is to go on
	searchAtEnd   = 10 * time.Second       // in one that ends; less than loadLimit
)

// takeProfile profiles a program that runs.
func (d *dialect) takeProfile(ctx context.Context, p adapters.Profiled, w profiling.Spec) (*profiling.Profile, error) {
	if d.recorders == nil {
		return nil, fault.New(fault.NotSupported, "the program is elsewhere: only one of this machine is profiled").WithField("session_id")
	}
	v := d.recorders.jvm
	if v.pid == 0 {
		v.pid = p.PID
	}
	if v.pid == 0 && p.Caller != nil {
		var is struct {
			PID int `json:"pid"`
		}
		if err := p.Caller.Call(ctx, "aidb/process", struct{}{}, &is); err != nil {
			return nil, fmt.Errorf("asking for the program's process: %w", err)
		}
		v.pid = is.PID
	}
	return v.takeProfile(ctx, p, w)
}

func (v jvm) takeProfile(ctx context.Context, p adapters.Profiled, w profiling.Spec) (*profiling.Profile, error) {
	if v.pid == 0 {
		return nil, fault.New(fault.NotSupported, "the process of the program is not known").WithField("session_id").
			WithHint("attach by its pid in place of its port")
	}
	if err := reachable(v.pid); err != nil {
		return nil, err
	}
	switch w.What {
	case profiling.Memory:
		return v.memory(ctx, p, w)
	case profiling.Waits:
		return v.waits(ctx, p, w)
	}
	return v.cpu(ctx, p, w)
}

// jcmd has the JVM carry out a diagnostic command, and gives what it answers.
func (v jvm) jcmd(ctx context.Context, words ...string) (string, error) {
	limited, cancel := context.WithTimeout(ctx, loadLimit)
	defer cancel()
	text, err := v.runJcmd(limited, words...)
	switch {
	case errors.Is(err, errNoJcmd):
		return "", fault.New(fault.AdapterNotFound, "%s has no jcmd, by which a running Java program is asked", v.tools.home).WithHint(installJDK, oldest)
	case ctx.Err() != nil:
		return "", context.Cause(ctx)
	case limited.Err() != nil:
		return "", fault.New(fault.NotSupported, "process %d did not answer jcmd %s within %s: a debugger may hold it stopped", v.pid, words[0], loadLimit)
	case err != nil || strings.Contains(text, "Exception: "):
		return "", fault.New(fault.NotSupported, "process %d refused jcmd %s: %s", v.pid, words[0], lastLines(text))
	}
	return text, nil
}

// events are what the flight recorder is to note.
const events = `<?xml version="1.0" encoding="UTF-8"?>
<configuration version="2.0">
  <event name="jdk.ExecutionSample"><setting name="enabled">%t</setting><setting name="period">%d ms</setting></event>
  <event name="jdk.OldObjectSample"><setting name="enabled">%t</setting><setting name="stackTrace">true</setting><setting name="cutoff">%d ms</setting></event>
</configuration>
`

// settings writes down what is to be noted, and for how long the program may be stopped for
// the ways to what it holds. (path-to-gc-roots=true would search them without end.)
func settings(dir string, what profiling.What, search time.Duration) (string, error) {
	path := filepath.Join(dir, "aidb.jfc")
	return path, os.WriteFile(path, fmt.Appendf(nil, events, what == profiling.CPU, sampledEvery, what == profiling.Memory, search.Milliseconds()), 0o600)
}

// scratch makes a private directory of a profile.
func (v jvm) scratch() (string, error) {
	dir, err := v.adapter.Root.MakeScratch("jfr-")
	if err != nil {
		return "", fmt.Errorf("making a private directory for the recording: %w", err)
	}
	return dir, nil
}

// record has the JVM's flight recorder note for some time. It ends by itself where nobody ends it.
// Over is called when the time is, of memory, with the recording's name: it takes what it needs out
// of the recording, which may have ended by itself then.
func (v jvm) record(ctx context.Context, dir string, p adapters.Profiled, w profiling.Spec, over func(name string) error) (file string, ended bool, err error) {
	set, err := settings(dir, w.What, searchRunning)
	if err != nil {
		return "", false, err
	}
	file = filepath.Join(dir, "recording.jfr")
	name := recordingName + "-" + filepath.Base(dir)
	most := int((w.For + recordedMore).Seconds()) + 1
	if _, err := v.jcmd(ctx, "JFR.start", "name="+name, "settings="+set, "filename="+file, fmt.Sprintf("duration=%ds", most)); err != nil {
		return "", false, err
	}
	if ended, err = p.Wait(ctx, w.For); ended {
		return file, true, nil
	}
	if over != nil && err == nil {
		err = over(name)
	}
	stopping, cancel := context.WithTimeout(context.WithoutCancel(ctx), loadLimit) // it is owed to the program
	defer cancel()
	_, stopped := v.jcmd(stopping, "JFR.stop", "name="+name)
	if over != nil {
		stopped = nil
	}
	return file, false, cmp.Or(err, stopped) // the first error says more
}

// folded is a line of the reader of recordings.
type folded struct {
	Stack []struct {
		Type   string `json:"type"`
		Method string `json:"method"`
		Line   int    `json:"line"`
	} `json:"stack"`
	Count int64    `json:"count"`
	Held  string   `json:"held"`
	Way   []string `json:"way"`
	Cut   int64    `json:"cut"`
}

// isHeld says that the line is of objects that live, and not of where code ran.
func (f folded) isHeld() bool { return f.Held != "" }

// read reads a recording by the JDK's own reader.
func (v jvm) read(ctx context.Context, file string) ([]folded, error) {
	if !prepare.Exists(file) {
		return nil, fault.New(fault.NotSupported, "the flight recorder has left no recording: the program was ended too hard, or its Java has none").
			WithHint("let it run for longer, or profile it in a session")
	}
	classes, err := v.adapter.profileReader(ctx, v.tools)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, readLimit)
	defer cancel()
	printed, complained, err := process.Run(ctx, process.Spec{
		Name: "the reader of recordings", Path: v.tools.tool("java"), Log: v.adapter.Log, Env: localeEnviron(),
		Args: []string{"-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-XX:-UsePerfData", "-cp", classes, "aidb.profile.Folded", file},
	})
	if err != nil {
		return nil, fault.New(fault.NotSupported, "the recording could not be read: %s", lastLines(strings.TrimSpace(string(complained))))
	}
	var all []folded
	lines := bufio.NewScanner(bytes.NewReader(printed))
	lines.Buffer(nil, 4<<20)
	for lines.Scan() {
		var f folded
		if err := json.Unmarshal(lines.Bytes(), &f); err != nil {
			return nil, fmt.Errorf("reading what the reader of recordings says: %w", err)
		}
		all = append(all, f)
	}
	return all, lines.Err()
}

// profileReader is the directory of the compiled reader of recordings.
func (a *adapter) profileReader(ctx context.Context, k jdk) (string, error) {
	files, err := packages("profile")
	if err != nil {
		return "", err
	}
	return a.compiledOnce(ctx, helper{name: "the reader of Java recordings", folder: "profile", files: files, major: k.major}, k, nil)
}

func (v jvm) places() classSources { return newClassSources(v.roots) }

// frame is a place in a stack as a profile has it. The file of a class that is not the user's is
// not known.
func (s classSources) frame(class, method string, line int) profiling.Frame {
	file := s.outerFile(class)
	short := class[strings.LastIndexByte(class, '.')+1:]
	if file == "" {
		short = class // with its package: it is a library's
	}
	return profiling.Frame{Function: strings.ReplaceAll(short, "$", ".") + "." + method, File: file, Line: max(line, 0)}
}

func (s classSources) stack(f folded) []profiling.Frame {
	var stack []profiling.Frame
	for _, c := range f.Stack {
		stack = append(stack, s.frame(c.Type, c.Method, c.Line))
	}
	return stack
}

const sampler = "the JDK's Flight Recorder (jdk.ExecutionSample), a look each 10 ms at up to five threads that run Java code"

const samplerCost = "under 1 % of the program's time while it records, as its makers say; it is not stopped, and the recorder's first start in a program takes up to some seconds of processor time"

// cpu takes samples of a running program.
func (v jvm) cpu(ctx context.Context, p adapters.Profiled, w profiling.Spec) (*profiling.Profile, error) {
	dir, err := v.scratch()
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	began := time.Now()
	file, ended, err := v.record(ctx, dir, p, w, nil)
	if err != nil {
		return nil, err
	}
	lasted := min(time.Since(began), w.For)
	if ended {
		return nil, fault.New(fault.SessionTerminated, "the program has ended, and its recording with it").
			WithHint("profile a run of its own: target in place of session_id")
	}
	made, err := v.samples(ctx, file, w)
	if err != nil {
		return nil, err
	}
	made.Lasted = lasted
	return made, nil
}

// samples makes a profile of a recording.
func (v jvm) samples(ctx context.Context, file string, w profiling.Spec) (*profiling.Profile, error) {
	lines, err := v.read(ctx, file)
	if err != nil {
		return nil, err
	}
	b, at := profiling.NewBuilder(profiling.CPU), v.places()
	made := &profiling.Profile{How: sampler, Cost: samplerCost, Notes: []string{"time in native code and in the JVM itself (collection of garbage, compilation) is in no sample"}}
	for _, l := range lines {
		if len(l.Stack) > 0 {
			b.Add(at.stack(l), nil, l.Count)
		}
		if l.Cut > 0 {
			made.Notes = append(made.Notes, fmt.Sprintf("%d samples have stacks that were cut: their outermost callers are missing, and the total of those is too low", l.Cut))
		}
	}
	made.Data = b.Profile()
	made.Data.SampleType = made.Data.SampleType[:1] // how much time a sample stands for is not known
	for _, s := range made.Data.Sample {
		s.Value = s.Value[:1]
	}
	if w.Save != "" {
		made.File = w.Save + ".jfr"
		if err := copyFile(file, made.File); err != nil {
			return nil, fmt.Errorf("keeping the recording: %w", err)
		}
	}
	return made, nil
}

func copyFile(from, to string) error {
	text, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, text, 0o600)
}
