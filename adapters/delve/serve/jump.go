//go:build ((linux || darwin) && (amd64 || arm64)) || (windows && amd64)

package serve

import (
	"errors"
	"fmt"

	"github.com/go-delve/delve/pkg/proc"

	"aidb-mcp/adapters/delve/wire"
)

type emptyBody struct{}

// jump makes a line of the current function the next to be executed.
func jump(t *target, args wire.JumpArgs) (emptyBody, error) {
	g, err := t.goroutine(args.Goroutine)
	if err != nil {
		return emptyBody{}, err
	}
	if g.Thread == nil {
		return emptyBody{}, fmt.Errorf("goroutine %d is parked and cannot be moved: only one that was running can", g.ID)
	}
	if err := t.SwitchGoroutine(g); err != nil {
		return emptyBody{}, err
	}
	pc, err := t.destination(g, args)
	if err != nil {
		return emptyBody{}, err
	}
	if err := t.SetNextExecutionPoint(pc); err != nil {
		return emptyBody{}, err
	}
	t.ClearCaches() // the stacks that were read before are wrong now
	return emptyBody{}, t.SwitchThread(g.Thread.ThreadID())
}

// destination is the first instruction of the line within the function that
// the goroutine stands in.
func (t *target) destination(g *proc.G, args wire.JumpArgs) (uint64, error) {
	regs, err := g.Thread.Registers()
	if err != nil {
		return 0, err
	}
	bin := t.BinInfo()
	fn := bin.PCToFunc(regs.PC())
	if fn == nil {
		return 0, errors.New("the goroutine stands outside of any known function")
	}
	file := t.paths.program(args.File)
	var best uint64
	elsewhere := ""
	for _, pc := range bin.AllPCsForFileLines(file, []int{args.Line})[args.Line] {
		switch {
		case pc < fn.Entry || pc >= fn.End:
			if other := bin.PCToFunc(pc); other != nil {
				elsewhere = other.Name
			}
		case best == 0 || pc < best:
			best = pc
		}
	}
	switch {
	case best != 0:
		return best, nil
	case elsewhere != "":
		return 0, fmt.Errorf("line %d is in %s, and the goroutine stands in %s: a jump must stay within one function",
			args.Line, elsewhere, fn.Name)
	default:
		return 0, fmt.Errorf("line %d holds no code of %s", args.Line, fn.Name)
	}
}
