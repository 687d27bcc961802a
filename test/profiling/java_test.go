//go:build linux && amd64

package profiling

import (
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"aidb-mcp/internal/testkit"
)

// Where the time of a Java program goes is what it has measured itself, in a run of its own.
func TestJavaCPU(t *testing.T) {
	dir := folder(t, "Busy.java")
	said := filepath.Join(dir, "said")
	s := testkit.Start(t, testkit.Options{Dir: dir})
	r := s.OK("profile", A{"target": "Busy.java", "args": []string{"3", said}, "save": true, "timeout_ms": 120_000})
	var rows []row
	r.Decode(&rows, "data", "rows")
	text, err := os.ReadFile(said)
	if err != nil {
		t.Fatal(err)
	}
	var hot, cold float64
	if _, err := fmt.Sscanf(string(text), "hot %f cold %f", &hot, &cold); err != nil {
		t.Fatal(err)
	}
	var found float64
	for _, row := range rows {
		if row.Function == "Busy.hot" {
			found += row.Self
		}
	}
	want := 100 * hot / (hot + cold)
	// Samples are as near to it as their number lets them be: on a busy machine there are fewer.
	if samples := r.Int("data", "samples"); samples < 20 || math.Abs(found-want) > 3+chance(want, samples) {
		t.Errorf("Busy.hot has %.1f %% of the samples, and %.1f %% of the time: %s", found, want, r)
	}
	if !strings.HasSuffix(r.At("data", "file"), ".jfr") {
		t.Errorf("the recording was not kept: %s", r)
	}
}

// What a Java program held when it ended, or when it was ended, is what it says that it has kept.
func TestJavaMemoryOfARun(t *testing.T) {
	t.Parallel()
	dir := folder(t, "Busy.java")
	said := filepath.Join(dir, "said")
	s := testkit.Start(t, testkit.Options{Dir: dir})
	r := s.OK("profile", A{"target": "Busy.java", "args": []string{"5", said}, "what": "memory", "limit": 5, "timeout_ms": 120_000})
	text, err := os.ReadFile(said)
	if err != nil {
		t.Fatal(err)
	}
	var hot, cold float64
	var kept int64
	if _, err := fmt.Sscanf(string(text), "hot %f cold %f kept %d", &hot, &cold, &kept); err != nil {
		t.Fatal(err)
	}
	const each, ofTheJVM = 200_016, 3_000_000
	var rows []row
	r.Decode(&rows, "data", "rows")
	if len(rows) == 0 || rows[0].Type != "byte[]" || rows[0].Grown < kept*each || rows[0].Grown > kept*each+ofTheJVM {
		t.Fatalf("%d arrays of %d bytes are held: %s", kept, each, r)
	}
	r.Lacks("jdk.jfr")
	if kept > 8 { // the recorder takes samples: of few it may have none
		r.Has("Busy.KEPT", "Busy.keep")
	}

	cut := s.OK("profile", A{"target": "Busy.java", "args": []string{"600", said}, "what": "memory", "limit": 5, "seconds": 5, "timeout_ms": 120_000})
	cut.Decode(&rows, "data", "rows")
	if rows[0].Grown < 2*each {
		t.Fatalf("nothing has grown: %s", cut)
	}
	cut.Has("it was still running and was ended")
}

// bigText holds nine million objects, and a hundred arrays.
const bigText = `import java.util.*;

public class Big {
    static final Map<String, Object> MANY = new HashMap<>();
    static final List<byte[]> KEPT = new ArrayList<>();

    public static void main(String[] args) {
        for (int i = 0; i < 3_000_000; i++) {
            MANY.put("k" + i, new Object());
        }
        for (int i = 0; i < 100; i++) {
            KEPT.add(new byte[200_000]);
        }
        System.out.println("made " + MANY.size());
    }
}
`

// What a program holds is told in bounded time, however much it is.
func TestJavaMemoryOfABigHeap(t *testing.T) {
	testkit.Long(t, "the bound is held by the units of adapters/java, and profiles of a run by TestJavaMemoryOfARun")
	t.Parallel()
	p := testkit.NewProgram(t, "")
	p.Write("Big.java", bigText)
	s := testkit.Start(t, testkit.Options{Dir: p.Dir})
	began := time.Now()
	r := s.OK("profile", A{"target": "Big.java", "what": "memory", "limit": 10, "timeout_ms": 240_000})
	if took := time.Since(began); took > 4*time.Minute {
		t.Errorf("it took %s", took)
	}
	var rows []row
	r.Decode(&rows, "data", "rows")
	grown := map[string]int64{}
	for _, row := range rows {
		grown[row.Type] = row.Grown
	}
	if grown["byte[]"] < 100*200_000 || grown["java.util.HashMap$Node"] < 3_000_000*32 || grown["java.lang.Object"] < 3_000_000*16 {
		t.Errorf("it holds more than %v: %s", grown, r)
	}
}

// Where the threads of a Java program stand is seen in a run of its own.
func TestJavaWaitsOfARun(t *testing.T) {
	t.Parallel()
	dir := folder(t, "Busy.java")
	s := testkit.Start(t, testkit.Options{Dir: dir})
	ways := []A{{"args": []string{"3", "said"}}, {"args": []string{"600", "said"}, "seconds": 5}}
	for _, a := range ways[:testkit.Rounds(1, 2)] { // TestJavaMemoryOfARun ends one that runs on
		a["target"], a["what"], a["timeout_ms"] = "Busy.java", "waits", 120_000
		r := s.OK("profile", a)
		var rows []row
		r.Decode(&rows, "data", "rows")
		stood := false
		for _, row := range rows {
			stood = stood || strings.HasPrefix(row.Function, "Busy.lambda$main$") && row.WaitsFor == "the lock of java.lang.Object"
		}
		if !stood {
			t.Errorf("nobody waits for the lock: %s", r)
		}
	}
}

// What a running Java program holds, who holds it, and where its threads stand is seen while it runs.
func TestJavaRunning(t *testing.T) {
	dir := folder(t, "Busy.java")
	build := exec.Command("javac", "-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC", "-g", "Busy.java")
	build.Dir = dir
	if text, err := build.CombinedOutput(); err != nil {
		t.Fatalf("javac: %v\n%s", err, text)
	}
	run := exec.Command("java", "-Xmx1g", "-cp", ".", "Busy", "120", filepath.Join(dir, "said"))
	run.Dir = dir
	if err := run.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = run.Process.Kill()
		_ = run.Wait()
	})
	s := testkit.Start(t, testkit.Options{Dir: dir})
	s.OK("session_start", A{"mode": "attach", "pid": run.Process.Pid, "adapter_options": A{"observe": true}})

	memory := s.OK("profile", A{"what": "memory", "seconds": 4, "timeout_ms": 120_000})
	var rows []row
	memory.Decode(&rows, "data", "rows")
	if len(rows) == 0 || rows[0].Grown < 200_000 {
		t.Fatalf("nothing has grown: %s", memory)
	}
	memory.Contains([]string{"data", "rows"}, "byte[]")
	memory.Has("Busy.KEPT", "Busy.keep")

	waits := s.OK("profile", A{"what": "waits", "seconds": 1, "timeout_ms": 120_000})
	waits.Decode(&rows, "data", "rows")
	stood := false
	for _, row := range rows {
		stood = stood || strings.HasPrefix(row.Function, "Busy.lambda$main$") && row.WaitsFor == "the lock of java.lang.Object"
	}
	if !stood {
		t.Errorf("nobody waits for the lock: %s", waits)
	}
	cpu := s.OK("profile", A{"what": "cpu", "seconds": 1, "timeout_ms": 120_000})
	cpu.Contains([]string{"data", "rows"}, "Busy.hot")
	s.OK("session", A{"action": "stop"}).Contains([]string{"summary"}, "left running")
}
