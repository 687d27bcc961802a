package java

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"aidb-mcp/adapters"
	"aidb-mcp/adapters/prepare"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/system/process"
	"aidb-mcp/internal/text/pattern"
)

// Detect runs the program in a JVM that checks what native methods give to it, and writes what it
// finds into a file. Of races and of undefined behavior there is no detector.
func (a *adapter) Detect(ctx context.Context, r adapters.Request, s adapters.Check, progress func(string)) (*adapters.Detected, error) {
	if err := noDetector(s); err != nil {
		return nil, err
	}
	plan, err := a.Plan(ctx, r, progress)
	if err != nil {
		return nil, err
	}
	l, ours := plan.Arguments.(launch)
	if !ours {
		plan.Close()
		return nil, fault.New(fault.NotSupported, "faults are looked for in a program that is started, not in one that runs already").WithField("check").
			WithHint("start it: give target or test")
	}
	dir, err := a.Root.MakeScratch("detect-")
	if err != nil {
		plan.Close()
		return nil, err
	}
	log := filepath.Join(dir, "log")
	checks := []string{"-Xcheck:jni", "-XX:+UnlockDiagnosticVMOptions", "-XX:+LogVMOutput", "-XX:-DisplayVMOutput", "-XX:LogFile=" + log}
	d := &adapters.Detected{
		Spec:   process.Spec{Name: "java", Path: l.Java, Args: append(checks, l.Command...), Env: prepare.Overlay(os.Environ(), l.Env), Dir: l.Cwd, Log: a.Log},
		Target: plan.Target, Warnings: plan.Warnings,
		By:    "the JVM's checks of native methods (-Xcheck:jni)",
		Blind: "what this run has not done; what native code does to memory that is not the JVM's: that shows when its library is built with a sanitizer",
		Read:  func() (adapters.Detection, error) { return readNativeFaults(log, l.SourceRoots) },
		Close: func() { plan.Close(); _ = os.RemoveAll(dir) },
	}
	if plan.Mode == adapters.Test {
		d.Tests = plan.Capabilities.Tests
	}
	return d, nil
}

// The form in which the JVM writes what it has found, and the stack below it.
var (
	nativeFault = pattern.New(`(?m)^(FATAL ERROR|WARNING) in native method: ([^\n]*)\n((?:\tat [^\n]*\n)*)`)
	nativeFrame = pattern.New(`(?m)^\tat ([\w.$<>/@-]+)\((?:([^:)\n]+):(\d+)|[^)\n]*)\)$`)
)

// readNativeFaults reads what the JVM has written. It ends itself at what would crash it; what it
// only warns of is told besides.
func readNativeFaults(log string, roots []string) (d adapters.Detection, err error) {
	own := newClassSources(roots)
	texts, more, err := prepare.Reports(log)
	if err != nil {
		return d, err
	}
	if len(texts) == 0 {
		return d, fault.New(fault.SessionStart, "the JVM has written nothing: it did not run the program with -Xcheck:jni").WithField("check").
			WithHint("ask without check, or with a JDK of OpenJDK (runtime_path)")
	}
	d.Unread = more
	for _, text := range texts {
		for _, m := range nativeFault.FindAllStringSubmatch(text, -1) {
			frames := nativeFrames(m[3], own)
			if m[1] == "WARNING" {
				d.Notes = append(d.Notes, "misuse of JNI: "+m[2]+adapters.PlaceOf(", called at ", frames))
				continue
			}
			d.Faults = append(d.Faults, adapters.DetectedFault{
				Kind: adapters.MemoryFault, Message: m[2], Text: strings.TrimSpace(m[0]), Accesses: []adapters.Access{{Kind: "native call", Frames: frames}},
			})
		}
	}
	return d, nil
}

// nativeFrames are those of a stack, with the files of the program's own classes.
func nativeFrames(stack string, own classSources) (frames []adapters.Thrown) {
	for _, m := range nativeFrame.FindAllStringSubmatch(stack, -1) {
		method := m[1][strings.LastIndexByte(m[1], '/')+1:] // behind the module
		f := adapters.Thrown{Function: method}
		class := method[:max(0, strings.LastIndexByte(method, '.'))]
		if n, err := strconv.Atoi(m[3]); err == nil {
			if f.File = own.file(class, m[2]); f.File != "" {
				f.Line = n
			}
		}
		frames = append(frames, f)
	}
	return frames
}

// noDetector says what the JVM has no detector for, and what there is in place of it.
func noDetector(s adapters.Check) error {
	switch s {
	case adapters.Races:
		return fault.New(fault.NotSupported, "the JVM has no race detector: nothing here sees two threads that use a field without an order").WithField("check").
			WithHint(`{"repeat":20} runs it until it fails; trace(what: writes) of the field shows which threads write it, and in which order`)
	case adapters.Undefined:
		return fault.New(fault.NotSupported, "Java defines what its code does: there is no undefined behavior to look for").WithField("check").
			WithHint("ask without check; check: memory looks at what native methods do")
	}
	return nil
}
