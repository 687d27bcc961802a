package fold

import (
	"cmp"
	"slices"
)

// node is a function on a way from the outermost frame in; a function that calls itself is
// one node.
type node struct {
	frame       Frame
	self, total int64
	lines       map[int]int64 // of the function, on this way
	below       []*node
}

// enter is the node of a frame that is called from this one, with a value more.
func (n *node) enter(frame Frame, v int64) *node {
	line := frame.Line
	frame.Line = 0
	next := n
	if n.frame != frame {
		at := slices.IndexFunc(n.below, func(b *node) bool { return b.frame == frame })
		if at < 0 {
			n.below = append(n.below, &node{frame: frame, lines: map[int]int64{}})
			at = len(n.below) - 1
		}
		next = n.below[at]
		next.total += v
	}
	next.lines[line] += v
	return next
}

// leastOfAll of what was measured is worth to be followed further, in parts of all.
const leastOfAll = 20

// longestWay is how many functions a way has at most.
const longestWay = 30

// way goes down where most is spent, until nothing below is worth it.
func (f *folding) way(sum int64) []Row {
	var list []Row
	for n := f.root; len(list) < longestWay; {
		if len(n.below) == 0 {
			break
		}
		next := slices.MaxFunc(n.below, func(a, b *node) int {
			return cmp.Or(cmp.Compare(a.total, b.total), cmp.Compare(b.frame.Function, a.frame.Function))
		})
		if next.total*leastOfAll < sum {
			break
		}
		r := Row{Frame: next.frame, Self: next.self, Total: next.total}
		var most int64
		for line, v := range next.lines {
			if v > most || v == most && line < r.Line {
				most, r.Line = v, line
			}
		}
		list = append(list, r)
		n = next
	}
	return list
}
