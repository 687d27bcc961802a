package delve

import (
	"path/filepath"
	"strconv"
	"strings"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/text/pattern"
)

// The form in which the race detector writes a report; its stacks are a line with the function
// and one with the place, each.
var (
	raceReport = pattern.New(`(?ms)^==================\nWARNING: DATA RACE\n(.*?)(?:^==================$|\z)`) // the program may have ended in the midst of it
	raceAccess = pattern.New(`^(?:Previous )?((?i:atomic )?(?i:read|write)) at 0x[0-9a-f]+ by (main goroutine|goroutine \d+):$`)
	raceMade   = pattern.New(`^Goroutine (\d+) \([a-z]+\) created at:$`)
	raceCall   = pattern.New(`^ {2}(\S.*)\(\)$`)
	racePlace  = pattern.New(`^ {6}(.+):(\d+) \+0x[0-9a-f]+$`)
)

// mapCalls are the runtime's functions that use a map, by their beginnings.
var mapCalls = []string{"runtime.map", "internal/runtime/maps.", "runtime.evacuate"}

// readRaces reads what the race detector has written of one process.
func readRaces(log string) (faults []adapters.DetectedFault) {
	for _, m := range raceReport.FindAllStringSubmatch(log, -1) {
		f := adapters.DetectedFault{Kind: adapters.DataRace, Message: "data race", Text: strings.TrimSpace(strings.Trim(m[0], "=\n"))}
		made := map[string][]adapters.Thrown{}
		for part := range strings.SplitSeq(m[1], "\n\n") {
			head, rest, _ := strings.Cut(strings.TrimLeft(part, "\n"), "\n")
			if a := raceAccess.FindStringSubmatch(head); a != nil {
				f.Accesses = append(f.Accesses, adapters.Access{Kind: strings.ToLower(a[1]), Thread: a[2], Frames: raceStack(rest)})
			} else if g := raceMade.FindStringSubmatch(head); g != nil {
				made["goroutine "+g[1]] = raceStack(rest)
			}
		}
		for i, a := range f.Accesses {
			f.Accesses[i].Made = made[a.Thread]
		}
		if of := racedObject(f.Accesses); of != "" {
			f.Message += " on " + of
		}
		faults = append(faults, f)
	}
	return faults
}

// raceStack reads a stack. One that the detector could not restore has no frames.
func raceStack(text string) (frames []adapters.Thrown) {
	function := ""
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		if m := raceCall.FindStringSubmatch(line); m != nil {
			function = m[1]
		} else if m := racePlace.FindStringSubmatch(line); m != nil && function != "" {
			n, err := strconv.Atoi(m[2])
			if err != nil {
				continue
			}
			f := adapters.Thrown{Function: function}
			if filepath.IsAbs(m[1]) {
				f.File, f.Line = m[1], n
			} else if strings.HasPrefix(function, "sync/atomic.") {
				f.Function += unnamedCaller
			}
			frames, function = append(frames, f), ""
		}
	}
	return frames
}

// unnamedCaller says of an atomic access that its stack lacks the function that has made it: a
// generated one, which calls the assembly, stands in its place.
const unnamedCaller = ", in a function called from here that the detector does not name"

// racedObject is what the runtime was working on for the program in both accesses; empty where
// that is the program's own memory.
func racedObject(accesses []adapters.Access) string {
	if len(accesses) == 0 {
		return ""
	}
	for _, a := range accesses {
		if len(a.Frames) == 0 {
			return ""
		}
		for _, begins := range mapCalls {
			if strings.HasPrefix(a.Frames[0].Function, begins) {
				return "a map"
			}
		}
		if strings.HasPrefix(a.Frames[0].Function, "runtime.closechan") {
			return "a channel"
		}
	}
	return ""
}
