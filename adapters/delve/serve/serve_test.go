//go:build ((linux || darwin) && (amd64 || arm64)) || (windows && amd64)

package serve

import (
	"io"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	godap "github.com/google/go-dap"

	"aidb-mcp/adapters/delve/wire"
)

func TestUnknownGo(t *testing.T) {
	for producer, want := range map[string]string{
		"go1.26.8":                          "",
		"go1.25":                            "",
		"go1.27rc1":                         "",
		"Go cmd/compile go1.26.1; regabi":   "",
		"go1.17.3":                          "built with Go 1.17, and this Delve (" + Version() + ") knows Go 1.25 to 1.27",
		"go1.99":                            "built with Go 1.99",
		"devel go1.99-0123456 Sat Nov 2026": "built with Go 1.99",
		"":                                  "",
	} {
		got := unknownGo(producer)
		if want == "" && got != "" || !strings.Contains(got, want) {
			t.Errorf("%q: %q", producer, got)
		}
	}
}

func TestUserView(t *testing.T) {
	frames := []wire.Frame{
		{Function: "runtime.gopark", File: "/usr/local/go/src/runtime/proc.go"},
		{Function: "sync.(*Mutex).Lock", File: "/usr/local/go/src/sync/mutex.go"},
		{Function: "main.work", File: "/home/me/main.go"},
		{Function: "sync.(*WaitGroup).Go.func1", File: "/usr/local/go/src/sync/waitgroup.go"},
		{Function: "runtime.goexit", File: "/usr/local/go/src/runtime/asm_amd64.s"},
	}
	if diff := cmp.Diff(frames[2:4], userView(frames, 10)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(frames[2:3], userView(frames, 1)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(frames[:1], userView(frames[:1], 10)); diff != "" {
		t.Errorf("a goroutine of the runtime lost its only frame: %s", diff)
	}
}

// What the program writes arrives in whole characters, however it is cut.
func TestForwardKeepsCharactersWhole(t *testing.T) {
	const text = "grüße 日本 🙂 \xff end"
	in, out := io.Pipe()
	go func() {
		for i := range len(text) {
			out.Write([]byte{text[i]})
		}
		out.Close()
	}()
	var got strings.Builder
	forward(in, "stdout", func(m any) {
		part := m.(godap.OutputEvent).Body.Output
		if part == "\xc3" || part == "\xe6" {
			t.Errorf("a piece of a character: %q", part)
		}
		got.WriteString(part)
	})
	if got.String() != text {
		t.Errorf("got %q", got.String())
	}
}

func TestUnlikeness(t *testing.T) {
	order := []string{"main.combine", "calc.main.combine", "other.combine", "other.combin", "other.recombined"}
	last := -1
	for _, name := range order {
		score := unlikeness("main.combine", name, name[strings.LastIndexByte(name, '.')+1:])
		if score <= last || score == unlike {
			t.Errorf("%s scores %d after %d", name, score, last)
		}
		last = score
	}
	if score := unlikeness("main.combine", "fmt.println", "println"); score != unlike {
		t.Errorf("fmt.println scores %d", score)
	}
}

// However the debugger ends, its pipes must not stay in the temporary directory.
func TestRelayLeavesNoFile(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	r, err := newRelay(func(any) {})
	if err != nil {
		t.Fatal(err)
	}
	r.removePipes()
	left, err := os.ReadDir(os.Getenv("TMPDIR"))
	if err != nil || len(left) != 0 {
		t.Errorf("%v stays (%v)", left, err)
	}
}
