package jsdebug

import (
	"context"
	"crypto/rand"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"aidb-mcp/adapters"
	"aidb-mcp/adapters/jsdebug/inspector"
	"aidb-mcp/adapters/observe/inside"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/recording/live"
	"aidb-mcp/internal/system/process"
)

// What finds places in the program's sources, and what records in the program.
//
//go:embed live/where.cjs live/hits.js
var liveScripts embed.FS

// armLimit is how long arming may take.
const armLimit = 20 * time.Second

// mostSource is how much source is looked through for one trace, in bytes.
const mostSource = 64 << 20

// arming is the way to one trace.
type arming struct {
	*observer
	spec   live.Spec
	client *inspector.Client
	name   string // of what records, in the program

	mu      sync.Mutex
	scripts []script
	armed   *observed // nil before it is
}

// script is one that the program has loaded.
type script struct {
	ID   string `json:"scriptId"`
	URL  string `json:"url"`
	Map  string `json:"sourceMapURL"`
	Size int    `json:"length"`
}

// hear keeps account of the scripts.
func (a *arming) hear(method string, params json.RawMessage) {
	if method == "Runtime.bindingCalled" {
		a.receive(params)
		return
	}
	if method != "Debugger.scriptParsed" {
		return
	}
	var s script
	if json.Unmarshal(params, &s) != nil {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.scripts = append(a.scripts, s)
}

// receive takes what the program tells by itself, at its end.
func (a *arming) receive(params json.RawMessage) {
	var call struct {
		Payload string `json:"payload"`
	}
	a.mu.Lock()
	r := a.armed
	a.mu.Unlock()
	if r == nil || json.Unmarshal(params, &call) != nil {
		return
	}
	if m, err := inside.Read([]byte(call.Payload)); err == nil {
		r.Add(m.Rows, m.Into)
	}
}

func (a *arming) arm(ctx context.Context, address string, pid int) (_ adapters.Recorder, err error) {
	ctx, cancel := context.WithTimeoutCause(ctx, armLimit, fmt.Errorf("the program did not answer within %s", armLimit))
	defer cancel()
	a.name = "__aidb_" + strings.ToLower(rand.Text()[:10])
	if a.client, err = inspector.Connect(a.root, address, pid, a.farewell(), a.hear); err != nil {
		return nil, fmt.Errorf("connecting to the program's inspector: %w", err)
	}
	defer func() {
		if err != nil {
			a.client.Close()
		}
	}()
	// This connection is only to hear of the scripts, and stops at nothing.
	err = a.client.Call(ctx, "Debugger.enable", struct{}{}, nil)
	if err == nil {
		err = a.client.Call(ctx, "Debugger.setSkipAllPauses", skipping{true}, nil)
	}
	if err != nil {
		return nil, err
	}
	found, err := a.look(ctx)
	if err != nil {
		return nil, err
	}
	hooks, places, err := a.hooks(ctx, found)
	if err != nil {
		return nil, err
	}
	// Nothing more is to be said of scripts: where many messages are under way, it is hard to end.
	if err := a.client.Call(ctx, "Debugger.disable", struct{}{}, nil); err != nil {
		return nil, err
	}
	if err := a.client.Call(ctx, "Runtime.addBinding", binding{a.name + "_tell"}, nil); err != nil {
		return nil, err
	}
	if err := a.install(ctx, hooks, places); err != nil {
		return nil, err
	}
	r := &observed{client: a.client, name: a.name, over: make(chan struct{}), stop: make(chan struct{})}
	r.patience, r.giveUp = context.WithCancelCause(context.Background())
	open := slices.ContainsFunc(found.Functions, func(f foundFunction) bool { return f.Open })
	r.Add(nil, func(s *live.State) { s.Running, s.Places, s.How = true, len(hooks), liveHow(a.spec, len(hooks), open) })
	a.mu.Lock()
	a.armed = r
	a.mu.Unlock()
	go r.follow()
	return r, nil
}

type binding struct {
	Name string `json:"name"`
}

type skipping struct {
	Skip bool `json:"skip"`
}

// position is a line and a column, from 0.
type position [2]int

// found is what where.cjs answers.
type found struct {
	Functions []foundFunction `json:"functions"`
	Passes    []foundPass     `json:"passes"`
	Nearest   []int           `json:"nearest"`
	Names     []string        `json:"names"`
	Unread    []string        `json:"unread"`
	More      int             `json:"more"`
}

type foundFunction struct {
	Script  string   `json:"script"`
	Name    string   `json:"name"`
	File    string   `json:"file"`
	Line    int      `json:"line"`
	From    position `json:"from"`
	To      position `json:"to"`
	Params  []string `json:"params"`
	Returns []struct {
		From  position `json:"from"`
		To    position `json:"to"`
		Value string   `json:"value"` // empty: it cannot be asked again
	} `json:"returns"`
	Open  bool `json:"open"`  // it may rest
	Ends  bool `json:"ends"`  // a return may be followed by a finally
	Block bool `json:"block"` // its body is one
}

type foundPass struct {
	Script string   `json:"script"`
	Name   string   `json:"name"`
	File   string   `json:"file"`
	Line   int      `json:"line"`
	From   position `json:"from"`
	To     position `json:"to"`
}

// searched is one that is looked through.
type searched struct {
	ID     string `json:"id"`
	Path   string `json:"path"`
	Source string `json:"source"`
}

// search is what where.cjs is asked.
type search struct {
	Scripts   []searched `json:"scripts"`
	File      string     `json:"file"`
	Line      int        `json:"line"`
	Functions []string   `json:"functions"`
}

// look finds the places, in a process of our own.
func (a *arming) look(ctx context.Context) (*found, error) {
	sources, err := a.sources(ctx)
	if err != nil {
		return nil, err
	}
	dir, err := a.root.Scratch("live-")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	if err := a.lay(dir, search{Scripts: sources, File: a.spec.File, Line: a.spec.Line, Functions: a.spec.Functions}); err != nil {
		return nil, err
	}
	out, stderr, err := process.Run(ctx, process.Spec{
		Name: "node", Path: a.node, Args: []string{filepath.Join(dir, "where.cjs"), filepath.Join(dir, "asked.json")},
		Env: append(os.Environ(), "NODE_OPTIONS="), Root: a.root,
	})
	if err != nil {
		return nil, fmt.Errorf("looking through the program's sources: %w: %.300s", err, stderr)
	}
	var f found
	if err := json.Unmarshal(out, &f); err != nil {
		return nil, fmt.Errorf("looking through the program's sources: %w", err)
	}
	return &f, a.judge(&f, len(sources))
}

// lay writes what looks, and what it is asked.
func (a *arming) lay(dir string, s search) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	for _, name := range []string{"acorn.cjs", "maps.cjs"} {
		text, err := recorder.ReadFile("recorder/" + name)
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, name), text, 0o600)
		}
		if err != nil {
			return err
		}
	}
	text, err := liveScripts.ReadFile("live/where.cjs")
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "where.cjs"), text, 0o600)
	}
	if err != nil {
		return err
	}
	asked, err := json.Marshal(s)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "asked.json"), asked, 0o600)
}

// judge says what is missing.
func (a *arming) judge(f *found, looked int) error {
	nothing := func(field, format string, args ...any) error {
		return fault.New(fault.InvalidParam, "nothing was armed: "+format, args...).WithField(field).
			WithHint("name what the program has loaded: functions of its own sources for calls, a line with code for values")
	}
	switch {
	case f.More > 0:
		return nothing("functions", "%d functions are meant, %d are recorded at most: name fewer", f.More+len(f.Functions), len(f.Functions))
	case a.spec.File != "" && len(f.Passes) == 0 && len(f.Nearest) > 0:
		return nothing("location", "no statement begins at %s:%d; the nearest lines where one does are %s", a.spec.File, a.spec.Line, strings.Trim(fmt.Sprint(f.Nearest), "[]"))
	case a.spec.File != "" && len(f.Passes) == 0:
		return nothing("location", "the program has not loaded %s: nothing of it can be recorded before it has (%d sources were looked through)", a.spec.File, looked)
	case a.spec.File == "" && len(f.Functions) == 0:
		like := ""
		for _, name := range f.Names {
			if last := name[strings.LastIndexByte(name, '.')+1:]; strings.EqualFold(last, lastName(a.spec.Functions[0])) {
				like = "; there is " + name
			}
		}
		return nothing("functions", "the program has no function %s in the %d sources that were looked through%s", strings.Join(a.spec.Functions, ", "), looked, like)
	}
	return nil
}

func lastName(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }

// sources are the texts in which the places may be.
func (a *arming) sources(ctx context.Context) ([]searched, error) {
	a.mu.Lock()
	scripts := slices.Clone(a.scripts)
	a.mu.Unlock()
	list := []searched{}
	room := mostSource
	for _, s := range scripts {
		path, ok := fileOf(s.URL)
		if !ok || !a.mayBe(s, path) {
			continue
		}
		if room -= s.Size; room < 0 {
			return nil, fault.New(fault.NotSupported, "nothing was armed: the program's sources are more than the %d MB that are looked through", mostSource>>20).
				WithHint("name the file: values at file:line, or functions with their file")
		}
		var text struct {
			Source string `json:"scriptSource"`
		}
		if err := a.client.Call(ctx, "Debugger.getScriptSource", scriptID{s.ID}, &text); err != nil {
			if errors.Is(err, inspector.ErrHungUp) || ctx.Err() != nil {
				return nil, err
			}
			continue // it was collected meanwhile
		}
		list = append(list, searched{s.ID, path, text.Source})
	}
	return list, nil
}

type scriptID struct {
	ID string `json:"scriptId"`
}

// fileOf is the path of a script, if it is the program's own.
func fileOf(address string) (string, bool) {
	path := address
	if strings.HasPrefix(address, "file:") {
		u, err := url.Parse(address)
		if err != nil {
			return "", false
		}
		path = u.Path
	}
	return path, filepath.IsAbs(path)
}

// mayBe says that a place may be in a script: that of a library is only looked into by its name.
func (a *arming) mayBe(s script, path string) bool {
	if a.spec.File != "" {
		return s.Map != "" && !isLibrary(path) || path == a.spec.File || strings.HasSuffix(path, "/"+filepath.ToSlash(filepath.Clean(a.spec.File)))
	}
	return !isLibrary(path) || slices.ContainsFunc(a.spec.Functions, func(f string) bool { return strings.HasSuffix(path, "/"+f) })
}
