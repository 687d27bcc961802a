package handlers

// rule is what a call needs of a session before its handler may run.
type rule struct {
	session need
	state   requiredState
	passes  bool // works while another call holds the session, and takes no lock
	quiet   bool // leaves no trace in the history
}

// need says whether a call speaks of a session.
type need int

const (
	none     need = iota
	optional      // of the current one if there is one
	required
)

// requiredState is the state in which a session must be.
type requiredState int

const (
	anyState requiredState = iota
	alive                  // not ended
	stopped                // the program stands still
)

// Rules of the actions of more than one tool.
var (
	atStop    = rule{session: required, state: stopped}             // looks at a program that stands still, moves or changes it
	unlocked  = rule{session: required, passes: true}               // beside a call that holds the session
	inProgram = rule{session: required, state: alive, passes: true} // beside a call that holds the session, in a program that lives
	ownRun    = rule{session: optional, passes: true}               // has a run of its own, perhaps of a session's start
	anytime   = rule{session: optional, passes: true, quiet: true}  // with a session or without, and no part of its story
)

// startsProgram is the effect of what starts a program.
const startsProgram = "starting a program"
