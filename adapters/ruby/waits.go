package ruby

import (
	"context"
	"fmt"
	"strings"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/system/boundedfile"
	"aidb-mcp/internal/text/pattern"
)

// noOwner says why nobody is named who holds a mutex.
const noOwner = "Ruby tells of a mutex only the thread that asks whether it is its own"

// Blocked tells what threads wait for, by their own functions and the lines that call them. Ruby keeps who
// holds a mutex to itself.
func (d *dialect) Blocked(ctx context.Context, c adapters.Caller) (adapters.Waits, error) {
	digest, err := d.Digest(ctx, c, waitFrames)
	if err != nil {
		return adapters.Waits{}, err
	}
	var waits adapters.Waits
	for _, t := range digest.Threads {
		if t.Waiting == "" {
			continue
		}
		w := adapters.Waiter{
			Key: fmt.Sprint(t.ID), Who: fmt.Sprintf("thread %d (%s)", t.ID, t.Name), Thread: t.ID, For: t.Waiting, System: t.System,
			Timed: strings.HasPrefix(t.Waiting, "a time"),
		}
		if t.Waiting == "a mutex" {
			w.Unknown = noOwner
		}
		for _, f := range t.Frames {
			if d.Internal(f) {
				continue
			}
			w.At = adapters.Location{File: f.Source.Path, Line: f.Line, Function: f.Name}
			line, _ := boundedfile.Line(f.Source.Path, f.Line) // none, where it is not there
			if on := receiver(line); on != "" {
				w.For += ": " + on
			}
			break
		}
		waits.Waiters = append(waits.Waiters, w)
	}
	return waits, nil
}

// waitFrames are looked at for the user's line that waits.
const waitFrames = 20

// calling is what a waiting method is called on.
var calling = pattern.New(`([@$]{0,2}[\pL_][\w.@]*?)\.(?:pop|shift|deq|push|join|value|lock|synchronize|wait|gets|read\w*|accept)\b`)

// receiver is what the only waiting method of a line is called on; empty where there are several.
func receiver(line string) string {
	if found := calling.FindAllStringSubmatch(line, 2); len(found) == 1 {
		return found[0][1]
	}
	return ""
}
