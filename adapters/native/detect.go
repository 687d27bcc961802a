package native

import (
	"cmp"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"aidb-mcp/adapters"
	"aidb-mcp/adapters/native/binary"
	"aidb-mcp/adapters/native/build"
	"aidb-mcp/adapters/native/detect"
	"aidb-mcp/adapters/prepare"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/system/process"
)

// sanitizerWay is how a sanitizer looks for the faults of a check.
type sanitizerWay struct {
	sanitizer build.Sanitizer
	name      string
	blind     string
}

var sanitizerWays = map[adapters.Check]sanitizerWay{
	adapters.Races: {build.Thread, "ThreadSanitizer (-fsanitize=thread)",
		"what this run has not done, and races within libraries that were built without it; order that these make may look like none"},
	adapters.Memory: {build.Address, "AddressSanitizer (-fsanitize=address)",
		"what this run has not done; what libraries do that were built without it; reads of memory that was never written; an overflow within one object"},
	adapters.Undefined: {build.Undefined, "UndefinedBehaviorSanitizer (-fsanitize=undefined)",
		"what this run has not done; what libraries do that were built without it; use of freed memory and overflows on the heap (check: memory), races (check: races)"},
}

// sanitizerOptions are the variables by which the sanitizers are told how to behave. A run goes
// on behind a report where it can, and its exit code is the program's own.
var sanitizerOptions = map[string]string{
	"ASAN_OPTIONS":  "exitcode=0:detect_leaks=1:detect_stack_use_after_return=1",
	"LSAN_OPTIONS":  "exitcode=0",
	"TSAN_OPTIONS":  "exitcode=0:halt_on_error=0:second_deadlock_stack=1:history_size=4:" + noSignals,
	"UBSAN_OPTIONS": "print_stacktrace=1:halt_on_error=0:" + noSignals,
}

// noSignals leaves a deadly signal to the program: a sanitizer that takes it for no fault of its own kind
// would end the program with its own exit code, and say nothing that is read.
const noSignals = "handle_segv=0:handle_sigbus=0:handle_sigill=0:handle_sigfpe=0:handle_abort=0"

// Detect runs the program with a sanitizer built into it, or one that was built elsewhere under
// valgrind.
func (a *adapter) Detect(ctx context.Context, r adapters.Request, s adapters.Check, progress func(string)) (*adapters.Detected, error) {
	j := &job{Request: r, adapter: a, lang: a.lang}
	if err := prepare.Options(r.Options, &j.options, a.Info().Name, optionsExample); err != nil {
		return nil, err
	}
	j.Mode = build.Infer(r, a.lang)
	if j.Mode == adapters.Attach || j.Mode == adapters.RemoteAttach || j.Mode == adapters.Core {
		return nil, fault.New(fault.NotSupported, "faults are looked for in a program that is started, not in one that runs already or has ended").WithField("check").
			WithHint("start it: give target or test")
	}
	way, known := sanitizerWays[s]
	if !known {
		return nil, fault.New(fault.InvalidParam, "there is no check %q", s).WithField("check").WithHint("races, memory or undefined")
	}
	if a.lang == build.Rust && s != adapters.Memory {
		return nil, noRustDetector(s)
	}
	j.sanitizer = way.sanitizer
	p, remark, err := j.sanitizedProgram(ctx, progress)
	if err != nil {
		return nil, err
	}
	if remark != "" {
		p.warnings = append(p.warnings, remark)
	}
	d, err := j.detected(p, s, way)
	if err != nil && p.scratch != "" {
		_ = os.RemoveAll(p.scratch)
	}
	return d, err
}

// noRustDetector says why a sanitizer cannot tell.
func noRustDetector(s adapters.Check) error {
	return fault.New(fault.NotSupported, "%s of Rust are not looked for here: ThreadSanitizer wants a standard library that was built with it, and valgrind takes Rust's own locks for none",
		map[adapters.Check]string{adapters.Races: "races", adapters.Undefined: "undefined behavior"}[s]).WithField("check").
		WithHint("safe code has none; for unsafe code run Miri: rustup +nightly component add miri, then cargo +nightly miri test. check: memory looks for memory faults here")
}

// sanitizedProgram is the program with the sanitizer in it. One that can be built only without is
// built so, and the remark says it.
func (j *job) sanitizedProgram(ctx context.Context, progress func(string)) (p program, remark string, err error) {
	p, err = j.program(ctx, progress)
	var f *fault.Error
	if err == nil || !errors.As(err, &f) || f.Code != fault.BuildFailed || ctx.Err() != nil {
		return p, "", err
	}
	remark = "it could not be built with -fsanitize=" + string(j.sanitizer) + ": " + f.Message
	j.sanitizer = ""
	p, err = j.program(ctx, progress)
	return p, remark, err
}

// detected is the run of a program under a detector that sees the check's faults.
func (j *job) detected(p program, s adapters.Check, way sanitizerWay) (*adapters.Detected, error) {
	made, err := binary.Sanitizers(p.path)
	if err != nil {
		return nil, fault.New(fault.InvalidTarget, "%w", err).WithField("target").WithHint("give a program of this machine")
	}
	dir, err := j.adapter.Root.MakeScratch("detect-")
	if err != nil {
		return nil, err
	}
	var d *adapters.Detected
	switch {
	case slices.Contains(made, string(way.sanitizer)):
		d = j.sanitized(p, way, filepath.Join(dir, "log"))
	case len(made) > 0:
		err = fault.New(fault.NotSupported, "%s was built with another sanitizer: %s", prepare.Show(j.Request, p.path), strings.Join(made, ", ")).
			WithField("check").WithHint("leave that out of build_args, or build it with -fsanitize=%s", way.sanitizer)
	default:
		d, err = j.valgrind(p, s, way, dir)
	}
	if err != nil {
		_ = os.RemoveAll(dir)
		return nil, err
	}
	d.Target, d.Warnings = p.target, append(d.Warnings, p.warnings...)
	if j.Mode == adapters.Test {
		d.Tests = j.testsOf(p)
	}
	d.Close = func() {
		_ = os.RemoveAll(dir)
		if p.scratch != "" {
			_ = os.RemoveAll(p.scratch)
		}
	}
	return d, nil
}

// testsOf is what is known of a run of tests by what it prints.
func (j *job) testsOf(p program) adapters.Tests {
	if j.lang == build.Rust {
		return adapters.Tests{Printed: rustTests{run: p.tests}.TestsPrinted}
	}
	c := common{lang: j.lang, section: namesSection(p.args)}
	return adapters.Tests{Printed: c.TestsPrinted}
}

// sanitized runs a program that has the sanitizer in it.
func (j *job) sanitized(p program, way sanitizerWay, log string) *adapters.Detected {
	set := map[string]string{}
	for name, options := range sanitizerOptions {
		set[name] = strings.TrimPrefix(prepare.Lookup(p.env, name)+":"+options+":log_path="+log, ":")
	}
	name := way.name
	if j.lang == build.Rust { // whose library has no frame pointers
		set["ASAN_OPTIONS"] += ":fast_unwind_on_malloc=0"
		name = "AddressSanitizer (-Zsanitizer=address)"
	}
	return &adapters.Detected{
		Spec: process.Spec{Name: "the program", Path: p.path, Args: p.args, Dir: p.dir, Env: prepare.Overlay(p.env, set), Log: j.adapter.Log},
		By:   name, Blind: way.blind, Stops: way.sanitizer != build.Thread, // which reports now here, now there
		Read:    func() (adapters.Detection, error) { return readSanitizers(log, compiledFrom(p.path)) },
		Refused: refused,
	}
}

// readSanitizers reads what the sanitizers of all processes of the run have written.
func readSanitizers(prefix string, dirs detect.Dirs) (d adapters.Detection, err error) {
	texts, more, err := prepare.Reports(prefix)
	if err != nil {
		return d, err
	}
	d.Unread = more
	gaveUp := ""
	for _, text := range texts {
		gaveUp = cmp.Or(gaveUp, prepare.GaveUp(text))
		races, fatal := dirs.TSan(text)
		if fatal != "" {
			return d, fault.New(fault.SessionStart, "ThreadSanitizer could not work in the program: %s", fatal).WithField("check").
				WithHint("sysctl vm.mmap_rnd_bits=28 helps where the kernel spreads memory too far for it")
		}
		for _, one := range []adapters.Detection{dirs.ASan(text), races, dirs.UBSan(text)} {
			d.Faults, d.Notes = append(d.Faults, one.Faults...), append(d.Notes, one.Notes...)
		}
	}
	switch {
	case gaveUp == "":
	case len(d.Faults) == 0:
		return d, gaveUpError(gaveUp)
	default:
		d.Notes = append(d.Notes, "the sanitizer gave up, and what came after is not known: "+gaveUp)
	}
	return d, nil
}

func gaveUpError(why string) error {
	return fault.New(fault.SessionStart, "the sanitizer gave up before the program had come to its end: %s", why).WithField("check").
		WithHint("its words say why; a smaller run, or one without LD_PRELOAD, may get through")
}

// refused says why a sanitizer did not begin: it has not opened its file then.
func refused(stderr string) error {
	if why := prepare.GaveUp(stderr); why != "" {
		return gaveUpError(why)
	}
	return nil
}

// compiledFrom are the directories in which a program may have been compiled: its own, and those
// above it.
func compiledFrom(path string) (dirs detect.Dirs) {
	for dir := filepath.Dir(path); len(dirs) < 4 && dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		dirs = append(dirs, dir)
	}
	return dirs
}
