//go:build ((linux || darwin) && (amd64 || arm64)) || (windows && amd64)

package serve

import (
	"cmp"
	"slices"

	"aidb-mcp/adapters/delve/wire"
)

// reach is how far from the wished line a breakpoint is looked for.
const reach = 50

// lines finds the lines nearest to the wished one that hold code, nearest first.
func lines(t *target, args wire.LinesArgs) (wire.LinesBody, error) {
	candidates := make([]int, 0, 2*reach+1)
	for line := max(1, args.Line-reach); line <= args.Line+reach; line++ {
		candidates = append(candidates, line)
	}
	var found []int
	for line, pcs := range t.BinInfo().AllPCsForFileLines(t.paths.program(args.File), candidates) {
		if len(pcs) > 0 {
			found = append(found, line)
		}
	}
	distance := func(line int) int { return max(line-args.Line, args.Line-line) }
	slices.SortFunc(found, func(a, b int) int {
		return cmp.Or(cmp.Compare(distance(a), distance(b)), cmp.Compare(b, a)) // below rather than above
	})
	return wire.LinesBody{Lines: found[:min(len(found), max(args.Count, 1))]}, nil
}
