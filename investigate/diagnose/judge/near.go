package judge

import (
	"slices"

	"aidb-mcp/internal/recording"
	"aidb-mcp/internal/text/pattern"
)

// raisedNear is the distance of calls that have raised something, wherever they were made: behind
// those that the functions have made which the failure has stopped.
const raisedNear = 2

// farthest is the distance of calls that nothing connects with the failure.
const farthest = 1000

// Near is how far each call of a recorded run was from a failure: 1 where a function that
// the failure has stopped made it, else one more than the call that made it, and at most 2 where it
// has raised something after they began. isFrame knows those functions by "function file:line".
func Near(events []recording.Event, isFrame func(caller string) bool) map[int64]int {
	reached := false // one of those functions
	near, open := map[int64]int{}, map[string][]int64{}
	for _, e := range events {
		under := open[e.Thread]
		switch e.Kind {
		case recording.Enter:
			distance := farthest
			if len(e.Stack) > 0 && isFrame(e.Stack[0]) {
				distance, reached = 1, true
			} else if len(under) > 0 {
				distance = min(near[under[len(under)-1]]+1, farthest)
			}
			near[e.Call], open[e.Thread] = distance, append(under, e.Call)
		case recording.Leave:
			if at := slices.Index(under, e.Call); at >= 0 {
				open[e.Thread] = under[:at]
			}
			if _, known := near[e.Call]; known && e.Raised && reached {
				near[e.Call] = min(near[e.Call], raisedNear)
			}
		}
	}
	return near
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
