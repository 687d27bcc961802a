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

// leftoverAsked is what of that a program is to note, as it is asked for.
func leftoverAsked(q Question) adapters.LeftScope {
	switch {
	case !Starts(q.Request) || !q.Leftover && !q.Strict:
		return q.Request.Program.Left
	case q.Strict:
		return adapters.LeftOfAny
	}
	return adapters.LeftOfTests
}

// isOverBefore says that the program had come to its end with code 0 before what was left of
// it has failed, in the time that it was given to end: without us it would have been gone.
func (n *run) isOverBefore(st session.State) bool {
	failed := st.Status == session.StoppedException || st.Status == session.Terminated && (st.Signal != "" || st.ExitCode != nil && *st.ExitCode != 0)
	if !failed || n.request.Program.Left == adapters.LeftUnasked {
		return false
	}
	left, known := n.s.Left()
	return known && left.ExitCode != nil && *left.ExitCode == 0
}

// judgeAfterEnd judges such a program: it has ended well, and has left what then failed.
func (o *outcome) judgeAfterEnd() {
	st, r, code := o.v.State, o.r, 0
	r.Verdict, r.ExitCode = judge.OK, &code
	said := "signal " + st.Signal
	if st.Status == session.StoppedException {
		said = exceptionText(o.v.Exception)
	} else if st.Signal == "" {
		said = fmt.Sprintf("exit code %d", *st.ExitCode)
	}
	left, _ := o.s.Left()
	thing := adapters.LeftThing{Kind: cmp.Or(left.Unit, "thread"), Count: 1}
	if f := o.v.Frame; f != nil {
		thing.At = adapters.LeftPlace{File: f.File, Line: f.Line, Function: f.Function}
	}
	r.Left = Leftover{Things: []adapters.LeftThing{thing}, Looked: true}
	r.Warnings = append(r.Warnings, "it had ended with code 0 when what it had left running failed: "+said+"; what else was left is not known")
	o.v.State.Status = session.Terminated // it is told as the end that it was
	o.beStrict()
}

// judgeLeftover adds what a program that ended well has left running.
func (o *outcome) judgeLeftover() {
	left, known := o.s.Left()
	if o.r.Verdict != judge.OK {
		return
	}
	if o.run.request.Program.Left == adapters.LeftUnasked || !known {
		if o.strict {
			o.r.warn("what is left running at the end is not known for a program of this kind: nothing was looked at")
		}
		return
	}
	if !left.Looked && len(left.Unseen) == 0 {
		o.r.warn("what is left running at the end was not looked at: the program has ended at once (os._exit, syscall.Exit, Runtime.halt), or has its tests run by something else")
		return
	}
	o.r.Left = Leftover{Things: left.Things, Looked: left.Looked}
	o.r.Warnings = append(o.r.Warnings, left.Unseen...)
	o.beStrict()
}

// addLeftBehind adds what is left of a program whose main code is through, and that is waited
// for without end.
func (o *outcome) addLeftBehind() {
	if left, known := o.s.Left(); known && left.Looked {
		o.r.Left = Leftover{Things: left.Things, Looked: true}
	}
}

// beStrict makes what was left the verdict, where that is asked for.
func (o *outcome) beStrict() {
	if !o.strict || len(o.r.Left.Things) == 0 {
		return
	}
	o.r.Verdict = judge.Leftover
	first := o.r.Left.Things[0]
	if made := first.Made; made.File != "" {
		o.r.showAt(o.userCode, Place{File: made.File, Line: made.Line, Function: made.Function}, 0)
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
