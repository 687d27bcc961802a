package java

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"aidb-mcp/internal/profiling"
	"aidb-mcp/internal/system/process"
)

// The search for ways from roots ends, however big the heap is: a command that asked for
// path-to-gc-roots would search without end, and stop the program for as long.
func TestSearchesEnd(t *testing.T) {
	dir := t.TempDir()
	for _, search := range []time.Duration{searchRunning, searchAtEnd} {
		path, err := settings(dir, profiling.Memory, search)
		if err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(path)
		if want := fmt.Sprintf(`<setting name="cutoff">%d ms</setting>`, search.Milliseconds()); err != nil || !strings.Contains(string(text), want) {
			t.Errorf("no %s in %s, %v", want, text, err)
		}
	}
	if searchAtEnd >= loadLimit {
		t.Errorf("a command is given up after %s, while the search may last for %s", loadLimit, searchAtEnd)
	}
}

// A JVM that never answers is given up, and nothing is left of who asked it.
func TestJcmdThatNeverAnswers(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	started := filepath.Join(home, "pid")
	if err := os.Mkdir(filepath.Join(home, "bin"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(home, "bin", "jcmd"), []byte("#!/bin/sh\necho $$ >"+started+"\nexec sleep 1000\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	v := jvm{adapter: &adapter{}, pid: 1, tools: jdk{home: home}}
	began := time.Now()
	_, err := v.jcmd(t.Context(), "JFR.dump", "name="+recordingName)
	if took := time.Since(began); err == nil || !strings.Contains(err.Error(), "did not answer jcmd JFR.dump within "+loadLimit.String()) || took > 3*loadLimit {
		t.Errorf("after %s: %v", took, err)
	}
	number, err := os.ReadFile(started)
	if err != nil {
		t.Fatal(err)
	}
	if pid, err := strconv.Atoi(strings.TrimSpace(string(number))); err != nil || !process.Gone(pid) && !process.Zombie(pid) {
		t.Errorf("process %d is left, %v", pid, err)
	}
}

func TestThreadsOf(t *testing.T) {
	const dump = `2026-11-27 03:00:00
Full thread dump OpenJDK 64-Bit Server VM (17.0.15+6 mixed mode, sharing):

"main" #1 prio=5 os_prio=0 cpu=10.00ms elapsed=1.00s tid=0x1 nid=0x2 waiting for monitor entry  [0x3]
   java.lang.Thread.State: BLOCKED (on object monitor)
	at shop.Main.take(Main.java:30)
	- waiting to lock <0x000000010ff> (a shop.Pool)
	at java.lang.Thread.run(java.base@17.0.15/Thread.java:840)

"pool-1" #12 prio=5 os_prio=0 cpu=10.00ms elapsed=1.00s tid=0x1 nid=0x2 waiting on condition  [0x3]
   java.lang.Thread.State: WAITING (parking)
	at jdk.internal.misc.Unsafe.park(java.base@17.0.15/Native Method)
	- parking to wait for  <0x000000010fe> (a java.util.concurrent.locks.AbstractQueuedSynchronizer$ConditionObject)

"Finalizer" #3 daemon prio=8 tid=0x1 nid=0x2 in Object.wait()  [0x3]
   java.lang.Thread.State: WAITING (on object monitor)
	at java.lang.Object.wait(java.base@17.0.15/Native Method)

"VM Thread" os_prio=0 cpu=1.00ms tid=0x1 nid=0x2 runnable
`
	threads := threadsOf(dump)
	if len(threads) != 2 {
		t.Fatalf("%d threads: %+v", len(threads), threads)
	}
	if m := threads[0]; m.name != "main" || m.waits != "the lock of shop.Pool" || len(m.frames) != 2 || m.frames[0] != (dumped{"shop.Main", "take", 30}) || m.frames[1] != (dumped{"java.lang.Thread", "run", 840}) {
		t.Errorf("main is %+v", m)
	}
	if p := threads[1]; p.waits != "parked for java.util.concurrent.locks.AbstractQueuedSynchronizer$ConditionObject" || p.frames[0] != (dumped{"jdk.internal.misc.Unsafe", "park", 0}) {
		t.Errorf("pool-1 is %+v", p)
	}
}

func TestHistogramOf(t *testing.T) {
	p := histogramOf(` num     #instances         #bytes  class name (module)
-------------------------------------------------------
   1:         13891        6130536  [B (java.base@17.0.15)
   2:             3             96  [[Lshop.Order;
   3:             2             48  shop.Order
Total         13896        6130680
`)
	want := map[string][2]int64{"byte[]": {13891, 6130536}, "shop.Order[][]": {3, 96}, "shop.Order": {2, 48}}
	for _, s := range p.Sample {
		name := s.Label[profiling.TypeLabel][0]
		if want[name] != [2]int64{s.Value[0], s.Value[1]} {
			t.Errorf("%s is %v", name, s.Value)
		}
		delete(want, name)
	}
	if len(want) > 0 {
		t.Errorf("not found: %v", want)
	}
}
