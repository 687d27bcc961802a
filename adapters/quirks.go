package adapters

// Quirks are the ways in which an adapter is known to differ from the
// protocol's plain word, as values that the engine reads. What takes arguments
// is a power of the [Dialect] instead. The zero value is an adapter without any.
type Quirks struct {
	// OneThreadSpace: thread ids are unique across the connections. Otherwise the
	// engine tells the threads of later connections apart by renumbering them.
	OneThreadSpace bool
	// ThreadsFromZero: the adapter counts threads from 0, and we from 1, for
	// whom 0 is no thread.
	ThreadsFromZero bool
	// DigestsRunning: a [ThreadDigester] answers while the program runs, too. So
	// it is where threads that all wait outside of the language cannot be paused.
	DigestsRunning bool
	// TellsEndless: a [ThreadDigester] says which waits nothing but the program itself
	// ends.
	TellsEndless bool
	// SnapshotScopes: scopes hold the values of the moment of the stop, whatever
	// is set since. The engine then evaluates each name anew.
	SnapshotScopes bool
	// StepOutStopsInside: a step out stops in the function that it leaves, at its
	// end. The engine takes the last step.
	StepOutStopsInside bool
	// DropsWatchpoints: the adapter forgets a watchpoint without an event when its
	// variable goes out of scope, and leaves alone, with its id, one that is set
	// again. The engine checks at each stop which are left.
	DropsWatchpoints bool
	// BareWatches: the adapter says that it checks conditions, and leaves out those of
	// watchpoints. The engine checks them.
	BareWatches bool
	// StopsOnFailedCondition: the adapter stops, without saying why, where a
	// condition cannot be evaluated. The engine evaluates it again for the reason.
	StopsOnFailedCondition bool
	// BreakpointIDsFromZero: 0 is the id of the first breakpoint, which from other
	// adapters means that it has none.
	BreakpointIDsFromZero bool
	// LongestValue: values of that many bytes or more may have been cut by the
	// adapter without a word; 0: it says so, or cuts none.
	LongestValue int
	// EntryMode is the mode of a line breakpoint (in DAP's sense) that stands for a
	// function's entry and stops once a call; empty where the line alone is known.
	EntryMode string
	// GlobalScope: frames have such a scope, which is known before the first one has
	// been read.
	GlobalScope bool
	// NoInput says what would let the program have standard input; empty where it
	// has some, or where the adapter may yet ask for a terminal.
	NoInput string
	// Helper is a part of the command of a process that the adapter has put beside
	// the program, below it: it is not one that the program has started.
	Helper string
	// ReturnLocal is the name under which the locals of a frame that stands at its
	// return have what it returns; empty where none do.
	ReturnLocal string
	// RepeatsStops: the adapter may tell of one stop in several events, each of another
	// thread, and of the last of them when the program has been let go.
	RepeatsStops bool
	// PausesWhenJoined: an attach ends with the event of a pause, also where the
	// program has stopped for a reason of its own by then, which that event would hide.
	PausesWhenJoined bool
	// JoinsRunning: an attach never ends in a stop, whatever it was asked for.
	JoinsRunning bool
	// DeafUntilProcess: what the adapter is asked for between the end of its
	// configuration and its event about the process, it may never answer.
	DeafUntilProcess bool
	// LosesEarlyPauses: each resume is followed by a continued event, and a pause that
	// comes before it is lost.
	LosesEarlyPauses bool
}
