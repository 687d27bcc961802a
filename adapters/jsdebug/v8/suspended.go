package v8

import (
	"slices"
	"strings"
)

// Suspended is what goes on when a promise is settled: an async function that stands at an await, or
// a function that was given to then.
type Suspended struct {
	ID         uint32 // in the heap
	IsCallback bool
	Function   string   // its name; empty where it has none
	Script     string   // the path or address of its file
	After      []uint32 // async functions, by their ids, whose end settles the promise; none: that is not known
}

// What V8 calls what it keeps of promises.
const (
	reaction   = "system / PromiseReaction"
	capability = "system / PromiseCapability"
	deepest    = 12  // promises that are settled one after the other are followed
	mostAfter  = 5   // async functions are named that one waits for
	mostWays   = 200 // of promises are looked at for that
)

// promises are what waits for what in a heap. All are numbers of nodes.
type promises struct {
	*Snapshot
	made  map[int]int   // promises, and the async function whose end settles each
	waits map[int]int   // async functions, and the promise that each awaits
	then  map[int]int   // functions of the program's, and the promise that each was given to; -1: to several
	after map[int][]int // promises, and those that settle them when they are settled
}

// Suspended are those of a heap.
func (s *Snapshot) Suspended() []Suspended {
	p := promises{s, map[int]int{}, map[int]int{}, map[int]int{}, map[int][]int{}}
	for n := range s.nodeSize {
		if s.kind(n) == "object" && s.name(n) == "Generator" && s.edge(n, "function") >= 0 {
			if promise := s.targetNamed(n, "Promise"); promise >= 0 { // one that yields has none
				p.made[promise] = n
			}
		}
	}
	for n := range s.nodeSize {
		if s.kind(n) == "object" && s.name(n) == "Promise" {
			p.addReactions(n)
		}
	}
	var list []Suspended
	for generator, promise := range p.waits {
		list = append(list, p.suspended(generator, s.edge(generator, "function"), promise))
	}
	for function, promise := range p.then {
		one := p.suspended(function, function, promise)
		one.IsCallback = true
		list = append(list, one)
	}
	slices.SortFunc(list, func(a, b Suspended) int { return int(a.ID) - int(b.ID) })
	return list
}

// addReactions notes what goes on when a promise is settled: a chain of reactions.
func (p *promises) addReactions(promise int) {
	for r, n := p.edge(promise, "reactions_or_result"), 0; r >= 0 && p.name(r) == reaction && n < mostWays; n++ {
		next, handler := -1, -1
		for _, to := range p.targets(r) {
			switch {
			case p.name(to) == reaction:
				next = to
			case p.name(to) == "Promise":
				p.after[to] = append(p.after[to], promise)
			case p.name(to) == capability:
				p.addCapability(to, promise)
			case p.kind(to) == "closure":
				handler = to // the last is for a promise that is fulfilled; Promise.any has the others only
			}
		}
		if handler >= 0 {
			p.addHandler(handler, promise)
		}
		r = next
	}
}

// addHandler notes a function that is called then.
func (p *promises) addHandler(function, promise int) {
	if script := p.script(function); script != "" {
		if !strings.HasPrefix(script, "node:") {
			if before, known := p.then[function]; known && before != promise {
				promise = -1
			}
			p.then[function] = promise
		}
		return
	}
	context := p.edge(function, "context") // of one of V8's own it holds what that goes on with
	if context < 0 {
		return
	}
	for _, to := range p.targets(context) {
		switch {
		case p.name(to) == "Generator" && p.kind(to) == "object":
			p.waits[to] = promise
		case p.name(to) == capability:
			p.addCapability(to, promise)
		}
	}
}

// addCapability notes the promise of a capability as one that another settles.
func (p *promises) addCapability(n, promise int) {
	if to := p.targetNamed(n, "Promise"); to >= 0 {
		p.after[to] = append(p.after[to], promise)
	}
}

func (p *promises) suspended(n, function, promise int) Suspended {
	one := Suspended{ID: p.node(n, p.idAt), Function: p.name(function), Script: p.script(function)}
	if promise < 0 {
		return one
	}
	seen, level := map[int]bool{promise: true}, []int{promise}
	for range deepest {
		var next []int
		for _, at := range level {
			if by, known := p.made[at]; known && by != n {
				if id := p.node(by, p.idAt); len(one.After) < mostAfter && !slices.Contains(one.After, id) {
					one.After = append(one.After, id)
				}
				continue
			}
			for _, before := range p.after[at] {
				if !seen[before] && len(seen) < mostWays {
					seen[before] = true
					next = append(next, before)
				}
			}
		}
		level = next
	}
	slices.Sort(one.After)
	return one
}

// script is where a function was written; empty for V8's own.
func (s *Snapshot) script(function int) string {
	shared := s.edge(function, "shared")
	if shared < 0 {
		return ""
	}
	for _, name := range []string{"script", "script_or_debug_info"} {
		if at := s.edge(shared, name); at >= 0 && !strings.HasPrefix(s.name(at), "system /") {
			return s.name(at)
		}
	}
	return ""
}

func (s *Snapshot) name(n int) string { return s.text(s.node(n, s.nameAt)) }

// edge is what an edge with a name leads to, -1 where there is none.
func (s *Snapshot) edge(n int, name string) int {
	for e := int(s.first[n]); e < int(s.first[n+1]); e++ {
		at := e * s.edgeWidth
		kind := s.edgeTypes[s.edges[at+s.edgeTypeAt]]
		if kind != "element" && kind != "hidden" && s.text(s.edges[at+s.edgeNameAt]) == name {
			return int(s.edges[at+s.edgeToAt]) / s.width
		}
	}
	return -1
}

// targets is all that the edges of a node lead to which hold it.
func (s *Snapshot) targets(n int) []int {
	var list []int
	for e := int(s.first[n]); e < int(s.first[n+1]); e++ {
		if at := e * s.edgeWidth; s.edgeTypes[s.edges[at+s.edgeTypeAt]] != "weak" {
			list = append(list, int(s.edges[at+s.edgeToAt])/s.width)
		}
	}
	return list
}

// targetNamed is the first of these that is called so, by an edge without a name; -1 where there is none.
func (s *Snapshot) targetNamed(n int, name string) int {
	for e := int(s.first[n]); e < int(s.first[n+1]); e++ {
		at := e * s.edgeWidth
		to := int(s.edges[at+s.edgeToAt]) / s.width
		if kind := s.edgeTypes[s.edges[at+s.edgeTypeAt]]; (kind == "hidden" || kind == "element") && s.name(to) == name {
			return to
		}
	}
	return -1
}
