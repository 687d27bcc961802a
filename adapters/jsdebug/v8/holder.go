package v8

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"aidb-mcp/internal/profiling"
)

// lookedAt is to how many objects of a type ways are sought: each stands for as many bytes of
// it as the others.
const lookedAt = 3

// Holders are the ways from a root to things of a type that are newer than an id, those first
// that most are held by, and how many each was found for.
func (s *Snapshot) Holders(of string, newer uint32) (list []profiling.Holder, alike []int) {
	var found []int
	var total int64
	for n := range s.nodeSize {
		if s.node(n, s.idAt) > newer && s.node(n, s.sizeAt) > 0 && s.typeOf(n) == of {
			found = append(found, n)
			total += int64(s.node(n, s.sizeAt))
		}
	}
	if len(found) == 0 {
		return nil, nil
	}
	var chosen []int
	var sum int64
	for _, n := range found {
		sum += int64(s.node(n, s.sizeAt))
		for len(chosen) < lookedAt && sum*2*lookedAt >= total*int64(2*len(chosen)+1) {
			chosen = append(chosen, n)
		}
	}
	parents := s.shortest()
	counts := map[string]int{}
	for _, n := range slices.Compact(chosen) {
		way := s.way(parents, n)
		if len(way) == 0 {
			continue
		}
		pattern := patternOf(way)
		if counts[pattern]++; counts[pattern] == 1 {
			list = append(list, profiling.Holder{Type: of, Way: way})
		}
	}
	slices.SortStableFunc(list, func(a, b profiling.Holder) int {
		return cmp.Compare(counts[patternOf(b.Way)], counts[patternOf(a.Way)])
	})
	for _, h := range list {
		alike = append(alike, counts[patternOf(h.Way)])
	}
	return list, alike
}

// patternOf is what ways have in common that lead through other elements of the same things.
func patternOf(way []string) string {
	var b strings.Builder
	for _, step := range way {
		name, _, _ := strings.Cut(step, "  ")
		if strings.HasPrefix(name, "[") {
			name = "["
		}
		b.WriteString(name + "\n")
	}
	return b.String()
}

// parent is the edge by which a node is reached on the shortest way; none: -1.
type parent struct{ node, edge int32 }

// What steps of a way cost: those that a program's text shows are preferred to V8's own.
var stepCost = map[string]int{"context": 1, "element": 1, "property": 1, "internal": 2, "shortcut": 1, "hidden": 6}

const farthest = 256 // a way's cost

// shortest finds the shortest way to each node from the root. Weak references hold nothing.
func (s *Snapshot) shortest() []parent {
	parents, costs := make([]parent, s.nodeSize), make([]uint16, s.nodeSize)
	for i := range parents {
		parents[i], costs[i] = parent{-1, -1}, math.MaxUint16
	}
	costs[0] = 0
	queues := make([][]int32, farthest+32)
	queues[0] = []int32{0}
	for cost := range farthest {
		for _, at := range queues[cost] { // a step costs something: nothing is put into this one
			n := int(at)
			if int(costs[n]) != cost {
				continue
			}
			for e := s.first[n]; e < s.first[n+1]; e++ {
				kind := s.edgeTypes[s.edges[int(e)*s.edgeWidth+s.edgeTypeAt]]
				step, strong := stepCost[kind]
				if !strong {
					continue
				}
				to := int(s.edges[int(e)*s.edgeWidth+s.edgeToAt]) / s.width
				if s.kind(to) == "synthetic" {
					step += 8 // V8's own roots
				}
				if next := cost + step; next < int(costs[to]) {
					costs[to], parents[to] = uint16(next), parent{int32(n), int32(e)}
					queues[next] = append(queues[next], int32(to))
				}
			}
		}
		queues[cost] = nil
	}
	return parents
}

// way is how a node is held, from the root on, a step each.
func (s *Snapshot) way(parents []parent, n int) []string {
	if parents[n].node < 0 {
		return nil
	}
	var steps []string
	for at := n; parents[at].node >= 0; at = int(parents[at].node) {
		steps = append(steps, s.step(parents[at], at))
	}
	slices.Reverse(steps)
	return slices.DeleteFunc(steps, func(step string) bool { return step == "" })
}

// step names an edge and what it leads to; empty where only V8 knows of it.
func (s *Snapshot) step(by parent, to int) string {
	at := int(by.edge) * s.edgeWidth
	kind, name := s.edgeTypes[s.edges[at+s.edgeTypeAt]], s.edges[at+s.edgeNameAt]
	what := s.shown(to)
	if by.node == 0 && strings.HasPrefix(what, "global") {
		return "the global object"
	}
	switch s.kind(to) {
	case "synthetic":
		return s.text(s.node(to, s.nameAt))
	case "hidden", "code", "array", "object shape":
		return ""
	case "object":
		if what == "system / Context" {
			return "" // the next step is one of its variables
		}
	}
	switch kind {
	case "context":
		return fmt.Sprintf("variable %s  (%s)", s.text(name), what)
	case "element":
		return fmt.Sprintf("[%d]  (%s)", name, what)
	case "property", "shortcut":
		return fmt.Sprintf(".%s  (%s)", s.text(name), what)
	}
	switch {
	case kind == "internal" && !isNumber(s.text(name)):
		return fmt.Sprintf("%s  (%s)", s.text(name), what)
	}
	return fmt.Sprintf("[entry]  (%s)", what)
}

func isNumber(text string) bool {
	return text != "" && strings.Trim(text, "0123456789") == "" || strings.Contains(text, "part of key")
}

// shown is a node in the words of a reply.
func (s *Snapshot) shown(n int) string {
	const longest = 40
	name := s.text(s.node(n, s.nameAt))
	switch s.kind(n) {
	case "string":
		if r := []rune(name); len(r) > longest {
			name = string(r[:longest]) + "…"
		}
		return fmt.Sprintf("string %q", name)
	case "closure":
		return "function " + cmp.Or(name, "(anonymous)")
	case "object", "native":
		return name
	}
	return s.typeOf(n)
}
