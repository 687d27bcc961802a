// Package ways finds by which ways a program comes to a line, in the code of a function. It is
// pure, and knows no debugger and no machine: who asks says which instruction may follow on which.
package ways

import (
	"maps"
	"slices"
)

// Flow says of each instruction of a function which ones may come next, by their numbers.
type Flow [][]int

// Others are those of a line's instructions by which one may come to it for the first time without
// the one at which it was found to begin. A statement of the line begins where isStart says so, and
// isOn says that an instruction is of the line.
func (flow Flow) Others(first int, isStart, isOn func(int) bool) []int {
	entries := map[int]bool{}
	flow.walk(0, func(to int) bool {
		begins := to != first && isStart(to)
		if begins {
			entries[to] = true
		}
		return to != first && !begins
	})
	onward := flow.withoutLoops()
	chosen := []int{first}
	for _, entry := range slices.Sorted(maps.Keys(entries)) {
		// One pass of the line is not to be met at two.
		if !flow.leads(entry, first, isOn) && !slices.ContainsFunc(chosen, func(c int) bool {
			return onward.leads(c, entry, nil) || onward.leads(entry, c, nil)
		}) {
			chosen = append(chosen, entry)
		}
	}
	return chosen[1:]
}

// leads says that the flow of code leads from one instruction to another, by such ones alone.
func (flow Flow) leads(from, to int, by func(int) bool) bool {
	found := false
	flow.walk(from, func(next int) bool {
		found = found || next == to
		return !found && (by == nil || by(next))
	})
	return found
}

// withoutLoops is a flow without what leads back to where it came from.
func (flow Flow) withoutLoops() Flow {
	onward := make(Flow, len(flow))
	seen, isUnderWay := make([]bool, len(flow)), make([]bool, len(flow))
	type step struct{ at, next int }
	seen[0], isUnderWay[0] = true, true
	for path := []step{{}}; len(path) > 0; {
		last := &path[len(path)-1]
		if last.next == len(flow[last.at]) {
			isUnderWay[last.at] = false
			path = path[:len(path)-1]
			continue
		}
		next := flow[last.at][last.next]
		last.next++
		if isUnderWay[next] {
			continue
		}
		onward[last.at] = append(onward[last.at], next)
		if !seen[next] {
			seen[next], isUnderWay[next] = true, true
			path = append(path, step{at: next})
		}
	}
	return onward
}

// walk follows the flow of code from an instruction, where it is told to.
func (flow Flow) walk(from int, follow func(to int) bool) {
	seen := make([]bool, len(flow))
	seen[from] = true
	for open := []int{from}; len(open) > 0; {
		i := open[len(open)-1]
		open = open[:len(open)-1]
		for _, next := range flow[i] {
			if !seen[next] && follow(next) {
				seen[next] = true
				open = append(open, next)
			}
		}
	}
}
