package judge

import (
	"slices"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/recording"
	"aidb-mcp/internal/text/pattern"
)

// handedNear is the distance of calls that a library has made for a function which the failure
// has stopped, and of calls that have raised something, wherever they were made: behind those
// that such a function has made itself.
const handedNear = 2

// farthest is the distance of calls that nothing connects with the failure.
const farthest = 1000

// Near is how far each call of a recorded run was from a failure: 1 where a function that
// the failure has stopped made it, else one more than the call that made it, and at most 2 where it
// has raised something after they began, or they stand around it. A task that ended last has given
// its result to who waited for it. Those that only show values come last. isFrame knows those
// functions by "function file:line".
func Near(syntax adapters.FailureSyntax, events []recording.Event, isFrame func(caller string) bool) map[int64]int {
	reached := false // one of those functions
	near, open, tops := map[int64]int{}, map[string][]int64{}, map[int64]bool{}
	stands, last := standing(events), int64(0)
	for _, e := range events {
		under := open[e.Thread]
		switch e.Kind {
		case recording.Enter:
			distance := farthest
			if len(e.Stack) > 0 && isFrame(e.Stack[0]) {
				distance, reached = 1, true
			} else if n := len(under); n > 0 {
				distance = min(near[under[n-1]]+1, farthest)
				if stands[under[n-1]] {
					distance = min(distance, handedNear)
				}
			}
			if distance > 1 && syntax.Shows != nil && syntax.Shows.MatchString(e.Function) {
				distance = farthest + 1
			}
			near[e.Call], open[e.Thread], tops[e.Call] = distance, append(under, e.Call), len(under) == 0 && e.Rests
		case recording.Leave:
			if at := slices.Index(under, e.Call); at >= 0 {
				open[e.Thread] = under[:at]
			}
			if _, known := near[e.Call]; known && e.Raised && reached {
				near[e.Call] = min(near[e.Call], handedNear)
			}
			if tops[e.Call] {
				last = e.Call
			}
		}
	}
	if last != 0 {
		near[last] = min(near[last], 1)
	}
	return near
}

// standing are the calls that have not ended.
func standing(events []recording.Event) map[int64]bool {
	stands := map[int64]bool{}
	for _, e := range events {
		switch e.Kind {
		case recording.Enter:
			stands[e.Call] = true
		case recording.Leave:
			delete(stands, e.Call)
		}
	}
	return stands
}

// Calls says that a caller as a recorder writes it, "function file:line", is a function of
// a file.
func Calls(caller, function, file string) bool {
	name, at := recording.Caller(caller)
	in, _ := recording.FileLine(at)
	return name != "" && in == file && lastName(withoutSignature(name)) == lastName(withoutSignature(function))
}

// signature is what C++ adds to the name of a function.
var signature = pattern.New(`\([^()]*\)(?: const)?$`)

func withoutSignature(function string) string {
	if name := signature.ReplaceAllString(function, ""); name != "" {
		return name
	}
	return function
}
