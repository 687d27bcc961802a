package inspect

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	godap "github.com/google/go-dap"

	"aidb-mcp/adapters"
)

// sampleIDs is how many threads of a group are named.
const sampleIDs = 8

// Group folds threads that look the same into one: the current one's group
// comes first, then the largest. Filter keeps those with the text in their name,
// labels, cause of waiting or stack; "system" shows the runtime's own, which are
// hidden otherwise. Groups have at most depth frames.
func (r Reader) Group(current int, states []adapters.ThreadState, filter string, depth int) Threads {
	out := Threads{Total: len(states)}
	at := map[string]int{}
	for _, t := range states {
		if t.System && filter != "system" {
			out.System++
			continue
		}
		if filter == "system" && !t.System || filter != "system" && !matches(t, filter) {
			continue
		}
		key := groupKey(t)
		i, known := at[key]
		if !known {
			i = len(out.Groups)
			at[key] = i
			out.Groups = append(out.Groups, r.newGroup(t, depth))
		}
		g := &out.Groups[i]
		g.Count++
		if g.Object != t.Object {
			g.Object = "" // each waits on its own
		}
		if g.Tasks != t.Tasks {
			g.Tasks = "" // each has its own
		}
		g.Since = max(g.Since, t.Since)
		g.Endless = g.Endless && t.Endless
		switch {
		case t.ID == current:
			g.Current = true
			g.IDs = slices.Insert(g.IDs, 0, t.ID)
		case len(g.IDs) < sampleIDs:
			g.IDs = append(g.IDs, t.ID)
		}
	}
	for i := range out.Groups {
		g := &out.Groups[i]
		g.IDs = g.IDs[:min(len(g.IDs), sampleIDs)]
	}
	slices.SortStableFunc(out.Groups, func(a, b ThreadGroup) int {
		return cmp.Or(cmp.Compare(boolRank(a.Current), boolRank(b.Current)), cmp.Compare(b.Count, a.Count))
	})
	return out
}

func boolRank(first bool) int {
	if first {
		return 0
	}
	return 1
}

func (r Reader) newGroup(t adapters.ThreadState, depth int) ThreadGroup {
	g := ThreadGroup{Name: t.Name, Waiting: t.Waiting, Since: t.Since, Object: t.Object, Tasks: t.Tasks, Endless: t.Endless, Labels: t.Labels}
	for i, f := range t.Frames[:min(depth, len(t.Frames))] {
		g.Frames = append(g.Frames, r.Frame(i, f))
	}
	return g
}

// groupKey is what threads of one group have in common. Who holds what they wait on
// tells them apart: a deadlock is seen by it.
func groupKey(t adapters.ThreadState) string {
	var b strings.Builder
	if t.Held {
		b.WriteString(t.Object + "|")
	}
	fmt.Fprintf(&b, "%s|%v|", t.Waiting, t.Labels)
	for _, f := range t.Frames {
		fmt.Fprintf(&b, "%s:%d|", f.Name, f.Line)
	}
	return b.String()
}

func matches(t adapters.ThreadState, filter string) bool {
	if filter == "" {
		return true
	}
	want := strings.ToLower(filter)
	has := func(text string) bool { return strings.Contains(strings.ToLower(text), want) }
	if has(t.Name) || has(t.Waiting) || has(t.Object) || has(t.Tasks) || has(fmt.Sprint(t.ID)) {
		return true
	}
	for k, v := range t.Labels {
		if has(k + ":" + v) {
			return true
		}
	}
	return slices.ContainsFunc(t.Frames, func(f godap.StackFrame) bool { return has(f.Name) })
}
