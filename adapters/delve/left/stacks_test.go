package left

import (
	"reflect"
	"testing"

	"aidb-mcp/adapters"
)

const stacks = `goroutine 8 [chan send, 2 minutes]:
leaky.query(...)
	/tmp/leaky/a.go:5 +0x1f
created by example.com/leaky.start in goroutine 7
	/tmp/leaky/a.go:9 +0x66
[originating from goroutine 7]:
example.com/leaky.start(...)
	/tmp/leaky/a.go:10 +0x66
example.com/leaky.TestTimeout.func1(...)
	/tmp/leaky/a.go:11 +0x66
testing.tRunner(...)
	/usr/local/go/src/testing/testing.go:2039 +0xea
created by testing.(*T).Run
	/usr/local/go/src/testing/testing.go:2101 +0x4c5
[originating from goroutine 1]:
testing.(*T).Run(...)
	/usr/local/go/src/testing/testing.go:2109 +0x4c5
main.main(...)
	_testmain.go:46 +0x9b

goroutine 9 [IO wait]:
internal/poll.runtime_pollWait(0x7f, 0x72)
	/usr/local/go/src/runtime/netpoll.go:351 +0x85
net.(*netFD).accept(0xc0)
	/usr/local/go/src/net/fd_unix.go:172 +0x29
net/http.(*Server).Serve(0xc0, {0x1, 0x2})
	/usr/local/go/src/net/http/server.go:3424 +0x30c
created by example.com/leaky.TestMain in goroutine 1
	/tmp/leaky/a.go:20 +0x66
[originating from goroutine 1]:
example.com/leaky.TestMain(...)
	/tmp/leaky/a.go:21 +0x66
main.main(...)
	_testmain.go:46 +0x9b

goroutine 10 [syscall]:
os/signal.signal_recv()
	/usr/local/go/src/runtime/sigqueue.go:152 +0x29
os/signal.loop()
	/usr/local/go/src/os/signal/signal_unix.go:23 +0x13
created by os/signal.Notify.func1.1 in goroutine 7
	/usr/local/go/src/os/signal/signal.go:152 +0x1f

goroutine 11 [select (no cases)]:
example.com/leaky.TestAfter.func1()
	/tmp/leaky/a.go:30 +0x29
created by time.goFunc
	/usr/local/go/src/time/sleep.go:215 +0x2d`

func TestThings(t *testing.T) {
	at := func(function string, offset uint64) (int, bool) { return int(offset), function != "" }
	got := things(stacks, true, at)
	want := []adapters.LeftThing{
		{
			Kind: "goroutine", Test: "TestTimeout", WaitsFor: "chan send", Count: 1,
			Made: adapters.LeftPlace{File: "/tmp/leaky/a.go", Line: 9, Function: "leaky.start"},
			At:   adapters.LeftPlace{File: "/tmp/leaky/a.go", Line: 5, Function: "leaky.query"},
		},
		{
			Kind: "goroutine", WaitsFor: "select (no cases)", Count: 1,
			At: adapters.LeftPlace{File: "/tmp/leaky/a.go", Line: 30, Function: "leaky.TestAfter.func1"},
		},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("things are\n%+v, want\n%+v", got, want)
	}
	if n := len(things(stacks, false, at)); n != 3 {
		t.Errorf("%d things of a program whose main has made them all, want 3", n)
	}
}

// Who has made a goroutine through more than is told of counts: nothing says that it was none
// of the tests.
func TestUnrooted(t *testing.T) {
	const deep = `goroutine 30 [select (no cases)]:
a.f()
	/tmp/a/a.go:5 +0x1f
created by a.g in goroutine 29
	/tmp/a/a.go:9 +0x66
[originating from goroutine 29]:
a.g(...)
	/tmp/a/a.go:10 +0x66`
	got := things(deep, true, func(string, uint64) (int, bool) { return 0, false })
	if len(got) != 1 || got[0].Test != "" || got[0].Made.Line != 9 {
		t.Errorf("things are %+v", got)
	}
}

func TestTestName(t *testing.T) {
	for function, want := range map[string]string{
		"example.com/a.TestX":                  "TestX",
		"example.com/a.TestX.func1.2":          "TestX",
		"a_test.(*Suite).TestY":                "(*Suite).TestY",
		"example.com/go.mod/v3.BenchmarkZ":     "BenchmarkZ",
		"example.com/b.ExampleThing_add.func1": "ExampleThing_add",
	} {
		if got := testName(function); got != want {
			t.Errorf("testName(%q) = %q, want %q", function, got, want)
		}
	}
}
