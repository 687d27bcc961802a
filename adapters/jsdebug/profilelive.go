package jsdebug

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"strconv"
	"strings"
	"sync"
	"time"

	"aidb-mcp/adapters"
	"aidb-mcp/adapters/jsdebug/inspector"
	"aidb-mcp/adapters/jsdebug/v8"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/profiling"
)

// liveProfiler profiles a program by a connection to its inspector: when that ends, V8 stops what was
// begun there.
type liveProfiler struct {
	c     connection
	held  bool       // by js-debug, whose connection it is
	mu    sync.Mutex // guards chunks, which the receiving goroutine fills
	parts bytes.Buffer
	cut   bool
}

type connection interface {
	Call(ctx context.Context, method string, params, into any) error
	Close()
}

// TakeProfile profiles the main thread of a program that runs.
func (d *dialect) TakeProfile(ctx context.Context, p adapters.Profiled, w profiling.Spec) (*profiling.Profile, error) {
	l, err := connectLive(ctx, p.Caller)
	if err != nil {
		return nil, err
	}
	defer l.c.Close()
	return l.take(ctx, p, w)
}

func (l *liveProfiler) take(ctx context.Context, p adapters.Profiled, w profiling.Spec) (*profiling.Profile, error) {
	if w.What == profiling.Memory {
		return l.memory(ctx, p, w)
	}
	return l.processor(ctx, p, w)
}

// connectLive connects to the inspector of a program that js-debug holds. The connection must be closed.
func connectLive(ctx context.Context, c adapters.Caller) (*liveProfiler, error) {
	var at struct {
		Host string `json:"host"`
		Port int    `json:"port"`
		Path string `json:"path"`
	}
	if err := c.Call(ctx, "requestCDPProxy", struct{}{}, &at); err != nil {
		return nil, fault.New(fault.NotSupported, "js-debug gives no way to the program's inspector: %w", err).WithField("session_id").
			WithHint("profile a run of its own: give target or test")
	}
	l := &liveProfiler{held: true}
	var err error
	l.c, err = inspector.Dial("ws://"+net.JoinHostPort(at.Host, strconv.Itoa(at.Port))+at.Path, l.event)
	return l, err
}

// event collects the parts of a heap snapshot.
func (l *liveProfiler) event(method string, params json.RawMessage) {
	if method != "HeapProfiler.addHeapSnapshotChunk" {
		return
	}
	var part struct {
		Chunk string `json:"chunk"`
	}
	if json.Unmarshal(params, &part) != nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.parts.Len()+len(part.Chunk) > mostProfile {
		l.cut = true
		return
	}
	l.parts.WriteString(part.Chunk)
}

// usage is what the program says of itself.
type usage struct {
	Version   string   `json:"version"`
	User      int64    `json:"user"` // µs
	System    int64    `json:"system"`
	Resources []string `json:"resources"`
	RSS       int64    `json:"rss"`
	External  int64    `json:"external"`
}

// usage asks the program what it has used. It changes nothing there.
func (l *liveProfiler) usage(ctx context.Context) (usage, error) {
	const expression = `(() => { const c = process.cpuUsage(), m = process.memoryUsage(); ` +
		`return JSON.stringify({ version: process.version, user: c.user, system: c.system, rss: m.rss, external: m.external, ` +
		`resources: process.getActiveResourcesInfo?.() ?? null }); })()`
	var body evaluated
	err := l.c.Call(ctx, "Runtime.evaluate", evaluateArguments{Expression: expression, Silent: true, ByValue: true, Unstopped: true}, &body)
	if err != nil {
		return usage{}, err
	}
	var u usage
	if err := json.Unmarshal([]byte(body.Result.Value), &u); err != nil {
		return usage{}, fmt.Errorf("asking the program what it has used: %w", err)
	}
	return u, nil
}

// interval is how often V8 is to look.
type interval struct {
	Interval int `json:"interval"`
}

type sampling struct {
	Interval int `json:"samplingInterval"`
}

// endedEarly: V8 gives its profile only while the program lives.
func endedEarly() error {
	return fault.New(fault.SessionTerminated, "the program ended while it was profiled, and took the profile with it").
		WithHint("give fewer seconds; or profile a run of its own (target or test), which is kept when the program ends")
}

func (l *liveProfiler) processor(ctx context.Context, p adapters.Profiled, w profiling.Spec) (*profiling.Profile, error) {
	before, err := l.usage(ctx)
	if err != nil {
		return nil, err
	}
	if err := l.c.Call(ctx, "Profiler.enable", nil, nil); err != nil {
		return nil, err
	}
	if err := l.c.Call(ctx, "Profiler.setSamplingInterval", interval{cpuInterval}, nil); err != nil {
		return nil, err
	}
	if err := l.c.Call(ctx, "Profiler.start", nil, nil); err != nil {
		return nil, err
	}
	began := time.Now()
	ended, err := p.Wait(ctx, w.For)
	stopping, cancel := context.WithTimeout(context.WithoutCancel(ctx), profilerLimit)
	defer cancel()
	var body struct {
		Profile json.RawMessage `json:"profile"`
	}
	if stopped := l.c.Call(stopping, "Profiler.stop", nil, &body); err == nil && stopped != nil {
		if ended || isClosed(p.Ended) {
			return nil, endedEarly()
		}
		return nil, stopped
	}
	_ = l.c.Call(stopping, "Profiler.disable", nil, nil)
	if err != nil {
		return nil, err
	}
	made := &profiling.Profile{Lasted: time.Since(began), Ended: ended, Library: isOthers}
	after, err := l.usage(stopping)
	if err != nil {
		after = before
	}
	c := v8.NewCPU(w.What, &v8.Places{Said: l.maps(stopping, body.Profile)})
	if err := c.Add(body.Profile, ""); err != nil {
		return nil, err
	}
	used := (after.User + after.System - before.User - before.System) * 1000
	made.Data = c.Profile(used)
	made.How = fmt.Sprintf("V8's profiler in node %s, over the inspector, a sample each ms of time of the main thread (workers are not seen); a function's own lines are known, of its callers only where they begin", before.Version)
	made.Cost = fmt.Sprintf("V8 interrupts the thread 1,000 times a second; with that the process used %s of processor time in %s, in which its event loop waited %s of the time",
		profiling.Brief(used), profiling.Brief(int64(made.Lasted)), profiling.Percent(c.Idle, c.Time))
	if l.held {
		made.Cost += "; the debugger in the program has its own cost"
	}
	if w.What == profiling.Waits && len(after.Resources) > 0 {
		made.Notes = append(made.Notes, "at the end the event loop waits for: "+counted(after.Resources))
	}
	if w.Save != "" {
		return made, keepText(made, body.Profile, w, ".cpuprofile")
	}
	return made, nil
}

func isClosed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// The bounds of what is read to find where code was written.
const (
	mostScripts    = 300
	mostScriptText = 64 << 20
)

// maps are the addresses of source maps of the scripts in a profile, as their texts have them.
func (l *liveProfiler) maps(ctx context.Context, profile json.RawMessage) map[string]string {
	if !l.held { // only one that has enabled this is told of sources
		_ = l.c.Call(ctx, "Debugger.enable", struct{}{}, nil)
		_ = l.c.Call(ctx, "Debugger.setSkipAllPauses", skipping{true}, nil)
		defer func() { _ = l.c.Call(ctx, "Debugger.disable", nil, nil) }()
	}
	found, asked, size := map[string]string{}, map[string]bool{}, 0
	for _, s := range v8.Scripts(profile) {
		if asked[s.URL] || !strings.HasPrefix(s.URL, "file:") || strings.Contains(s.URL, "/node_modules/") || len(asked) == mostScripts || size > mostScriptText {
			continue
		}
		asked[s.URL] = true
		var body struct {
			Source string `json:"scriptSource"`
		}
		if l.c.Call(ctx, "Debugger.getScriptSource", s, &body) != nil {
			continue
		}
		size += len(body.Source)
		if i := strings.LastIndex(body.Source, mapMark); i >= 0 {
			said, _, _ := strings.Cut(body.Source[i+len(mapMark):], "\n")
			found[s.URL] = strings.TrimSpace(said)
		}
	}
	return found
}

// snapshot takes a snapshot of the heap, for which the program stands still.
func (l *liveProfiler) snapshot(ctx context.Context) ([]byte, error) {
	l.mu.Lock()
	l.parts.Reset()
	l.cut = false
	l.mu.Unlock()
	if err := l.c.Call(ctx, "HeapProfiler.takeHeapSnapshot", nil, nil); err != nil {
		return nil, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.cut {
		return nil, fault.New(fault.NotSupported, "the heap snapshot is larger than %s", profiling.Size(mostProfile)).WithHint("profile(cpu), or a run with less data")
	}
	return bytes.Clone(l.parts.Bytes()), nil
}

func (l *liveProfiler) memory(ctx context.Context, p adapters.Profiled, w profiling.Spec) (*profiling.Profile, error) {
	if err := l.hearsHeap(ctx); err != nil {
		return nil, err
	}
	before, err := l.usage(ctx)
	if err != nil {
		return nil, err
	}
	began := time.Now()
	first, err := l.snapshot(ctx)
	if err != nil {
		return nil, err
	}
	stood := time.Since(began)
	made := &profiling.Profile{Library: isOthers}
	if w.For == 0 {
		return made, l.look(made, first, before, stood, w)
	}
	if err := l.c.Call(ctx, "HeapProfiler.startSampling", sampling{heapInterval}, nil); err != nil {
		return nil, err
	}
	began = time.Now()
	ended, err := p.Wait(ctx, w.For)
	if err != nil {
		stopping, cancel := context.WithTimeout(context.WithoutCancel(ctx), profilerLimit)
		defer cancel()
		_ = l.c.Call(stopping, "HeapProfiler.stopSampling", nil, nil)
		return nil, err
	}
	var body struct {
		Profile json.RawMessage `json:"profile"`
	}
	made.Lasted, made.Ended = time.Since(began), ended
	if err := l.c.Call(ctx, "HeapProfiler.stopSampling", nil, &body); err != nil {
		if ended || isClosed(p.Ended) {
			return nil, endedEarly()
		}
		return nil, err
	}
	began = time.Now()
	last, err := l.snapshot(ctx)
	if err != nil {
		return nil, err
	}
	stood += time.Since(began)
	after, err := l.usage(ctx)
	if err != nil {
		return nil, err
	}
	return made, grownBetween(ctx, made, l, [2][]byte{first, last}, body.Profile, [2]usage{before, after}, stood, w)
}

type subscribed struct {
	Events []string `json:"events"`
}

// hearsHeap has js-debug pass on what the inspector tells of the heap.
func (l *liveProfiler) hearsHeap(ctx context.Context) error {
	if !l.held {
		return nil
	}
	return l.c.Call(ctx, "JsDebug.subscribe", subscribed{[]string{"HeapProfiler.*"}}, nil)
}

// look makes a profile of one look at the heap.
func (l *liveProfiler) look(made *profiling.Profile, text []byte, u usage, stood time.Duration, w profiling.Spec) error {
	s, err := v8.ReadSnapshot(bytes.NewReader(text))
	if err != nil {
		return err
	}
	b := profiling.NewBuilder(profiling.Memory)
	for t, c := range s.Types() {
		b.Add(nil, map[string]string{profiling.TypeLabel: t}, c.Objects, c.Bytes)
	}
	made.Data = b.Profile()
	made.How = fmt.Sprintf("a heap snapshot of V8 in node %s, of the main thread, over the inspector; which functions allocate is told with seconds", u.Version)
	made.Cost = fmt.Sprintf("the program stood still for %s at most", profiling.Brief(int64(stood)))
	if w.Save != "" {
		return keepText(made, text, w, ".heapsnapshot")
	}
	return nil
}

// grownBetween makes a profile of what has grown between two snapshots.
func grownBetween(ctx context.Context, made *profiling.Profile, l *liveProfiler, looks [2][]byte, sampled json.RawMessage, u [2]usage, stood time.Duration, w profiling.Spec) error {
	var heaps [2]*v8.Snapshot
	for i, text := range looks {
		var err error
		if heaps[i], err = v8.ReadSnapshot(bytes.NewReader(text)); err != nil {
			return err
		}
	}
	b, before := profiling.NewBuilder(profiling.Memory), profiling.NewBuilder(profiling.Memory)
	asking, cancel := context.WithTimeout(ctx, profilerLimit) // a program that stands still need not answer
	defer cancel()
	if err := v8.AddHeap(b, &v8.Places{Said: l.maps(asking, sampled)}, sampled, "", isOurs); err != nil {
		return err
	}
	made.Holders = addSnapshots(b, before, heaps[0], heaps[1], "", made)
	made.Data, made.Before = b.Profile(), before.Profile()
	made.How = fmt.Sprintf("two heap snapshots of V8 in node %s, of the main thread, over the inspector, and its sampling heap profiler between them: which function allocated what is still there, by estimate (a sample each 16 KB), or the one that V8 has compiled it into; its line is where it begins", u[0].Version)
	made.Cost = fmt.Sprintf("the program stood still for %s at most, for the snapshots", profiling.Brief(int64(stood)))
	made.Notes = append(made.Notes, fmt.Sprintf("resident memory %s, at the beginning %s; outside of V8's heap %s, at the beginning %s", profiling.Size(u[1].RSS), profiling.Size(u[0].RSS), profiling.Size(u[1].External), profiling.Size(u[0].External)))
	if w.Save != "" {
		return keepText(made, looks[1], w, ".heapsnapshot")
	}
	return nil
}
