package debugpy

import (
	"encoding/json"
	"fmt"
)

// leftMark begins the output event by which adapter.py reports, as JSON, how many
// processes of the program still ran when the program was over.
const leftMark = "\x1dleft "

// noteLeftProcesses keeps the report of the processes that are left.
func (d *dialect) noteLeftProcesses(report string) {
	var left struct{ Processes int64 }
	if json.Unmarshal([]byte(report), &left) == nil {
		d.left.Store(left.Processes)
	}
}

// EndWarning says that processes of the program were cut off: the adapter ends them
// when the one that it began with is over.
func (d *dialect) EndWarning() string {
	switch n := d.left.Load(); n {
	case 0:
		return ""
	case 1:
		return "a child process still ran when the program was over, and was ended with it: what it would have done is not seen"
	default:
		return fmt.Sprintf("%d child processes still ran when the program was over, and were ended with it: what they would have done is not seen", n)
	}
}
