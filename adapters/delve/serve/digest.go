//go:build ((linux || darwin) && (amd64 || arm64)) || (windows && amd64)

package serve

import (
	"fmt"
	"strings"

	"github.com/go-delve/delve/pkg/goversion"
	"github.com/go-delve/delve/pkg/proc"
	"github.com/go-delve/delve/service/api"

	"aidb-mcp/adapters/delve/gosrc"
	"aidb-mcp/adapters/delve/wire"
)

const (
	maxGoroutines = 10_000
	defaultDepth  = 20
	// hiddenFrames is how many frames of the runtime and the standard library
	// may stand above the user's: they are read and then left out.
	hiddenFrames = 16
)

// digest lists all goroutines with their stacks and what they wait for.
func digest(t *target, args wire.DigestArgs) (wire.DigestBody, error) {
	if args.Depth <= 0 {
		args.Depth = defaultDepth
	}
	all, _, err := proc.GoroutinesInfo(t.Target, 0, maxGoroutines)
	if err != nil {
		return wire.DigestBody{}, fmt.Errorf("reading the goroutines: %w", err)
	}
	d := digester{
		target:  t,
		depth:   args.Depth,
		version: goversion.ParseProducer(t.BinInfo().Producer()),
		now:     monotonic(),
		objects: map[uint64]string{},
	}
	d.timeless = d.hasNoTimers()
	body := wire.DigestBody{Goroutines: make([]wire.Goroutine, 0, len(all)), Scheduled: d.scheduleCount()}
	for _, g := range all {
		if g.Unreadable == nil && g.Status != deadExtra {
			body.Goroutines = append(body.Goroutines, d.goroutine(g))
		}
	}
	return body, nil
}

// deadExtra is the state, since Go 1.26, of a goroutine that is kept for calls from C and
// is none while there is no call (runtime._Gdeadextra).
const deadExtra = 11

type digester struct {
	*target
	depth   int
	version goversion.GoVersion
	now     int64             // on the runtime's clock, 0 when that clock is not ours
	objects map[uint64]string // described already, by address

	timeless bool // no timer is set, as far as is known for sure
}

func (d *digester) goroutine(g *proc.G) wire.Goroutine {
	row := wire.Goroutine{
		ID:      g.ID,
		Waiting: d.waitReason(g),
		Labels:  g.Labels(),
		System:  g.System(d.Target),
		Started: d.startPlace(g),
	}
	if g.Thread != nil {
		row.Thread = g.Thread.ThreadID()
	}
	// The garbage collector stamps a goroutine that it finds waiting with the
	// time of its last cycle: roughly right, and absent before the second cycle.
	if row.Waiting != "" && g.WaitSince > 0 && d.now > g.WaitSince {
		row.SinceNS = d.now - g.WaitSince
	}
	frames, err := proc.GoroutineStacktrace(d.Target, g, d.depth+hiddenFrames, 0)
	if err != nil {
		return row // a stack that cannot be read is no reason to hide the goroutine
	}
	if row.Waiting != "" {
		row.Object = d.object(g, frames)
		row.Endless = d.endless(row.Waiting)
	}
	for i := range frames {
		row.Frames = append(row.Frames, d.frameOf(&frames[i].Call))
	}
	row.Frames = userView(row.Frames, d.depth)
	return row
}

// waitReason is the runtime's own word for what a parked goroutine waits for.
func (d *digester) waitReason(g *proc.G) string {
	switch g.Status {
	case proc.Gsyscall:
		return "syscall"
	case proc.Gwaiting:
		if g.WaitReason <= 0 {
			return "waiting"
		}
		return strings.TrimSuffix(api.WaitReasonString(&d.version, g.WaitReason), " (durable)")
	}
	return ""
}

func (d *digester) startPlace(g *proc.G) string {
	if g.GoPC == 0 {
		return ""
	}
	loc := g.Go()
	if loc.Fn == nil || loc.File == "" {
		return ""
	}
	return fmt.Sprintf("%s:%d", d.paths.client(loc.File), loc.Line)
}

// userView drops the library frames above the first frame of the user, if
// there is one, and the runtime's at the bottom.
func userView(frames []wire.Frame, depth int) []wire.Frame {
	for i, f := range frames {
		if !gosrc.Library(f.Function, f.File) {
			frames = frames[i:]
			break
		}
	}
	for n := len(frames); n > 1 && gosrc.Runtime(frames[n-1].Function); n-- {
		frames = frames[:n-1]
	}
	return frames[:min(depth, len(frames))]
}
