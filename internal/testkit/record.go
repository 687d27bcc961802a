package testkit

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
)

// RecordVariable names a folder into which every reply of the tests is written in
// both forms, for whoever counts.
const RecordVariable = "RECORD_REPLIES"

// Recorded is a reply as it is recorded, one a line.
type Recorded struct {
	Tool string `json:"tool"`
	Stop bool   `json:"stop"` // it is a stop view
	Text string `json:"text"`
	JSON string `json:"json"`
}

// record gives the reply with what tells which it is.
func (r Reply) record(tool string) Recorded {
	return Recorded{Tool: tool, Stop: r.At("data", "code_snapshot") != "" && r.At("data", "operations") == "", Text: r.Text, JSON: r.JSON}
}

// recorder appends to one file of this process.
var recorder struct {
	sync.Mutex
	file *os.File
}

// record writes a reply where records are wanted.
func record(t testing.TB, reply Recorded) {
	dir := os.Getenv(RecordVariable)
	if dir == "" {
		return
	}
	line, err := json.Marshal(reply)
	if err != nil {
		t.Fatal(err)
	}
	recorder.Lock()
	defer recorder.Unlock()
	if recorder.file == nil {
		name := filepath.Join(dir, fmt.Sprintf("%d.jsonl", os.Getpid()))
		if recorder.file, err = os.OpenFile(name, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := recorder.file.Write(append(line, '\n')); err != nil {
		t.Fatal(err)
	}
}
