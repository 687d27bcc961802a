package recording

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"unsafe"
)

// writeRecording writes a recording of so many writes in one loop.
func writeRecording(b testing.TB, events int) (dir string) {
	b.Helper()
	dir = b.TempDir()
	var text strings.Builder
	for i := 1; i <= events; i++ {
		fmt.Fprintf(&text, `{"n":%d,"k":"write","at":"/work/shop/account.js:7","f":"Account.add","c":%d,"o":"o12.total","v":[{"v":"%d"},{"v":"%d","h":"o12"}],"s":["work /work/shop/account.js:14","main /work/shop/account.js:20"],"h":%d,"g":%d}`+"\n",
			i, i+3, i*17%1000003, (i+1)*17%1000003, i, i)
	}
	if err := os.WriteFile(filepath.Join(dir, Tail0), []byte(text.String()), 0o600); err != nil {
		b.Fatal(err)
	}
	return dir
}

// What is read of a recording is held while the question is answered.
func BenchmarkRead(b *testing.B) {
	dir := writeRecording(b, 40_000)
	for b.Loop() {
		log, err := Read(dir)
		if err != nil {
			b.Fatal(err)
		}
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		b.ReportMetric(float64(m.HeapInuse)/float64(len(log.Events)), "heap-bytes/event")
		runtime.KeepAlive(log)
	}
}

// Events that say the same share one copy of it, and are read as they were written.
func TestReadEventsShareWhatTheySay(t *testing.T) {
	log, err := Read(writeRecording(t, 3))
	if err != nil || len(log.Events) != 3 {
		t.Fatalf("%d events, %v", len(log.Events), err)
	}
	first, last := log.Events[0], log.Events[2]
	if last.Values[1].Text != "68" || last.Values[1].Of != "o12" || last.Place != "o12.total" || len(last.Stack) != 2 || last.Stack[1] != "main /work/shop/account.js:20" || last.Among != 3 {
		t.Errorf("the last event is %+v", last)
	}
	if unsafe.StringData(first.At) != unsafe.StringData(last.At) || unsafe.SliceData(first.Stack) != unsafe.SliceData(last.Stack) {
		t.Error("two events have copies of the same text")
	}
}
