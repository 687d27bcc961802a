package java

import (
	"archive/zip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"aidb-mcp/adapters"
	"aidb-mcp/adapters/prepare"
	"aidb-mcp/internal/recording"
	"aidb-mcp/internal/system/process"
)

const (
	agentFile     = "agent.jar"
	classesFile   = "classes" // of a recording: where the user's own classes are, one a line
	besideFile    = "beside"  // of a recording that is made while the debugger is in the program
	recorderAgent = "aidb.recorder.Agent"
	agentSays     = "Manifest-Version: 1.0\r\nPremain-Class: %s\r\n\r\n"
)

// Record runs the program as its plan would, with its classes woven as they are loaded.
func (a *adapter) Record(ctx context.Context, r adapters.Request, w recording.Spec, progress func(string)) (*adapters.Recorded, error) {
	plan, err := a.Plan(ctx, r, progress)
	if err != nil {
		return nil, err
	}
	l, ours := plan.Arguments.(launch)
	if !ours {
		plan.Close()
		return nil, prepare.NotRecordable("start it: give target or test")
	}
	recorded, err := a.record(ctx, r, plan, l, w, progress)
	if err != nil {
		plan.Close()
	}
	return recorded, err
}

func (a *adapter) record(ctx context.Context, r adapters.Request, plan *adapters.Plan, l launch, w recording.Spec, progress func(string)) (*adapters.Recorded, error) {
	j, err := understand(r)
	if err != nil {
		return nil, err
	}
	if j.javas, err = a.javas(ctx, r, j.env); err != nil {
		return nil, err
	}
	remarks, err := fit(&w, l.ClassRoots)
	if err != nil {
		return nil, err
	}
	agent, err := a.agent(ctx, j.javas, progress)
	if err != nil {
		return nil, err
	}
	dir, err := a.Root.Scratch("rec-")
	if err != nil {
		return nil, err
	}
	w.Roots = plan.Modules
	if err := askAgent(dir, w, l.ClassRoots); err != nil {
		_ = os.RemoveAll(dir)
		return nil, err
	}
	return &adapters.Recorded{
		Spec: process.Spec{
			Name: "java", Path: l.Java, Args: append([]string{"-javaagent:" + filepath.Join(agent, agentFile) + "=" + dir}, l.Command...),
			Env: prepare.Overlay(os.Environ(), l.Env), Dir: l.Cwd, Log: a.Log,
		},
		Records: dir, Target: plan.Target, Warnings: append(plan.Warnings, remarks...),
		How:   "in the program, by bytecode put into its own classes as they are loaded; what libraries or reflection write is seen at most where a statement gives it to them",
		Close: func() { plan.Close(); _ = os.RemoveAll(dir) },
	}, nil
}

// recordUnderDebugger has the program of a plan note what is asked for while the debugger is in it.
func (a *adapter) recordUnderDebugger(ctx context.Context, j job, plan *adapters.Plan, progress func(string)) error {
	l, w := plan.Arguments.(launch), *j.Record
	agent, err := a.agent(ctx, j.javas, progress)
	if err != nil {
		return err
	}
	dir, err := a.Root.Scratch("rec-")
	if err != nil {
		return err
	}
	w.Roots = plan.Modules
	err = askAgent(dir, w, l.ClassRoots)
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, besideFile), nil, 0o600)
	}
	if err != nil {
		return errors.Join(err, os.RemoveAll(dir))
	}
	l.Recorder, l.Records = filepath.Join(agent, agentFile), dir
	done := plan.Close
	plan.Arguments, plan.Records, plan.Close = l, dir, func() { done(); _ = os.RemoveAll(dir) }
	return nil
}

func askAgent(dir string, w recording.Spec, classes []string) error {
	if err := recording.Ask(dir, w); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, classesFile), []byte(strings.Join(classes, "\n")), 0o600)
}

// agent is the directory of the compiled recorder, with its archive.
func (a *adapter) agent(ctx context.Context, k javas, progress func(string)) (string, error) {
	return a.compileRecorder(ctx, helper{
		name: "the Java recorder", folder: "recorder", major: min(k.program.major, k.tools.major),
		finish: func(dir string) error { return pack(dir, recorderAgent) },
	}, k.tools, progress)
}

// compileRecorder compiles the sources of the recorders for what h says, with ASM.
func (a *adapter) compileRecorder(ctx context.Context, h helper, tools jdk, progress func(string)) (string, error) {
	files, err := packages("recorder", "live")
	if err != nil {
		return "", err
	}
	asm, err := asmVersion(a.Store)
	if err != nil {
		return "", err
	}
	h.files, h.with = files, asm+h.with
	h.begin = func(dir string) error { return layOutASM(a.Store, dir) }
	return a.compiledOnce(ctx, h, tools, progress)
}

// pack puts compiled classes into an archive that can be given to a JVM as agent, which one of
// them is.
func pack(dir, agent string) error {
	return packed(dir, agentFile, fmt.Sprintf(agentSays, agent), func(class string) bool { return !stays(class) || class == oursClass })
}

// oursClass judges who has made a file; both archives have it, for neither sees the other's.
const oursClass = "aidb/live/Ours.class"

// stays says of a class that it stays in a running JVM when a recorder has gone.
func stays(class string) bool { return strings.HasPrefix(class, "aidb/live/") }

// packed puts those of the compiled classes that are wanted into an archive.
func packed(dir, name, says string, wanted func(class string) bool) (err error) {
	file, err := os.Create(filepath.Join(dir, name))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	z := zip.NewWriter(file)
	manifest, err := z.Create("META-INF/MANIFEST.MF")
	if err != nil {
		return err
	}
	if _, err := io.WriteString(manifest, says); err != nil {
		return err
	}
	classes := os.DirFS(dir)
	err = fs.WalkDir(classes, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || path.Ext(name) != ".class" || !wanted(name) {
			return err
		}
		text, err := fs.ReadFile(classes, name)
		if err != nil {
			return err
		}
		entry, err := z.Create(name)
		if err != nil {
			return err
		}
		_, err = entry.Write(text)
		return err
	})
	if err != nil {
		return err
	}
	return z.Close()
}

const (
	entryFile = "entry.jar" // what comes into a running JVM first, and stays
	entrySays = "Manifest-Version: 1.0\r\nAgent-Class: aidb.live.Entry\r\nCan-Retransform-Classes: true\r\n\r\n"
)

// liveAgent is the directory of the recorder for running programs, with its two archives: it
// serves all versions of Java that there may be in the program.
func (a *adapter) liveAgent(ctx context.Context, k jdk) (string, error) {
	return a.compileRecorder(ctx, helper{
		name: "the Java recorder for running programs", folder: "live", major: oldest, with: " live", finish: packLive,
	}, k, nil)
}

func packLive(dir string) error {
	if err := packed(dir, entryFile, entrySays, stays); err != nil {
		return err
	}
	return pack(dir, recorderAgent)
}
