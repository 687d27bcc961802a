// Package live is what is recorded of a program that runs on, in a session: what is asked, the
// rows, and how the recorder stands. It is data, and knows neither sessions nor how it is
// recorded.
package live

import (
	"fmt"
	"time"
)

// Spec is what is to be recorded.
type Spec struct {
	// Written is the variable, or the part of one, whose writes are recorded: the values before
	// and after each. Else File and Line are where Expressions are read; else Functions are
	// recorded: their arguments, and what they give back.
	Written     string
	File        string
	Line        int
	Expressions []string
	Functions   []string
	// Condition is a comparison, or several joined by &&; a hit without it is only counted.
	Condition string
	// Most is how many hits a second there may be before the probes are taken out; 0: as many
	// as their cost allows.
	Most int
	// Stack asks for the callers of each hit, as far as frame pointers lead to them.
	Stack bool
}

// Places writes how many places are armed.
func Places(n int) string {
	if n == 1 {
		return "1 place"
	}
	return fmt.Sprintf("%d places", n)
}

// Row is one hit.
type Row struct {
	N        int64         // its number
	At       time.Duration // since it was armed
	Thread   int
	Task     int64  // the goroutine; 0 in other languages
	Who      string // the name of the thread, or of the task in it, where it has one
	Of       string // the object that was written to, where there are several
	Function string
	File     string
	Line     int
	Kind     Kind
	Call     int64 // of an Enter and its Leave the same
	Leaves   bool  // the call may end in a jump to another function, and has then no Leave
	Values   []Value
	// Stack are the calls that a hit is in, the innermost first; Rest says why there are no more,
	// and is empty where these are all.
	Stack []Frame
	Rest  string
}

// Frame is a call that a hit is in. Of a library without debug information the name is known alone.
type Frame struct {
	Function string
	File     string
	Line     int
}

// Kind is what a hit is.
type Kind int

// The kinds of hits.
const (
	Pass  Kind = iota // of a line
	Enter             // a function
	Leave
	Written // a word: the Values are that before and that after
)

// Value is what was read of an expression.
type Value struct {
	Name, Text string
	Missing    string // why there is none
	Cut        bool
}

// State is how a recorder stands.
type State struct {
	Hits    int64 // of all places
	Rows    int64 // that were read
	Waiting int   // that were not read yet
	Dropped int64 // for which there was no room
	Unread  int64 // at which the condition could not be read
	Matched int64 // at which it held
	Running bool  // false: the program has ended
	// Out says why the probes were taken out without being asked: "there were 200,000 hits a
	// second, …"; empty where they stand.
	Out    string
	Places int
	How    string   // by what it records, and what a hit costs
	Notes  []string // what else is to be known of the rows
}
