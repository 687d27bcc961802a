package debugpy

import (
	"context"
	_ "embed"
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

// faultWriter has the interpreter write where it crashes into a file beside itself.
//
//go:embed boot/faultwriter.py
var faultWriter []byte

// Detect runs the program with the fault handler of CPython, and its allocator's own checks: what
// native code does to memory may crash it. Of races and of undefined behavior there is no detector.
func (a *adapter) Detect(ctx context.Context, r adapters.Request, s adapters.Check, progress func(string)) (*adapters.Detected, error) {
	if err := noDetector(s); err != nil {
		return nil, err
	}
	start, err := a.planAlone(ctx, r, fault.New(fault.NotSupported, "faults are looked for in a program that is started, not in one that runs already").WithField("check").
		WithHint("start it: give target, module or test"), progress)
	if err != nil {
		return nil, err
	}
	dir, err := a.Root.MakeScratch("detect-")
	if err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(dir, "sitecustomize.py"), faultWriter, 0o600); err != nil {
		_ = os.RemoveAll(dir)
		return nil, err
	}
	return &adapters.Detected{
		Spec: process.Spec{
			Name: "python", Path: start.Python[0], Args: start.command(),
			Env: faultEnvironment(prepare.Overlay(os.Environ(), start.Env), dir), Dir: start.Cwd, Root: a.Root, Log: a.Log,
		},
		Target: start.plan.Target, Warnings: start.plan.Warnings,
		By:    "the fault handler of CPython, with the checks of its allocator (PYTHONMALLOC=debug)",
		Blind: "what this run has not done; misused memory that neither crashes the interpreter nor lies in its own allocator: a native extension shows that when it is built with a sanitizer",
		Read:  func() (adapters.Detection, error) { return readCrashes(filepath.Join(dir, "log.")) },
		Close: func() { _ = os.RemoveAll(dir) },
	}, nil
}

// faultEnvironment puts the writer where the interpreter looks for it first.
func faultEnvironment(env []string, dir string) []string {
	set := map[string]string{"PYTHONPATH": dir}
	if path := prepare.Lookup(env, "PYTHONPATH"); path != "" {
		set["PYTHONPATH"] = dir + string(filepath.ListSeparator) + path
	}
	if prepare.Lookup(env, "PYTHONMALLOC") == "" {
		set["PYTHONMALLOC"] = "debug"
	}
	// pytest would have the fault handler write elsewhere.
	set["PYTEST_ADDOPTS"] = strings.TrimSpace(prepare.Lookup(env, "PYTEST_ADDOPTS") + " -p no:faulthandler")
	return prepare.Overlay(env, set)
}

// The form in which the fault handler writes a crash.
var (
	crashed     = pattern.New(`(?m)^Fatal Python error: ([^\n]*)\n`)
	crashStack  = pattern.New(`(?m)^Current thread 0x[0-9a-f]+(?: \[[^\n]*\])? \(most recent call first\):\n((?:  File [^\n]*\n)*)`)
	crashFrame  = pattern.New(`(?m)^  File "([^\n]+)", line (\d+) in (\S+)$`)
	memoryCrash = pattern.New(`^(?:Segmentation fault|Bus error)`)
)

// readCrashes reads what all interpreters of the run have written: each makes a file when it
// begins.
func readCrashes(prefix string) (d adapters.Detection, err error) {
	texts, more, err := prepare.Reports(prefix)
	if err != nil {
		return d, err
	}
	if len(texts) == 0 {
		return d, fault.New(fault.SessionStart, "the fault handler was not there: the interpreter has loaded no sitecustomize").WithField("check").
			WithHint("leave out -I, -S and -E, or ask without check")
	}
	d.Unread = more
	for _, text := range texts {
		if m := crashed.FindStringSubmatch(text); m != nil {
			f := adapters.DetectedFault{Kind: adapters.MemoryFault, Message: m[1], Text: text, Accesses: []adapters.Access{{Kind: "crash", Frames: crashFrames(text)}}}
			if memoryCrash.MatchString(m[1]) {
				d.Faults = append(d.Faults, f)
			} else {
				d.Notes = append(d.Notes, "the interpreter was ended: "+m[1]+adapters.PlaceOf(", at ", f.Accesses[0].Frames))
			}
		}
	}
	return d, nil
}

func crashFrames(text string) (frames []adapters.Thrown) {
	stack := crashStack.FindStringSubmatch(text)
	if stack == nil {
		return nil
	}
	for _, m := range crashFrame.FindAllStringSubmatch(stack[1], -1) {
		f := adapters.Thrown{Function: m[3]}
		if n, err := strconv.Atoi(m[2]); err == nil && filepath.IsAbs(m[1]) {
			f.File, f.Line = m[1], n
		}
		frames = append(frames, f)
	}
	return frames
}

// noDetector says what Python has no detector for, and what there is in place of it.
func noDetector(s adapters.Check) error {
	switch s {
	case adapters.Races:
		return fault.New(fault.NotSupported, "CPython has no race detector: nothing here sees two threads that use an object without a lock").WithField("check").
			WithHint(`{"repeat":20} runs it until it fails; trace(what: writes) of the shared variable shows which thread writes it, and after whom`)
	case adapters.Undefined:
		return fault.New(fault.NotSupported, "Python defines what its code does: there is no undefined behavior to look for").WithField("check").
			WithHint("ask without check; check: memory finds crashes in native code")
	}
	return nil
}
