package trace

import "aidb-mcp/internal/recording"

// endsOf are the first and the last events of a log in which very many writes to one place were kept, and
// how many writes lie between: a table makes rows of all that it is given. What was not kept of the run has
// to lie there, too, for a table tells of one gap.
func endsOf(log recording.Log) (of recording.Log, left int64) {
	var writes []int // by their events
	for i, e := range log.Events {
		if e.Kind != recording.Write {
			continue
		}
		if e.Child > 0 || len(writes) > 0 && e.Place != log.Events[writes[0]].Place {
			return log, 0
		}
		writes = append(writes, i)
	}
	if len(writes) <= 4*endRows {
		return log, 0
	}
	from, to := writes[endRows], writes[len(writes)-endRows]
	for i := 1; i < len(log.Events); i++ {
		if holed := log.Events[i-1].Seq != log.Events[i].Seq-1; holed && (i <= from || i > to) {
			return log, 0
		}
	}
	left = int64(len(writes) - 2*endRows)
	log.Events = append(log.Events[:from:from], log.Events[to:]...)
	log.Dropped = max(log.Dropped, left)
	return log, left
}
