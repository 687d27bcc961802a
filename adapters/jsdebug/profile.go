package jsdebug

import (
	"cmp"
	"context"
	"embed"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"aidb-mcp/adapters"
	"aidb-mcp/adapters/prepare"
	"aidb-mcp/internal/profiling"
	"aidb-mcp/internal/system/process"
	"aidb-mcp/internal/system/sleep"
)

// What runs in the program itself to profile it; hook.cjs says how.
//
//go:embed profiler/*.cjs
var profiler embed.FS

// profilerVariable tells the hook, in the program, where its files lie.
const profilerVariable = "AIDB_PROFILE"

// profilerFolder has the hook, in the binary and in the directory of a profile.
const profilerFolder = "profiler"

// profilerSpec is what the hook is told.
type profilerSpec struct {
	What     profiling.What `json:"what"`
	Interval int            `json:"interval"`
}

// How often V8 looks, in µs of time and in bytes that are allocated.
const (
	cpuInterval  = 1000
	heapInterval = 16 << 10
)

// Profile runs the program as its plan would, with V8's own profilers at work in each of its
// threads and processes of node.
func (a *adapter) Profile(ctx context.Context, r adapters.Request, w profiling.Spec, _ func(string)) (*adapters.ProfiledRun, error) {
	j, err := understand(r)
	if err != nil {
		return nil, err
	}
	if j.node, err = a.runtime(ctx, r, j.env); err != nil {
		return nil, err
	}
	s, err := j.toRecord()
	if err != nil {
		return nil, err
	}
	dir, err := a.profilerDir(w)
	if err != nil {
		return nil, err
	}
	l := s.launch
	set := prepare.Overlay(os.Environ(), l.Env)
	options := strings.TrimSpace(prepare.Lookup(set, "NODE_OPTIONS") + " --require " + quoteOption(filepath.Join(dir, profilerFolder, "hook.cjs")))
	return &adapters.ProfiledRun{
		Spec: process.Spec{
			Name: "node", Path: l.RuntimeExecutable, Args: append(append(l.RuntimeArgs[:len(l.RuntimeArgs):len(l.RuntimeArgs)], l.Program), l.Args...),
			Env: prepare.Overlay(set, map[string]string{profilerVariable: dir, "NODE_OPTIONS": options}), Dir: l.Cwd, Root: a.Root, Log: a.Log,
		},
		Target: s.target, Warnings: s.warnings,
		Finish: func(ctx context.Context) error { return finishProfile(ctx, dir, w.What) },
		Read: func(context.Context, bool) (*profiling.Profile, error) {
			return readProfiles(dir, w)
		},
		Close: func() { _ = os.RemoveAll(dir) },
	}, nil
}

// quoteOption writes a word of NODE_OPTIONS.
func quoteOption(word string) string {
	if !strings.ContainsAny(word, " \"\\") {
		return word
	}
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(word) + `"`
}

// profilerDir lays out the hook and what is asked for of it.
func (a *adapter) profilerDir(w profiling.Spec) (string, error) {
	dir, err := a.Root.Scratch("prof-")
	if err != nil {
		return "", err
	}
	interval := cpuInterval
	if w.What == profiling.Memory {
		interval = heapInterval
	}
	return dir, profiling.Equip(dir, profilerSpec{w.What, interval}, profiler, profilerFolder, profilerFolder)
}

// How long the program's threads may take to write down what they have, and how often it is
// looked whether they have. Nothing announces that a file is there.
const (
	profilerLimit = 8 * time.Second
	snapshotLimit = 30 * time.Second // a heap is written down whole
	profilerLook  = 20 * time.Millisecond
)

// finishProfile asks for the end, and waits until the main threads have written what there is.
func finishProfile(ctx context.Context, dir string, what profiling.What) error {
	if err := profiling.Finish(dir); err != nil {
		return err
	}
	limit := profilerLimit
	if what == profiling.Memory {
		limit = snapshotLimit
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	for {
		threads, err := profiledThreads(dir)
		if err != nil {
			return err
		}
		open := len(threads) == 0
		for _, t := range threads {
			open = open || t.Main && t.Why == whyRunning && !process.Gone(t.PID)
		}
		if !open || !sleep.For(ctx, profilerLook) {
			return nil // of what is not ready, the parts before are read
		}
	}
}

// whyRunning: the profile of the thread is not finished.
const whyRunning = "running"

// profiledThread is what the hook says of one thread of a process.
type profiledThread struct {
	Why       string            `json:"why"` // running, time, ended, failed
	Error     string            `json:"error"`
	Version   string            `json:"version"`
	Wall      int64             `json:"wall_ns"`
	CPU       int64             `json:"cpu_ns"`   // of the process
	Spent     int64             `json:"spent_ns"` // by looks at memory
	Main      bool              `json:"main"`
	PID       int               `json:"pid"`
	Thread    int               `json:"thread"`
	Script    string            `json:"script"`
	Maps      map[string]string `json:"maps"`
	Resources []string          `json:"resources"` // what the event loop waits for
	Memory    []struct {
		RSS, HeapUsed, External int64
	} `json:"memory"`

	base string // of its files
}

// name tells threads of several apart.
func (t profiledThread) name(several bool) string {
	if !several {
		return ""
	}
	name := fmt.Sprintf("%s (process %d)", cmp.Or(filepath.Base(t.Script), "node"), t.PID)
	if !t.Main {
		name = fmt.Sprintf("worker %d of process %d", t.Thread, t.PID)
	}
	return name
}

// profiledThreads are the threads that have told of themselves.
func profiledThreads(dir string) ([]profiledThread, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*-*.json"))
	if err != nil {
		return nil, fmt.Errorf("reading the profile: %w", err)
	}
	var list []profiledThread
	for _, file := range files {
		var t profiledThread
		text, err := os.ReadFile(file)
		if err == nil {
			err = json.Unmarshal(text, &t)
		}
		if err != nil {
			return nil, fmt.Errorf("reading the profile: %w", err)
		}
		t.base = strings.TrimSuffix(file, ".json")
		list = append(list, t)
	}
	return list, nil
}
