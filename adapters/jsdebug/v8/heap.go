package v8

import (
	"encoding/json"
	"fmt"

	"aidb-mcp/internal/profiling"
)

// heapNode is a function in a profile of V8's sampling heap profiler.
type heapNode struct {
	CallFrame callFrame  `json:"callFrame"`
	SelfSize  float64    `json:"selfSize"`
	Children  []heapNode `json:"children"`
}

// deepestHeap bounds how deep a stack of allocations may be.
const deepestHeap = 2000

// AddHeap adds the functions that have allocated what is still there, by a profile of V8's
// sampling heap profiler, whose bytes are estimated. How many objects they are it does not tell.
// Ours says of a script's address that it is the profiler's own.
func AddHeap(b *profiling.Builder, places *Places, text []byte, thread string, ours func(url string) bool) error {
	var p struct {
		Head heapNode `json:"head"`
	}
	if err := json.Unmarshal(text, &p); err != nil {
		return fmt.Errorf("reading a heap profile of V8: %w", err)
	}
	labels := map[string]string{profiling.ThreadLabel: thread}
	var walk func(n *heapNode, callers []profiling.Frame)
	walk = func(n *heapNode, callers []profiling.Frame) {
		if ours(n.CallFrame.URL) {
			return
		}
		stack := callers
		if n.CallFrame.FunctionName != root && len(callers) < deepestHeap {
			stack = append([]profiling.Frame{frameOf(places, n.CallFrame)}, callers...)
		}
		if n.SelfSize > 0 {
			b.Add(stack, labels, 0, int64(n.SelfSize))
		}
		for i := range n.Children {
			walk(&n.Children[i], stack)
		}
	}
	walk(&p.Head, nil)
	return nil
}
