package diagnose

import (
	"cmp"
	"fmt"
	"slices"

	"aidb-mcp/adapters"
	"aidb-mcp/investigate/diagnose/judge"
	"aidb-mcp/session"
)

// Leftover is what a program that ended well had left running, each as its language tells of
// it.
type Leftover struct {
	Things []adapters.LeftThing
	// Looked: it was looked at; no things are then nothing that is left.
	Looked bool
}

// askLeftover has the program note what it leaves running.
func (x *examination) askLeftover() {
	if !x.question.Leftover && !x.question.Strict || !Starts(x.question.Request) {
		return
	}
	x.request.Program.Left = adapters.LeftOfTests
	if x.question.Strict {
		x.request.Program.Left = adapters.LeftOfAny
	}
}

// isOverBefore says that the program had come to its end with code 0 before what was left of
// it has failed, in the time that it was given to end: without us it would have been gone.
func (x *examination) isOverBefore(st session.State) bool {
	failed := st.Status == session.StoppedException || st.Status == session.Terminated && (st.Signal != "" || st.ExitCode != nil && *st.ExitCode != 0)
	if !failed || x.request.Program.Left == adapters.LeftUnasked {
		return false
	}
	left, known := x.s.Left()
	return known && left.ExitCode != nil && *left.ExitCode == 0
}

// judgeAfterEnd judges such a program: it has ended well, and has left what then failed.
func (x *examination) judgeAfterEnd() {
	st, r, code := x.v.State, x.r, 0
	r.Verdict, r.ExitCode = judge.OK, &code
	said := "signal " + st.Signal
	if st.Status == session.StoppedException {
		said = exceptionText(x.v.Exception)
	} else if st.Signal == "" {
		said = fmt.Sprintf("exit code %d", *st.ExitCode)
	}
	left, _ := x.s.Left()
	thing := adapters.LeftThing{Kind: cmp.Or(left.Unit, "thread"), Count: 1}
	if f := x.v.Frame; f != nil {
		thing.At = adapters.LeftPlace{File: f.File, Line: f.Line, Function: f.Function}
	}
	r.Left = Leftover{Things: []adapters.LeftThing{thing}, Looked: true}
	r.Warnings = append(r.Warnings, "it had ended with code 0 when what it had left running failed: "+said+"; what else was left is not known")
	x.v.State.Status = session.Terminated // it is told as the end that it was
	x.beStrict()
}

// judgeLeftover adds what a program that ended well has left running.
func (x *examination) judgeLeftover() {
	left, known := x.s.Left()
	if x.r.Verdict != judge.OK {
		return
	}
	if x.request.Program.Left == adapters.LeftUnasked || !known {
		if x.question.Strict {
			x.r.Warnings = append(x.r.Warnings, "what is left running at the end is not known for a program of this kind: nothing was looked at")
		}
		return
	}
	if !left.Looked && len(left.Unseen) == 0 {
		x.r.Warnings = append(x.r.Warnings, "what is left running at the end was not looked at: the program has ended at once (os._exit, syscall.Exit, Runtime.halt), or has its tests run by something else")
		return
	}
	x.r.Left = Leftover{Things: left.Things, Looked: left.Looked}
	x.r.Warnings = append(x.r.Warnings, left.Unseen...)
	x.beStrict()
}

// addLeftBehind adds what is left of a program whose main code is through, and that is waited
// for without end.
func (x *examination) addLeftBehind() {
	if left, known := x.s.Left(); known && left.Looked {
		x.r.Left = Leftover{Things: left.Things, Looked: true}
	}
}

// beStrict makes what was left the verdict, where that is asked for.
func (x *examination) beStrict() {
	if !x.question.Strict || len(x.r.Left.Things) == 0 {
		return
	}
	x.r.Verdict = judge.Leftover
	first := x.r.Left.Things[0]
	if made := first.Made; made.File != "" {
		x.r.Place = Place{File: made.File, Line: made.Line, Function: made.Function}
		x.r.Excerpt = x.excerpt(made.File, made.Line, 0)
	}
}

// Kinds are what was left, counted by kind, in the order in which they come.
func (l Leftover) Kinds() (kinds []string, counts map[string]int) {
	counts = map[string]int{}
	for _, t := range l.Things {
		if !slices.Contains(kinds, t.Kind) {
			kinds = append(kinds, t.Kind)
		}
		counts[t.Kind] += t.Count
	}
	return kinds, counts
}
