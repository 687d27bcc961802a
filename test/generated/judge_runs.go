package generated

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// judgeLimited holds rows of which some are left out against all of them.
func (q *question) judgeLimited(a *answer) string {
	if a.Hits != len(q.Rows) {
		return fmt.Sprintf("%d hits, true is %d", a.Hits, len(q.Rows))
	}
	got := a.rows(false)
	if len(got)+a.Dropped != a.Hits {
		return fmt.Sprintf("%d rows and %d left out of %d", len(got), a.Dropped, a.Hits)
	}
	if a.Dropped > 0 && (a.Gap < 1 || a.Gap > len(a.Rows)) {
		return fmt.Sprintf("it does not say where %d rows are missing", a.Dropped)
	}
	shown := *a
	shown.Rows = a.Rows[:a.Gap]
	head := len(shown.rows(false))
	for i, r := range got {
		want := i
		if i >= head {
			want += a.Dropped
		}
		if !q.fits(a, r, q.Rows[want]) {
			return fmt.Sprintf("row %d is %v, true is %v", i+1, r, q.Rows[want])
		}
	}
	return ""
}

// moved says that the answer is about another line, for the one that was asked about has no code.
func (a *answer) moved() bool {
	return slices.ContainsFunc(a.Warnings, func(w string) bool { return strings.Contains(w, "has no code") })
}

// judgeNever wants no pass of a line, unless the server says that the line is another one.
func (q *question) judgeNever(a *answer) string {
	if !a.moved() && (a.Hits != 0 || len(a.Rows) != 0) {
		return fmt.Sprintf("%d hits of what no run comes to", a.Hits)
	}
	return ""
}

// judgeLines wants as many rows of each line as it was passed in the call, and what it has changed.
func (q *question) judgeLines(a *answer) string {
	if a.Dropped > 0 {
		return ""
	}
	seen := map[int]int{}
	changes := map[int][]string{}
	for _, r := range a.rows(false) {
		at := line(r[a.column("at")])
		seen[at]++
		if c := a.column("changed"); c >= 0 && r[c] != "" {
			changes[at] = append(changes[at], r[c])
		}
	}
	for at, n := range q.Passes {
		if seen[at] != n && (seen[at] != 0 || !q.Folded[at]) {
			return fmt.Sprintf("line %d has %d rows, true are %d passes", at, seen[at], n)
		}
	}
	for at, list := range changes {
		if fault := q.untrue(at, list); fault != "" {
			return fault
		}
	}
	for _, want := range q.Rows {
		if want.May || seen[want.Line] == 0 && q.Folded[want.Line] {
			continue
		}
		told := regexp.MustCompile(`(?:^|\W)` + want.Cells[0] + `=` + regexp.QuoteMeta(want.Cells[1]) + `(?:\D|$)`)
		if !slices.ContainsFunc(changes[want.Line], told.MatchString) {
			return fmt.Sprintf("line %d has changed %v, true is %v", want.Line, changes[want.Line], want.Cells)
		}
	}
	return ""
}

// untrue is a number that a line is said to have changed, which it has not.
func (q *question) untrue(at int, list []string) string {
	if _, own := q.Passes[at]; !own || q.Folded[at] {
		return ""
	}
	for _, m := range changed.FindAllStringSubmatch(strings.Join(list, ", "), -1) {
		written := false
		for _, want := range q.Rows {
			written = written || want.Line == at && want.Cells[0] == m[1] && want.Cells[1] == m[2]
		}
		if !written && slices.Contains(q.Columns, m[1]) {
			return fmt.Sprintf("line %d has changed %s to %s, true is none of that", at, m[1], m[2])
		}
	}
	return ""
}

var changed = regexp.MustCompile(`(?:^|, )(\w+)=(-?\d+)(?:$|, )`)

// judgeStop holds the variables at a stop against those of that pass.
func (q *question) judgeStop(a *answer) string {
	if at := line(a.Location); at != q.Rows[0].Line && !q.Folded[q.Rows[0].Line] {
		return fmt.Sprintf("it stands at %s, true is %d", a.Location, q.Rows[0].Line)
	}
	stack := callsOf(a.Stack)
	for i, f := range q.Stack {
		if line(a.Location) != q.Rows[0].Line || i >= len(stack) {
			break
		}
		if at := line(stack[i]); i > 0 && (at < f.At.Line || at > f.At.End) {
			return fmt.Sprintf("the stack is %v, of which %d is not in %d to %d", a.Stack, i, f.At.Line, f.At.End)
		}
	}
	for _, want := range q.Rows {
		if line(a.Location) != want.Line {
			break
		}
		if v, has := a.Locals[want.Cells[0]]; has && plainly(v.Value) != want.Cells[1] {
			return fmt.Sprintf("%s is %s, true is %s", want.Cells[0], v.Value, want.Cells[1])
		}
	}
	return ""
}

// callsOf are the frames of calls of the program's functions: Ruby has frames of blocks too, and of what
// it calls them from.
func callsOf(stack []string) (calls []string) {
	within := ""
	for _, frame := range stack {
		function, isBlock := strings.CutPrefix(frame, "block in ")
		name, _, _ := strings.Cut(function[strings.LastIndexByte(function[:strings.IndexByte(function+" ", ' ')], '#')+1:], " ")
		switch {
		case strings.HasPrefix(frame, "[C] "):
		case within != name:
			calls = append(calls, frame)
			if within = ""; isBlock {
				within = name
			}
		case !isBlock:
			within = ""
		}
	}
	return calls
}

// judgeDiagnosis holds place, sides, culprit and calls against the failed run.
func (q *question) judgeDiagnosis(a *answer) string {
	if at := line(a.Location); a.Location != "" && (at < q.Failed.Line || at > q.Failed.End) {
		return fmt.Sprintf("the place is %s, true is %d", a.Location, q.Failed.Line)
	}
	for i, told := range [][2]string{{a.Left, a.Actual}, {a.Right, a.Expected}} {
		for _, side := range told {
			if side != "" && plainly(side) != q.Sides[i] {
				return fmt.Sprintf("the sides are %q, %q, %q, %q, true is %v", a.Left, a.Right, a.Expected, a.Actual, q.Sides)
			}
		}
	}
	if a.Culprit != nil && a.Culprit.Value != "" && plainly(a.Culprit.Value) != q.Sides[0] {
		return fmt.Sprintf("%s is blamed, which is %s, true is %v", a.Culprit.Expression, a.Culprit.Value, q.Sides)
	}
	if a.Calls == nil {
		return ""
	}
	calls, next := &answer{Columns: a.Calls.Columns, Rows: a.Calls.Rows}, 0
	for _, r := range calls.rows(false) {
		of := strings.TrimPrefix(r[calls.column("call")], "…")
		from := next
		for next < len(q.Rows) && !q.isCall(calls, r, of, next) {
			next++
		}
		if next == len(q.Rows) {
			if next = from; q.compared(of) {
				return fmt.Sprintf("no call was %v", r)
			}
			continue
		}
		next++
	}
	return ""
}

// compared says that calls of a function are held against the true ones.
func (q *question) compared(call string) bool {
	head, _, _ := strings.Cut(call, "(")
	for _, f := range q.Funcs {
		if f.Of == nil && !f.Closure && (head == f.Name || strings.HasSuffix(head, "."+f.Name) || strings.HasSuffix(head, "::"+f.Name)) {
			return !strings.Contains(call, "…") && f.Name != "main"
		}
	}
	return false
}

func (q *question) isCall(a *answer, r []string, call string, i int) bool {
	head, _, _ := strings.Cut(call, "(")
	f := q.Funcs[i]
	if head[strings.LastIndexAny(head, ".:#")+1:] != f.Name {
		return false
	}
	of := &question{Kind: "calls", Func: f}
	return of.fitsCall(a, r, q.Rows[i])
}
