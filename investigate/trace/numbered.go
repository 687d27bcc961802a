package trace

import (
	"strings"

	"aidb-mcp/internal/recording"
)

// lostWrites is how many writes were not kept of those that the question asks for, and of how
// many events that were not it is not known whether they were some; kept are those that were.
func (q Question) lostWrites(log, kept recording.Log) (lost, uncounted int64) {
	writes := int64(0)
	for _, e := range kept.Events {
		if e.Kind == recording.Write {
			writes++
		}
	}
	if log.Leaps() {
		return 0, log.Dropped
	}
	if made, known := q.countWrites(log, kept); known {
		return made - writes, 0
	}
	if len(log.Events) == int(writes) {
		return log.Dropped, 0
	}
	return 0, log.Dropped // what is read is noted, too
}

// countWrites is how many writes a run made to what the question names, those too that were
// not kept, where their recorder has numbered them; kept are those of them that were.
func (q Question) countWrites(log, kept recording.Log) (n int64, known bool) {
	if log.Dropped == 0 {
		return 0, false // it needs no numbers
	}
	places, _ := placesOf(log)
	if !q.namesPart() || !areParts(places) {
		return countAll(log)
	}
	if strings.HasSuffix(strings.TrimSpace(q.Expression), "]") {
		return 0, false // an element is written to as itself, and as all that is in its object, too
	}
	return countParts(log, kept)
}

// countAll adds up how many writes each process has made.
func countAll(log recording.Log) (n int64, known bool) {
	holes, last := lastHoles(log.Events), map[int]int64{}
	for _, e := range log.Events {
		if e.Kind == recording.Write && e.Seq >= holes[e.Child] {
			last[e.Child] = e.Among
		}
	}
	for child := range holes {
		if last[child] == 0 {
			return 0, false // others may have been made that were not kept
		}
	}
	for _, number := range last {
		if number == 0 {
			return 0, false
		}
		n += number
	}
	return n, len(last) > 0
}

// countParts is the same of writes to parts of objects, each of which has numbers of its own.
func countParts(log, kept recording.Log) (n int64, known bool) {
	behind := lastHoles(log.Events)[0]
	last := map[string]int64{}
	for _, e := range kept.Events {
		if e.Kind == recording.Write && e.Seq >= behind {
			last[e.Place] = e.Hit
		}
	}
	places, _ := placesOf(log)
	for _, place := range places {
		if last[place] == 0 {
			return 0, false // others may have been made that were not kept
		}
		n += last[place]
	}
	return n, true
}

// lastHoles are the numbers of the first events behind the last ones that were not kept, of each
// process in which there are such.
func lastHoles(events []recording.Event) map[int]int64 {
	holes := map[int]int64{}
	for i := 1; i < len(events); i++ {
		if before, e := events[i-1], events[i]; before.Child == e.Child && before.Seq != e.Seq-1 {
			holes[e.Child] = e.Seq
		}
	}
	return holes
}
