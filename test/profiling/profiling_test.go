//go:build linux && amd64

// Package profiling measures programs with the built server, whose own clocks say what is true.
package profiling

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/pprof/profile"

	"aidb-mcp/internal/testkit"
)

func TestMain(m *testing.M) { os.Exit(testkit.Main(m)) }

// A shortens the arguments of calls.
type A = testkit.A

// row is a row of a profile.
type row struct {
	At       string  `json:"at"`
	Type     string  `json:"type"`
	Function string  `json:"function"`
	WaitsFor string  `json:"waits_for"`
	Self     float64 `json:"self"`
	Total    float64 `json:"total"`
	Bytes    int64   `json:"bytes"`
	Grown    int64   `json:"grown"`
	Library  string  `json:"library"`
	Second   struct {
		Total float64 `json:"total"`
	} `json:"second"`
}

// folder is one of its own that has a program.
func folder(t *testing.T, file string) string {
	t.Helper()
	dir := t.TempDir()
	text, err := os.ReadFile(filepath.Join("testdata", file))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, file), text, 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

// start builds a program and runs it.
func start(t *testing.T, dir string, build []string, args ...string) *os.Process {
	t.Helper()
	cmd := exec.Command(build[0], append(build[1:], "-o", "program")...)
	if strings.HasSuffix(build[len(build)-1], ".go") {
		cmd = exec.Command("go", "build", "-o", "program", build[len(build)-1])
	}
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "CGO_ENABLED=0")
	if text, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("building: %v\n%s", err, text)
	}
	run := exec.Command(filepath.Join(dir, "program"), args...)
	if err := run.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = run.Process.Kill()
		_ = run.Wait()
	})
	return run.Process
}

// maySample says whether this machine lets anybody sample; where not, the refusal says what
// is missing.
func maySample(t *testing.T, r testkit.Reply) bool {
	t.Helper()
	if r.At("success") == "true" {
		return true
	}
	if os.Getuid() == 0 {
		t.Errorf("root may not sample: %s", r)
	}
	r.Want("AIDB_CAPABILITY_NOT_SUPPORTED", "error", "code").Has("perf_event_paranoid")
	return false
}

// rows are those of a reply, by the last part of the function's name; runtime.main, which is
// sampled now and then, is not the program's.
func rows(r testkit.Reply, field string) map[string]row {
	var list []row
	r.Decode(&list, "data", field)
	named := map[string]row{}
	for _, row := range list {
		name := row.Function[strings.LastIndexAny(row.Function, ".:")+1:]
		if _, known := named[name]; !known && !strings.HasPrefix(row.Function, "runtime.") {
			named[name] = row
		}
	}
	return named
}

// chance is how far from a share in percent so many samples may be by chance: further are
// three of 50,000.
func chance(percent float64, samples int) float64 {
	share := percent / 100
	return 4 * 100 * math.Sqrt(share*(1-share)/float64(samples))
}

// said is a number that the program has printed.
func said(t *testing.T, r testkit.Reply, name string) (n float64) {
	t.Helper()
	_, rest, found := strings.Cut(r.At("data", "output", "stdout"), name+"=")
	if _, err := fmt.Sscanf(rest, "%f", &n); !found || err != nil {
		t.Fatalf("the program did not say its %s: %v, %s", name, err, r)
	}
	return n
}

// The shares of a run of its own are those of what the program did, and what its own clock says:
// with and without optimization, where functions are inlined, and where one calls itself.
func TestShares(t *testing.T) {
	for _, p := range []struct {
		name, file string
		start      A
	}{
		{"c -O2", "shares.c", A{}},
		{"c -O0", "shares.c", A{"build_args": []string{"-O0"}}},
		{"c -O3", "shares.c", A{"build_args": []string{"-O3", "-fomit-frame-pointer"}}},
		{"go", "shares.go", A{}},
		{"rust", "shares.rs", A{}},
	} {
		t.Run(p.name, func(t *testing.T) {
			if p.name == "c -O2" {
				testkit.Long(t, "between -O0 and -O3, which are measured")
			}
			s := testkit.Start(t, testkit.Options{Dir: folder(t, p.file)})
			args := A{"target": p.file, "timeout_ms": 120_000}
			if len(p.start) > 0 {
				args["start"] = p.start
			}
			r := s.Call("profile", args)
			if !maySample(t, r) {
				return
			}
			r.Contains([]string{"data", "ended"}, "exit code 3")
			samples := r.Int("data", "samples")
			if samples < 900 {
				t.Errorf("%d samples of 1.2 s of processor time", samples)
			}
			functions := rows(r, "functions")
			// The clock of a thread counts what another machine took of the processor, too, to
			// whom that happened: the two that do the same are held to their rounds.
			alike, fib := 100-functions["fib"].Total, said(t, r, "fib")
			for name, want := range map[string]float64{"heavy": alike * 20 / 26, "light": alike * 6 / 26, "fib": fib} {
				got := functions[name].Total
				if math.Abs(want-got) > 1+chance(want, samples) {
					t.Errorf("%s has %.1f %%, and the program did %.1f %%: %s", name, got, want, r.At("data", "output", "stdout"))
				}
			}
			if total := functions["main"].Total; total < 97 || total > 100 {
				t.Errorf("main has %.1f %% of all, want nearly all: %s", total, r)
			}
			// What an optimizer has inlined, Go's too, may have no instruction of its own that is sampled: that is the processor's affair.
			if p.name == "c -O0" && functions["mix"].Self == 0 {
				t.Errorf("mix is not there: %s", r)
			}
			r.Contains([]string{"data", "hottest"}, "main", "heavy")
			isOptimized := p.name != "c -O0" && p.name != "go" // of Go's nothing is said
			if told := strings.Contains(r.String(), "are in optimized code"); told != isOptimized {
				t.Errorf("that lines are an optimizer's is told: %t", told)
			}
		})
	}
}

// A running program is sampled without a debugger and with one, it goes on as before, and the
// file is one that pprof reads.
func TestRunning(t *testing.T) {
	for _, p := range []struct {
		name, file string
		build      []string
		options    A
	}{
		{"observed", "shares.c", []string{"gcc", "-g", "-O2", "-pthread", "shares.c"}, A{"observe": true}},
		{"debugged", "shares.c", []string{"gcc", "-g", "-O2", "-pthread", "shares.c"}, A{}},
		{"go observed", "shares.go", []string{"shares.go"}, A{"observe": true}},
		{"go debugged", "shares.go", []string{"shares.go"}, A{}},
		{"rust observed", "shares.rs", []string{"rustc", "-g", "-O", "shares.rs"}, A{"observe": true}},
	} {
		t.Run(p.name, func(t *testing.T) {
			if p.name == "debugged" || p.name == "rust observed" {
				testkit.Long(t, "it is measured as others are")
			}
			dir := folder(t, p.file)
			process := start(t, dir, p.build, "on")
			s := testkit.Start(t, testkit.Options{Dir: dir})
			s.OK("session_start", A{"mode": "attach", "pid": process.Pid, "adapter_options": p.options}).Want("running", "data", "execution_state", "status")
			r := s.Call("profile", A{"seconds": 2, "save": true})
			if !maySample(t, r) {
				return
			}
			functions := rows(r, "functions")
			// What it does is 2,000,000 rounds of the one to 600,000 of the other.
			if heavy, light := functions["heavy"].Total, functions["light"].Total; math.Abs(heavy-76.9) > 8 || math.Abs(light-23.1) > 8 {
				t.Errorf("heavy has %.1f %% and light %.1f %%, want 76.9 and 23.1: %s", heavy, light, r)
			}
			file, err := os.ReadFile(filepath.Join(dir, r.At("data", "file")))
			if err != nil {
				t.Fatal(err)
			}
			kept, err := profile.Parse(bytes.NewReader(file))
			if err != nil || len(kept.Sample) == 0 || kept.CheckValid() != nil {
				t.Errorf("the file has %d samples: %v, %v", len(kept.Sample), err, kept.CheckValid())
			}
			s.Kill()
			if _, err := os.Stat(fmt.Sprintf("/proc/%d/exe", process.Pid)); err != nil {
				t.Errorf("the program did not outlive the server: %v", err)
			}
		})
	}
}

// The server may be killed while it samples: the program goes on.
func TestKilledWhileSampling(t *testing.T) {
	dir := folder(t, "shares.c")
	process := start(t, dir, []string{"gcc", "-g", "-O2", "-pthread", "shares.c"}, "on")
	for range testkit.Rounds(1, 3) {
		s := testkit.Start(t, testkit.Options{Dir: dir})
		s.OK("session_start", A{"mode": "attach", "pid": process.Pid, "adapter_options": A{"observe": true}})
		ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond) // it samples by then
		_, err := s.CallContext(ctx, "profile", A{"seconds": 10})
		cancel()
		if err == nil {
			t.Fatal("it was over before")
		}
		s.Kill()
		if _, err := os.Stat(fmt.Sprintf("/proc/%d/exe", process.Pid)); err != nil {
			t.Fatalf("the program did not outlive the server: %v", err)
		}
	}
}

// A run of its own ends with its call, and with the server, however that ends.
func TestKilledInOwnRun(t *testing.T) {
	s := testkit.Start(t, testkit.Options{Dir: folder(t, "shares.c")})
	if !maySample(t, s.Call("profile", A{"target": "shares.c", "seconds": 1, "timeout_ms": 60_000})) { // it is built by then
		return
	}
	for _, isKilled := range []bool{false, true} {
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
		_, err := s.CallContext(ctx, "profile", A{"target": "shares.c", "args": []string{"on"}, "timeout_ms": 60_000})
		cancel()
		if err == nil {
			t.Fatal("it was over before")
		}
		if isKilled {
			s.Kill()
		}
		s.NothingLeft(10 * time.Second)
	}
}

// A program that ends before the time is over is told to have ended; one that sleeps has no
// samples, and that is said; two runs are compared.
func TestEndings(t *testing.T) {
	dir := folder(t, "shares.c")
	s := testkit.Start(t, testkit.Options{Dir: dir})
	r := s.Call("profile", A{"target": "shares.c", "seconds": 50, "timeout_ms": 120_000})
	if !maySample(t, r) {
		return
	}
	r.Contains([]string{"data", "ended"}, "exit code 3 after")
	r = s.OK("profile", A{"target": "shares.c", "args": []string{"on"}, "seconds": 1, "timeout_ms": 60_000})
	r.Contains([]string{"data", "ended"}, "still running", "as seconds says")
	r = s.OK("profile", A{"target": "shares.c", "args": []string{"on"}, "against": A{"args": []string{}}, "seconds": 2, "timeout_ms": 60_000})
	if fib := rows(r, "functions")["fib"]; fib.Total != 0 || fib.Second.Total == 0 {
		t.Errorf("only the second run has fib: %+v", fib)
	}
	s.Fail("VALIDATION_INVALID_PARAM", "profile", A{"target": "shares.c", "what": "heat"}).Has("cpu")
	s.Fail("VALIDATION_INVALID_PARAM", "profile", A{"target": "shares.c", "seconds": -1})

	process := start(t, folder(t, "waits.c"), []string{"gcc", "-g", "-O2", "-pthread", "waits.c"})
	s.OK("session_start", A{"mode": "attach", "pid": process.Pid, "adapter_options": A{"observe": true}})
	s.OK("profile", A{"seconds": 1}).Want("0", "data", "samples").Contains([]string{"summary"}, "none was seen")
	s.Fail("VALIDATION_INVALID_PARAM", "profile", A{"seconds": 1, "against": A{"args": []string{}}}).Has("against")
	if err := process.Kill(); err != nil {
		t.Fatal(err)
	}
}

// A server that only looks profiles nothing.
func TestReadOnly(t *testing.T) {
	s := testkit.Start(t, testkit.Options{Dir: folder(t, "shares.c"), Args: []string{"--read-only"}})
	s.Fail("POLICY_DENIED", "profile", A{"target": "shares.c"})
}

// Of a program of Go the lines that allocate what it keeps are told, with as many bytes as it
// says itself; what it forgets has not grown.
func TestMemory(t *testing.T) {
	dir := folder(t, "leak.go")
	s := testkit.Start(t, testkit.Options{Dir: dir})
	r := s.OK("profile", A{"target": "leak.go", "what": "memory", "timeout_ms": 120_000})
	lines := rows(r, "rows")
	kept, remember := said(t, r, "kept"), lines["remember"]
	if got := float64(remember.Bytes); got < kept*0.85 || got > kept*1.3 { // beside the orders, the list of them
		t.Errorf("remember holds %.0f bytes, and the program says %.0f: %s", got, kept, r)
	}
	if forget := lines["forget"]; forget.Bytes > int64(kept/20) {
		t.Errorf("forget holds %d bytes: %s", forget.Bytes, r)
	}
	process := start(t, dir, []string{"leak.go"}, "on")
	s.OK("session_start", A{"mode": "attach", "pid": process.Pid, "adapter_options": A{"observe": true}})
	s.Fail("CAPABILITY_NOT_SUPPORTED", "profile", A{"what": "memory", "seconds": 1}).Has("keeps no profile", "net/http/pprof")
}

// A running program of Go that keeps a profile is looked at twice, or once at each call.
func TestMemoryOfRunning(t *testing.T) {
	dir := folder(t, "leak.go")
	text, err := os.ReadFile(filepath.Join(dir, "leak.go"))
	if err != nil {
		t.Fatal(err)
	}
	text = bytes.Replace(text, []byte("import ("), []byte("import (\n\t_ \"net/http/pprof\""), 1)
	if err := os.WriteFile(filepath.Join(dir, "leak.go"), text, 0o600); err != nil {
		t.Fatal(err)
	}
	process := start(t, dir, []string{"leak.go"}, "on")
	s := testkit.Start(t, testkit.Options{Dir: dir})
	s.OK("session_start", A{"mode": "attach", "pid": process.Pid, "adapter_options": A{"observe": true}})
	for _, args := range []A{{"what": "memory", "seconds": 2}, {"what": "memory"}} {
		var remember row
		testkit.Eventually(t, 30*time.Second, "a garbage collection between two looks", func() bool {
			remember = rows(s.OK("profile", args), "rows")["remember"]
			return remember.Grown != 0
		})
		if remember.Grown < 0 || remember.Grown >= remember.Bytes {
			t.Errorf("remember has grown by %d of %d bytes", remember.Grown, remember.Bytes)
		}
	}
}

// Where goroutines and threads stand is told with what they wait for, each as often as it is.
func TestWaits(t *testing.T) {
	for _, p := range []struct {
		file  string
		build []string
		want  map[string]row
	}{
		{"waits.go", []string{"waits.go"}, map[string]row{
			"receive": {WaitsFor: "chan receive", Self: 60}, "locked": {WaitsFor: "sync.Mutex.Lock", Self: 30}, "main": {WaitsFor: "sleep", Self: 10},
		}},
		{"waits.c", []string{"gcc", "-g", "-O0", "-pthread", "waits.c"}, map[string]row{
			"grab": {WaitsFor: "a lock or a condition (futex)", Self: 50}, "reader": {WaitsFor: "read", Self: 16.7}, "sleeper": {WaitsFor: "its time (clock_nanosleep)", Self: 16.7},
			"main": {WaitsFor: "a lock or a condition (futex)", Self: 16.7},
		}},
	} {
		t.Run(p.file, func(t *testing.T) {
			dir := folder(t, p.file)
			process := start(t, dir, p.build)
			s := testkit.Start(t, testkit.Options{Dir: dir})
			s.OK("session_start", A{"mode": "attach", "pid": process.Pid, "adapter_options": A{"observe": true}})
			r := s.OK("profile", A{"what": "waits", "seconds": 1})
			got := rows(r, "rows")
			for name, want := range p.want {
				if row := got[name]; row.WaitsFor != want.WaitsFor || math.Abs(row.Self-want.Self) > 0.5 {
					t.Errorf("%s: %+v, want %+v: %s", name, row, want, r)
				}
			}
		})
	}
}
