package debugpy

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"

	"aidb-mcp/internal/recording"
	"aidb-mcp/internal/testkit/recorded"
)

// What forked processes do is noted too, each by itself; where one is not followed, that is said.
func TestRecordedForks(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("who is still there at the end is not known elsewhere")
	}
	work := []string{"import os, time", "def work(n):", "  return n * 2"}
	child := "if os.fork() == 0:\n  work(%s)\n  os._exit(0)"
	for name, c := range map[string]struct{ code, rows, apart string }{
		"one":        {fmt.Sprintf(child, "3") + "\nos.wait()\nwork(1)", " work 2, child 1 work 6", ""},
		"a thread's": {fmt.Sprintf("import threading\ndef f():\n  p = os.fork()\n  if not p: work(3); os._exit(0)\n  os.waitpid(p, 0)\n%s", "t = threading.Thread(target=f, name='T'); t.start(); t.join()"), "child 1 work 6", ""},
		"within a call": {"def f():\n  work(1)\n  if os.fork() == 0: work(2); os._exit(0)\n  os.wait(); return work(3)\nf()",
			" work 2,  work 6, child 1 work 4", ""},
		"a pool":        {"from concurrent.futures import ProcessPoolExecutor\nimport multiprocessing\nwith ProcessPoolExecutor(1, multiprocessing.get_context('fork')) as e: print(sum(e.map(work, range(3))))", "child 1 work 0, child 1 work 2, child 1 work 4", ""},
		"killed":        {"p = os.fork()\nif not p: work(3); os.kill(os.getpid(), 9)\nos.wait()", "child 1 work 6", ""},
		"of a child":    {"if os.fork() == 0:\n  if os.fork() == 0: work(3); os._exit(0)\n  os.wait(); work(4); os._exit(0)\nos.wait()", "child 1 work 8", "has forked others"},
		"becomes other": {"if os.fork() == 0: work(3); os.execlp('true', 'true')\nos.wait()", "child 1 work 6", "other programs"},
		"starts other":  {"import subprocess; subprocess.run(['true'])", "", "other programs"},
		"too many":      {"for n in range(17):\n  if os.fork() == 0: os._exit(0)\n  os.wait()", "", "more than 16"},
		"outlives":      {"if os.fork() == 0: os.close(1); os.close(2); time.sleep(3); work(3); os._exit(0)\ntime.sleep(.1)", "", "went on when the program had ended"},
		"spawned":       {"import multiprocessing\nif __name__ == '__main__':\n  p = multiprocessing.get_context('spawn').Process(target=work, args=(3,)); p.start(); p.join()", "", "by multiprocessing"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir, file := program(t, append(slices.Clone(work), c.code)...)
			log, printed := recordedRun(t, "script", file, recording.Spec{Calls: &recording.Calls{Names: []string{"work"}}}, dir)
			var rows, apart []string
			recorded.CallsEnd(t, log.Events)
			for _, e := range log.Events {
				switch e.Kind {
				case recording.Leave:
					rows = append(rows, e.Thread+" "+e.Function+" "+e.Values[0].Text)
				case recording.Apart:
					apart = append(apart, e.Text)
				}
			}
			if got := strings.Join(rows, ", "); got != c.rows || !log.Follows || !log.IsWhole() {
				t.Errorf("got %q, want %q; follows %t, whole %t; it prints %q", got, c.rows, log.Follows, log.IsWhole(), printed)
			}
			if got := strings.Join(apart, "; "); (c.apart == "") != (got == "") || !strings.Contains(got, c.apart) {
				t.Errorf("it says %q, want %q", got, c.apart)
			}
		})
	}
}

// Which write came first is known of one process only: there forked ones are not noted, which is said.
func TestRecordedForksOfWrites(t *testing.T) {
	dir, file := program(t, "import os", "n = 0", "if os.fork() == 0:", "  n = 1", "  os._exit(0)", "os.wait()", "n = 2")
	log, _ := recordedRun(t, "script", file, recording.Spec{Writes: &recording.Writes{Expression: "n", File: file, Line: 7}}, dir)
	if log.Follows || log.Children() != 0 || !slices.ContainsFunc(log.Events, func(e recording.Event) bool {
		return e.Kind == recording.Apart && strings.Contains(e.Text, "by fork")
	}) {
		t.Errorf("got %+v", log.Events)
	}
}
