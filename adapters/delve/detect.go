package delve

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"aidb-mcp/adapters"
	"aidb-mcp/adapters/delve/serve"
	"aidb-mcp/adapters/delve/wire"
	"aidb-mcp/adapters/prepare"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/system/process"
)

// raceOptions is the variable by which the race detector is told how to behave.
const raceOptions = "GORACE"

// Detect runs the program with the race detector in it. Of memory and undefined behaviour there
// is nothing to detect that the runtime itself would not end the program for.
func (a *adapter) Detect(ctx context.Context, r adapters.Request, s adapters.Check, progress func(string)) (*adapters.Detected, error) {
	j, err := understand(r)
	if err != nil {
		return nil, err
	}
	if s != adapters.Races {
		return nil, noDetector(s)
	}
	switch j.Mode {
	case adapters.Launch, adapters.Test:
		if err := j.needRaceDetector(); err != nil {
			return nil, err
		}
		r.BuildArgs = append([]string{"-race"}, withoutRace(j.BuildArgs)...)
		r.Env = withCgo(j)
	case adapters.Exec:
		if info, err := serve.BuildInfo(j.target); err == nil && buildSetting(info, "-race") != "true" {
			return nil, fault.New(fault.NotSupported, "%s was built without the race detector", prepare.Show(r, j.target)).WithField("check").
				WithHint("give the package as target, so that it is built with it, or a binary that go build -race has made")
		}
	default:
		return nil, fault.New(fault.NotSupported, "races are looked for in a program that is started, not in one that runs already").WithField("check").
			WithHint("start it: give target or test")
	}
	plan, err := a.Plan(ctx, r, progress)
	if err != nil {
		return nil, raceBuildError(err)
	}
	start := plan.Arguments.(wire.Start)
	dir, err := a.Root.MakeScratch("race-")
	if err != nil {
		plan.Close()
		return nil, err
	}
	log := filepath.Join(dir, "log")
	// The exit code stays the program's own, and where it has raced it goes on.
	options := strings.TrimSpace(prepare.Lookup(j.env, raceOptions) + " exitcode=0 halt_on_error=0 log_path=" + log)
	d := &adapters.Detected{
		Spec: process.Spec{
			Name: "the program", Path: start.Program, Args: start.Args, Dir: start.Cwd,
			Env: prepare.Overlay(j.env, map[string]string{raceOptions: options}), Log: a.Log,
		},
		Target: plan.Target, Warnings: plan.Warnings,
		By:    "the race detector of Go (-race)",
		Blind: "what this run has not done: two accesses of which one did not happen in it; what C code does, and programs that it starts without -race",
		Read:  func() (adapters.Detection, error) { return readRaceLogs(log) },
		Close: func() { plan.Close(); _ = os.RemoveAll(dir) },
	}
	if j.Mode == adapters.Test {
		d.Tests = plan.Capabilities.Tests
	}
	return d, nil
}

// readRaceLogs reads what all processes of the run have written.
func readRaceLogs(prefix string) (d adapters.Detection, err error) {
	texts, more, err := prepare.Reports(prefix)
	d.Unread = more
	gaveUp := ""
	for _, text := range texts {
		d.Faults = append(d.Faults, readRaces(text)...)
		gaveUp = cmp.Or(gaveUp, prepare.GaveUp(text))
	}
	switch {
	case gaveUp == "" || err != nil:
	case len(d.Faults) == 0:
		return d, fault.New(fault.SessionStart, "the race detector gave up before the program had come to its end: %s", gaveUp).WithField("check").
			WithHint("releases of Go before 1.26 follow 8,128 goroutines at once: have the program do less at a time")
	default:
		d.Notes = append(d.Notes, "the race detector gave up, and what came after is not known: "+gaveUp)
	}
	return d, err
}

// noDetector says why nothing else is looked for.
func noDetector(s adapters.Check) error {
	if s == adapters.Memory {
		return fault.New(fault.NotSupported, "Go has no detector of memory faults that needs no C: the runtime itself ends a program for a bad index or a nil pointer").
			WithField("check").WithHint(`for C in the program: {"start":{"build_args":["-asan"]}} with env {"CGO_ENABLED":"1"} builds that with AddressSanitizer; check "races" finds unordered accesses`)
	}
	return fault.New(fault.NotSupported, "Go defines what other languages leave undefined, apart from races").
		WithField("check").WithHint(`check "races" finds those`)
}

// needRaceDetector says what the detector wants of this machine and does not find.
func (j job) needRaceDetector() error {
	compiler := prepare.Lookup(j.env, "CC")
	if compiler = strings.TrimSpace(compiler); compiler == "" {
		compiler = "gcc"
	}
	name := strings.Fields(compiler)[0]
	if _, err := exec.LookPath(name); err == nil || runtime.GOOS == "darwin" {
		return nil
	}
	return fault.New(fault.NotSupported, "the race detector of Go needs a C compiler, and %s is not there", name).WithField("check").
		WithHint("install one (on Debian: apt install gcc), or name it with env {\"CC\":…}")
}

// withCgo is the environment of the request with cgo on, which the detector needs.
func withCgo(j job) map[string]string {
	env := maps.Clone(j.Env)
	if prepare.Lookup(j.env, "CGO_ENABLED") == "0" {
		if env == nil {
			env = map[string]string{}
		}
		env["CGO_ENABLED"] = "1"
	}
	return env
}

func withoutRace(args []string) (rest []string) {
	for _, arg := range args {
		if strings.TrimLeft(arg, "-") != "race" {
			rest = append(rest, arg)
		}
	}
	return rest
}

// raceBuildError says of a build that fails only with the detector what that lacks.
func raceBuildError(err error) error {
	var f *fault.Error
	if errors.As(err, &f) && f.Code == fault.BuildFailed && strings.Contains(f.Error()+f.Message, "-race is not supported") {
		return fault.New(fault.NotSupported, "Go has no race detector for %s/%s", runtime.GOOS, runtime.GOARCH).WithField("check").
			WithHint("ask without check, or on another machine")
	}
	return err
}
