package pprof

import (
	"context"
	"fmt"
	"math"
	"net/url"
	"strconv"
	"time"

	"github.com/google/pprof/profile"

	"aidb-mcp/adapters"
	"aidb-mcp/adapters/delve/gosrc"
	"aidb-mcp/adapters/delve/traceback"
	"aidb-mcp/internal/profiling"
)

func isLibrary(f *profile.Function) bool { return gosrc.Library(f.Name, f.Filename) }

// Take profiles the program.
func (p *Program) Take(ctx context.Context, of adapters.Profiled, w profiling.Spec) (*profiling.Profile, error) {
	began := time.Now()
	take := map[profiling.What]func(context.Context, adapters.Profiled, time.Duration) (*profiling.Profile, error){
		profiling.Memory: p.takeMemory, profiling.Waits: p.takeWaits,
	}[w.What]
	if take == nil {
		take = p.takeCPU
	}
	made, err := take(ctx, of, w.For)
	if err != nil {
		return nil, err
	}
	made.Lasted, made.Library = time.Since(began), isLibrary
	return made, nil
}

// takeCPU has the program sample itself.
func (p *Program) takeCPU(ctx context.Context, _ adapters.Profiled, some time.Duration) (*profiling.Profile, error) {
	ctx, cancel := context.WithTimeout(ctx, some+patience)
	defer cancel()
	seconds := strconv.Itoa(int(math.Ceil(some.Seconds())))
	data, err := p.profile(ctx, "profile", url.Values{"seconds": {seconds}})
	if err != nil {
		return nil, err
	}
	made := &profiling.Profile{
		Data: data,
		How:  "by the program's own runtime, which samples itself 100 times a second of processor time (runtime/pprof), asked at " + p.String(),
		Cost: "the samples, less than 1 % of the processor time that the program takes",
	}
	if len(data.Sample) == 0 {
		made.Notes = []string{"there is no sample: the program has used hardly any processor time meanwhile"}
	}
	return made, nil
}

// takeMemory asks what is held, at one moment or at two.
func (p *Program) takeMemory(ctx context.Context, of adapters.Profiled, some time.Duration) (*profiling.Profile, error) {
	look := func() (*profile.Profile, error) {
		ctx, cancel := context.WithTimeout(ctx, patience)
		defer cancel()
		return p.profile(ctx, "heap", url.Values{"gc": {"1"}})
	}
	made := &profiling.Profile{
		How: "the profile that the program's runtime keeps of a part of what it allocates (runtime.MemProfile), from which counts and bytes are estimated, asked at " + p.String() +
			"; by the line that allocated, for it knows neither types nor what holds them",
		Cost: "a collection of garbage before each look; the runtime samples in any case",
	}
	var err error
	if some > 0 {
		if made.Before, err = look(); err != nil {
			return nil, err
		}
		if _, err = of.Wait(ctx, some); err != nil {
			return nil, err
		}
	}
	made.Data, err = look()
	return made, err
}

// takeWaits looks where goroutines stand, again and again.
func (p *Program) takeWaits(ctx context.Context, of adapters.Profiled, some time.Duration) (*profiling.Profile, error) {
	b, looks, most, took := profiling.NewBuilder(profiling.Waits), 0, 0, time.Duration(0)
	left := 0
	for end := time.Now().Add(some); looks == 0 || time.Now().Before(end); looks++ {
		if looks > 0 {
			// Each look stops the program: it is left alone for longer than one takes.
			if _, err := of.Wait(ctx, min(time.Until(end), max(time.Second, 10*took))); err != nil {
				return nil, err
			}
		}
		began := time.Now()
		all, more, err := p.goroutines(ctx)
		if err != nil {
			return nil, err
		}
		took, most, left = max(took, time.Since(began)), max(most, len(all)), max(left, more)
		for _, g := range all {
			b.Add(frames(g), map[string]string{profiling.WaitsLabel: waitsFor(g)}, 1)
		}
	}
	made := &profiling.Profile{
		Data: b.Profile(),
		How:  fmt.Sprintf("%d looks at each of up to %d goroutines, which the program's runtime wrote down, asked at %s", looks, most, p),
		Cost: fmt.Sprintf("each look stops the program while its goroutines are written down; until that had come here it took up to %s", took.Round(time.Millisecond)),
	}
	if left > 0 {
		made.Notes = append(made.Notes, fmt.Sprintf("up to %d goroutines were not looked at: only the first %d are", left, mostGoroutines))
	}
	return made, nil
}

func frames(g traceback.Goroutine) []profiling.Frame {
	list := make([]profiling.Frame, len(g.Frames))
	for i, f := range g.Frames {
		list[i] = profiling.Frame{Function: f.Function, File: f.File, Line: f.Line}
	}
	return list
}

// waitsFor is the label of what a goroutine waits for; of one that runs, what says more.
func waitsFor(g traceback.Goroutine) string {
	switch g.State {
	case "running":
		return "runs: a profile of cpu tells where"
	case "runnable":
		return "a processor (runnable)"
	case "syscall":
		return "a system call"
	}
	return g.State
}
