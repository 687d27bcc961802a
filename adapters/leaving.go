package adapters

import "fmt"

// LeftScope is of which programs it is to be known what they leave running at their end.
type LeftScope int

// The scopes.
const (
	LeftUnasked LeftScope = iota
	LeftOfTests           // of one that runs tests
	LeftOfAny             // of any program, when its main code is through
)

// Left is what a program had left running when it was over: begun by it, and after a short
// time still there. What the runtime, a test's framework or the debugger keeps, and what was
// there before the tests began, is no part of it.
type Left struct {
	// Looked: it was looked at. Where it was not, Unseen says why, or is empty where
	// nobody would expect it (the program has failed, or runs no tests).
	Looked bool
	Things []LeftThing
	// Unseen is what could not be looked at, or not be told.
	Unseen []string
	// ExitCode is what the program had come to by itself before it was looked at.
	ExitCode *int
	// Unit is what runs in such a program by itself: goroutine, thread.
	Unit string
}

// LeftThing is one thing that was left, or several that are alike.
type LeftThing struct {
	Kind     string    // goroutine, thread, task, process, server, timer
	Name     string    // as the program calls it; empty: it has none
	Made     LeftPlace // by the innermost line of the user's code that led to it; empty: not known
	Test     string    // that has made it; empty: not known
	WaitsFor string    // empty: it runs, or nobody knows
	At       LeftPlace // the innermost line of the user's code, else the innermost; empty: not known
	Count    int
}

// LeftPlace is where something of what was left is. File is absolute.
type LeftPlace struct {
	File     string `json:"file,omitempty"`
	Line     int    `json:"line,omitempty"`
	Function string `json:"function,omitempty"`
}

// MostLeft are the rows of what was left that are kept; the rest is counted in Unseen.
const MostLeft = 50

// Fold makes those that are alike one, in the order in which they came, and keeps as many as
// are told.
func (l *Left) Fold() {
	l.Things = folded(l.Things)
	if n := len(l.Things); n > MostLeft {
		l.Unseen = append(l.Unseen, fmt.Sprintf("%d more rows are left out", n-MostLeft))
		l.Things = l.Things[:MostLeft]
	}
}

func folded(things []LeftThing) []LeftThing {
	var all []LeftThing
	at := map[LeftThing]int{}
	for _, t := range things {
		count := max(t.Count, 1)
		t.Count = 0
		i, known := at[t]
		if !known {
			i = len(all)
			at[t] = i
			all = append(all, t)
		}
		all[i].Count += count
	}
	return all
}
