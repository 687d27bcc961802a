package adapters

import (
	"context"

	godap "github.com/google/go-dap"
)

// Stops is what an adapter can say of a stop beyond its event, before the stop is shown, and
// of the pauses and steps that lead to it: the events stopped and continued, the requests
// pause, next, stepIn and stepOut.
type Stops struct {
	// Read completes a stop that has Ask set, and one at a breakpoint whose condition the
	// adapter has checked: Error says that this failed.
	Read func(ctx context.Context, c Caller, stop Stop) Stop
	// Together tells what all threads have stopped for, at a stop whose event names one of
	// them. It is asked once for each stopped event.
	Together func(ctx context.Context, c Caller, event godap.StoppedEventBody) (Gathered, error)
	// AtOnePlace are the ids of all breakpoints at the place where a thread has stopped, whether
	// their conditions hold or not. It is asked if there may be more than the stop's event names.
	AtOnePlace func(ctx context.Context, c Caller, thread int) ([]int, error)
	// RepeatsStops: the adapter may tell of one stop in several events, each of another thread,
	// and of the last of them when the program has been let go.
	RepeatsStops bool
	// EntersLoops: compilers lead into a loop at its condition, past where a breakpoint in its
	// first line lies, so that one which was not hit does not tell that the loop was not run.
	EntersLoops bool
	// HidesLibraries: unless just_my_code is false, a stop with libraries' frames alone has none.
	HidesLibraries bool

	// Transient: a pause has caught a thread at a moment which shows nothing of the program, or
	// from which a step would be the runtime's, such as the delivery of a signal. The engine
	// pauses again.
	Transient func(frames []godap.StackFrame) bool
	// Lineless: the instruction at which a thread stands was made from no line of the source,
	// as compilers put some in: adapters then name a wrong line or none, and no locals. Top is
	// the thread's topmost frame. The engine pauses again, and where that does not help it
	// tells no line.
	Lineless func(ctx context.Context, c Caller, thread int, top godap.StackFrame) bool
	// LosesEarlyPauses: a pause that comes before the program runs is lost. The engine asks again
	// until a stop comes.
	LosesEarlyPauses bool
	// ConfirmsResumes: each resume is followed by a continued event, which a pause waits for.
	ConfirmsResumes bool

	// Rouse has what waits in the program for events of its own look up, where a pause that was
	// asked for would else wait for the next event. It is asked once a pause does not come.
	Rouse func(ctx context.Context, c Caller) error

	// Skipped are frames that no step was to end in, where the adapter's own way of passing
	// over them has holes: the engine steps out of them.
	Skipped func(frame godap.StackFrame) bool
	// StepOutStopsInside: a step out stops in the function that it leaves, at its end. The
	// engine takes the last step.
	StepOutStopsInside bool
}

// Gathered is what the threads of a program have stopped for together, as events
// that the dialect's Stopped reads.
type Gathered struct {
	// Known: the event says nothing new. Its stop has been gathered already, or the
	// program has gone on.
	Known bool
	// Nothing: the event's own thread has stopped for nothing of the program's.
	Nothing bool
	// Event takes the place of the one that came, which was that of an earlier stop;
	// nil when it is right.
	Event  *godap.StoppedEventBody
	Others []godap.StoppedEventBody // of the other threads
}

// Stop is a stopped event in plain words.
type Stop struct {
	Reason      string // breakpoint, function breakpoint, data breakpoint, instruction breakpoint, step, entry, pause, exception, signal, error
	Description string
	Text        string
	ThreadID    int // 0 with HasThread false: ask threads
	HasThread   bool
	Hit         []int // adapter's ids
	// Vague: the adapter gives this reason to the end of a step too; the engine
	// looks where the program stands.
	Vague bool
	// Resume: the adapter wants "continue" to finish an interrupted step; the
	// engine does so by itself and no stop is reported.
	Resume bool
	// Internal: the program stands at a breakpoint of the debugger's own, at which it
	// goes on by itself unless it is to pause there.
	Internal bool
	// Gone: the adapter has found that the program is no longer there; how it
	// went: "SIGKILL (killed)". It is the end of the program.
	Gone string
	// Echo: nothing has happened, the program stands where it stood. Such an event
	// is passed over.
	Echo bool
	// Ask: the dialect has to look at the program first; see [Stops.Read].
	Ask bool
	// Error: the stop reports a failed command or condition, not an event of the program.
	Error string
	// Unjudged: Error may be about a condition at this place that the adapter could
	// not evaluate. The engine checks the conditions there itself.
	Unjudged bool
}
