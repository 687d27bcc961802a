package delve

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	godap "github.com/google/go-dap"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/testkit"
)

func digest(t testing.TB, d *debuggee, depth int) []adapters.ThreadState {
	t.Helper()
	all, err := d.plan.Capabilities.Threads.Digest(t.Context(), d, depth)
	if err != nil {
		t.Fatalf("digest: %v", err)
	}
	return all.Threads
}

func TestDigestOfACrowd(t *testing.T) {
	t.Parallel()
	d, p, _ := programAt(t, "crowd", "ready")
	objects := map[string]int{}
	waiting := map[string]int{}
	for _, g := range digest(t, d, 3) {
		if g.System {
			continue
		}
		if len(g.Frames) == 0 || len(g.Frames) > 3 {
			t.Fatalf("goroutine %d has %d frames", g.ID, len(g.Frames))
		}
		top := g.Frames[0]
		waiting[fmt.Sprintf("%s:%d %s", top.Name, top.Line, g.Waiting)]++
		if g.Waiting == "chan receive" {
			objects[g.Object]++
		}
	}
	if n := waiting[fmt.Sprintf("main.wait:%d chan receive", p.Line("wait"))]; n != 1000 {
		t.Errorf("%d wait for the gate, want 1000: %v", n, waiting)
	}
	if n := waiting[fmt.Sprintf("main.nap:%d sleep", p.Line("nap"))]; n != 3 {
		t.Errorf("%d sleep, want 3: %v", n, waiting)
	}
	if len(objects) != 1 {
		t.Errorf("they wait for %v, want one channel", objects)
	}
	for object := range objects {
		contains(t, object, "chan 0x", "(unbuffered)")
	}
}

func BenchmarkDigestOfAThousandGoroutines(b *testing.B) {
	d, _, _ := programAt(b, "crowd", "ready")
	for b.Loop() {
		digest(b, d, 10)
	}
}

func TestWaitSinceAndLabels(t *testing.T) {
	t.Parallel()
	p := testkit.NewProgram(t, "")
	p.Write("go.mod", "module labels\n\ngo 1.25\n")
	p.Write("main.go", `package main

import (
	"context"
	"fmt"
	"runtime"
	"runtime/pprof"
	"time"
)

func main() {
	forever := make(chan int, 3)
	forever <- 1
	go pprof.Do(context.Background(), pprof.Labels("kind", "sender"), func(context.Context) {
		for i := range 10 {
			forever <- i
		}
	})
	time.Sleep(50 * time.Millisecond)
	runtime.GC()
	time.Sleep(20 * time.Millisecond)
	runtime.GC() // stamps those that wait with the time of the one before
	fmt.Println("ready") //@mark ready
}
`)
	d := launch(t, plan(t, adapters.Request{Target: ".", Workspace: p.Dir}))
	d.breakAt(filepath.Join(p.Dir, "main.go"), p.Line("ready"))
	d.run()
	d.stop()
	i := slices.IndexFunc(digest(t, d, 10), func(s adapters.ThreadState) bool { return s.Labels["kind"] == "sender" })
	if i < 0 {
		t.Fatal("no goroutine has the label")
	}
	s := digest(t, d, 10)[i]
	if s.Waiting != "chan send" || s.Since < 20*time.Millisecond || s.Since > time.Hour {
		t.Errorf("waits for %q since %s", s.Waiting, s.Since)
	}
	contains(t, s.Object, "(3 of 3 buffered)")
}

func TestNearestLinesAndLikeNames(t *testing.T) {
	t.Parallel()
	d, p, _ := programAt(t, "calls", "nested")
	finder := d.plan.Capabilities.Breakpoints
	file := filepath.Join(p.Dir, "main.go")
	lines, err := finder.Lines(t.Context(), d, file, p.Line("combine")-2, 3)
	if err != nil || !slices.Contains(lines, p.Line("combine")) || len(lines) != 3 {
		t.Errorf("lines %v, %v; want line %d among them", lines, err, p.Line("combine"))
	}
	for _, got := range d.breakAt(file, lines...) {
		if !got.Verified {
			t.Errorf("a line that was offered does not bind: %s", got.Message)
		}
	}
	for _, name := range []string{"main.Combine", "combine", "main.combin", "mian.combine", "calls.combine"} {
		like, err := finder.Functions(t.Context(), d, name, 3)
		if err != nil || len(like) == 0 || like[0] != "main.combine" {
			t.Errorf("like %s are %v, %v", name, like, err)
		}
	}
	if like, err := finder.Functions(t.Context(), d, "Sum", 5); err != nil || !slices.Contains(like, "main.point.Sum") {
		t.Errorf("like Sum are %v, %v", like, err)
	}
}

func TestJump(t *testing.T) {
	t.Parallel()
	d, p, stop := programAt(t, "calls", "start")
	file := filepath.Join(p.Dir, "main.go")
	jump := d.plan.Capabilities.Machine.Jump
	d.userFrame(stop.ThreadID) // so that stale stacks would be noticed
	if err := jump(t.Context(), d, stop.ThreadID, file, p.Line("end")); err != nil {
		t.Fatal(err)
	}
	if frame := d.userFrame(stop.ThreadID); frame.Line != p.Line("end") {
		t.Errorf("stands at line %d after the jump", frame.Line)
	}
	for line, reason := range map[int]string{p.Line("double"): "main.double", 1: "no code"} {
		if err := jump(t.Context(), d, stop.ThreadID, file, line); err == nil {
			t.Errorf("jumped to line %d", line)
		} else {
			contains(t, err.Error(), reason)
		}
	}
	d.call("continue", godap.ContinueArguments{}, nil)
	d.end()
	if got := d.output(&d.stdout); got != "end\n" {
		t.Errorf("stdout %q", got)
	}
}

func TestReturnedValues(t *testing.T) {
	t.Parallel()
	d, _, stop := programAt(t, "calls", "combine")
	d.call("stepOut", godap.StepOutArguments{ThreadId: stop.ThreadID}, nil)
	stop = d.stop()
	values, err := d.plan.Capabilities.Values.Returned(t.Context(), d, stop.ThreadID)
	if err != nil || len(values) != 1 || values[0].Value != "15" || values[0].Type != "int" {
		t.Errorf("returned %+v, %v", values, err)
	}
}

func TestMemoryRegistersGlobalsModules(t *testing.T) {
	t.Parallel()
	d, _, stop := programAt(t, "calls", "nested")
	frame := d.userFrame(stop.ThreadID)
	at := d.evaluate(frame.Id, "uintptr(&count)") // 824633802832 = 0xc0000140d0
	address, err := strconv.ParseUint(at[strings.LastIndex(at, "0x")+2:], 16, 64)
	if err != nil {
		t.Fatalf("%s: %v", at, err)
	}
	data, err := d.plan.Capabilities.Machine.Memory(t.Context(), d, address, 8)
	if err != nil || len(data) != 8 || data[0] != 6 {
		t.Errorf("memory of count: %v, %v", data, err)
	}
	if _, err := d.plan.Capabilities.Machine.Memory(t.Context(), d, 8, 8); err == nil {
		t.Error("memory at 8 could be read")
	}
	registers, err := d.plan.Capabilities.Machine.Registers(t.Context(), d, stop.ThreadID, 0)
	if err != nil || !slices.ContainsFunc(registers, func(v godap.Variable) bool {
		return (v.Name == "rip" || v.Name == "pc") && strings.HasPrefix(v.Value, "0x")
	}) {
		t.Errorf("registers %v, %v", registers, err)
	}
	lister := d.plan.Capabilities.Values
	globals, err := lister.Globals(t.Context(), d, stop.ThreadID, 0, "")
	if err != nil || len(globals) != 1 || globals[0].Name != "tallied" || globals[0].Value != "0" {
		t.Errorf("globals %+v, %v", globals, err)
	}
	stdout, err := lister.Globals(t.Context(), d, stop.ThreadID, 0, "os.Stdout")
	if err != nil || len(stdout) == 0 || d.evaluate(frame.Id, stdout[0].EvaluateName) == "" {
		t.Errorf("globals like os.Stdout: %+v, %v", stdout, err)
	}
	modules, err := d.plan.Capabilities.Machine.Modules(t.Context(), d, "")
	if err != nil || len(modules) != 2 || modules[0].Name != "calls" || !strings.HasPrefix(modules[1].Version, "go1.") {
		t.Errorf("modules %+v, %v", modules, err)
	}
}

func TestPowersWaitForAStop(t *testing.T) {
	t.Parallel()
	p := testkit.NewProgram(t, "endless")
	d := launch(t, plan(t, adapters.Request{Target: ".", Workspace: p.Dir}))
	d.run()
	_, err := d.plan.Capabilities.Threads.Digest(t.Context(), d, 5)
	if err == nil {
		t.Fatal("a running program was digested")
	}
	if message, _ := d.plan.Dialect.Fault("aidb/digest", err); message != "the program is running" {
		t.Errorf("refused with %q", message)
	}
}

// A call that never returns is ended by pause, and the program goes on.
func TestPauseInterruptsACall(t *testing.T) {
	t.Parallel()
	d, _, stop := programAt(t, "calls", "nested")
	frame := d.userFrame(stop.ThreadID)
	pending := d.Send("evaluate", godap.EvaluateArguments{Expression: "call forever()", FrameId: frame.Id, Context: "repl"})
	time.Sleep(200 * time.Millisecond) // the call is under way
	d.call("pause", godap.PauseArguments{ThreadId: stop.ThreadID}, nil)
	err := pending.Wait(t.Context(), nil)
	if err == nil {
		t.Fatal("the call has returned")
	}
	message, hint := d.plan.Dialect.Fault("evaluate", err)
	if !strings.Contains(message, "interrupted") || hint == "" {
		t.Errorf("%q, %q", message, hint)
	}
	if stop := d.stop(); stop.Reason != "pause" {
		t.Errorf("stopped for %+v", stop)
	}
	d.call("disconnect", godap.DisconnectArguments{}, nil)
}
