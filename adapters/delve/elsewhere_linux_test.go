//go:build amd64 || arm64

package delve

import (
	"bufio"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/go-delve/delve/service"
	"github.com/go-delve/delve/service/api"
	"github.com/go-delve/delve/service/debugger"
	"github.com/go-delve/delve/service/rpccommon"
	godap "github.com/google/go-dap"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/testkit"
)

// The test binary plays Delves that are not ours; each takes a process of its
// own, because a debugger waits for any child of its process.
func init() {
	roles := map[string]func(args []string) error{"write-core": writeCore, "serve-headless": serveHeadless}
	if len(os.Args) < 2 || roles[os.Args[1]] == nil {
		return
	}
	if err := roles[os.Args[1]](os.Args[2:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

// writeCore runs a binary up to a location and writes a core file there.
func writeCore(args []string) error {
	dbg, err := debugger.New(&debugger.Config{Backend: "default"}, args[:1])
	if err != nil {
		return err
	}
	defer dbg.Detach(true)
	if _, err := dbg.CreateBreakpoint(&api.Breakpoint{}, args[1], nil, false); err != nil {
		return err
	}
	if _, err := dbg.Command(&api.DebuggerCommand{Name: api.Continue}, nil, nil, nil); err != nil {
		return err
	}
	if err := dbg.DumpStart(args[2]); err != nil {
		return err
	}
	return dbg.DumpWait(time.Minute).Err
}

// serveHeadless is dlv exec --headless --accept-multiclient; it prints its port.
func serveHeadless(args []string) error {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	server := rpccommon.NewServer(&service.Config{
		Listener: listener, ProcessArgs: args, AcceptMulti: true, APIVersion: 2,
		Debugger: debugger.Config{Backend: "default"},
	})
	if err := server.Run(); err != nil {
		return err
	}
	fmt.Println(listener.Addr().(*net.TCPAddr).Port)
	select {}
}

func TestCore(t *testing.T) {
	t.Parallel()
	p := testkit.NewProgram(t, "averages")
	bin, core := p.Build("."), filepath.Join(t.TempDir(), "core")
	dump := exec.Command(os.Args[0], "write-core", bin, p.At(filepath.Join(p.Dir, "main.go"), "divide"), core)
	if out, err := dump.CombinedOutput(); err != nil {
		t.Fatalf("writing a core: %v\n%s", err, out)
	}
	d := launch(t, plan(t, adapters.Request{Target: bin, CoreFile: core, Workspace: p.Dir}))
	d.run()
	stop := d.stop()
	var threads godap.ThreadsResponseBody
	d.call("threads", nil, &threads)
	if stop.Reason != "entry" || len(threads.Threads) == 0 {
		t.Fatalf("stopped for %+v with threads %v", stop, threads)
	}
	frame := d.userFrame(threads.Threads[0].Id)
	if frame.Line != p.Line("divide") {
		t.Errorf("the core stands at %+v", frame)
	}
	contains(t, d.evaluate(frame.Id, "marks"), "90")
	if len(digest(t, d, 5)) == 0 {
		t.Error("no goroutines in the core")
	}
	message, hint := d.refuse("continue", godap.ContinueArguments{ThreadId: 1})
	contains(t, message, "core file")
	contains(t, hint, "inspect")
}

func TestRemote(t *testing.T) {
	t.Parallel()
	p := testkit.NewProgram(t, "averages")
	headless := exec.Command(os.Args[0], "serve-headless", p.Build("."))
	out, err := headless.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := headless.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { headless.Process.Kill(); headless.Wait() })
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	port, _ := strconv.Atoi(strings.TrimSpace(line))
	d := launch(t, plan(t, adapters.Request{Port: port, Workspace: p.Dir}))
	d.breakAt(filepath.Join(p.Dir, "main.go"), p.Line("divide"))
	d.run()
	if frame := d.userFrame(d.stop().ThreadID); frame.Line != p.Line("divide") {
		t.Errorf("stopped at %+v", frame)
	}
	if d.plan.Capabilities.Threads.Digest != nil {
		t.Error("a remote Delve claims what only our own can do")
	}
}

func TestRemoteNobody(t *testing.T) {
	t.Parallel()
	p := plan(t, adapters.Request{Host: "127.0.0.1", Port: 1})
	_, err := p.Open(t.Context())
	if !fault.Is(err, fault.SessionStart) {
		t.Errorf("got %v", err)
	}
}

func TestTrimpath(t *testing.T) {
	t.Parallel()
	p := testkit.NewProgram(t, "averages")
	d := launch(t, plan(t, adapters.Request{Target: p.Build(".", "-trimpath"), Workspace: p.Dir}))
	if got := d.breakAt(filepath.Join(p.Dir, "main.go"), p.Line("divide")); !got[0].Verified {
		t.Fatalf("not bound: %s", got[0].Message)
	}
	lines, err := d.plan.Capabilities.Breakpoints.Lines(t.Context(), d, filepath.Join(p.Dir, "main.go"), p.Line("divide"), 1)
	if err != nil || len(lines) != 1 || lines[0] != p.Line("divide") {
		t.Errorf("lines %v, %v", lines, err)
	}
	d.run()
	if frame := d.userFrame(d.stop().ThreadID); frame.Source.Path != filepath.Join(p.Dir, "main.go") {
		t.Errorf("stopped in %s", frame.Source.Path)
	}
}

func TestReadyBinaries(t *testing.T) {
	t.Parallel()
	p := testkit.NewProgram(t, "exit0")
	f := refused(t, adapters.Request{Target: p.Build(".", "-ldflags=-s -w"), Workspace: p.Dir}, fault.InvalidTarget)
	contains(t, f.Message, "stripped")

	optimized := filepath.Join(t.TempDir(), "optimized")
	build := exec.Command("go", "build", "-o", optimized, ".")
	build.Dir = p.Dir
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	d := open(t, plan(t, adapters.Request{Target: optimized, Workspace: p.Dir}))
	pending := d.Send("launch", d.plan.Arguments)
	var warning godap.OutputEventBody
	d.await("output", &warning)
	if warning.Category != "important" {
		t.Errorf("category %s", warning.Category)
	}
	contains(t, warning.Output, "optimized")
	if err := pending.WaitOpen(t.Context(), nil); err != nil {
		t.Error(err)
	}
}
