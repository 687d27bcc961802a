package testkit

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	godap "github.com/google/go-dap"
)

// Fault is a way in which a debug adapter can be of no use.
type Fault string

// The faults. Each speaks on its standard streams, unless an argument of its
// command line, or the one after it, says --port=N or --sock-path=PATH: then it
// listens there.
const (
	Hangs           Fault = "hangs"             // never says anything, and listens nowhere
	Dies            Fault = "dies"              // complains on its standard error and ends with code 7
	Babbles         Fault = "babbles"           // writes what is no DAP message, and goes on living
	Halves          Fault = "halves"            // begins a message and never ends it
	DiesAtLaunch    Fault = "dies-at-launch"    // answers initialize, and ends when it is to launch
	RefusesLaunch   Fault = "refuses-launch"    // says why it cannot launch
	NeverReady      Fault = "never-ready"       // answers everything and never says initialized
	DiesWhenRunning Fault = "dies-when-running" // does it all, and ends once the program runs
)

// FakeWords is what a fake adapter says when it dies or babbles.
const FakeWords = "libdebug.so.3: no such file"

const (
	fakeFault = "AIDB_FAKE_ADAPTER"
	fakeCode  = 7
)

// FakeAdapter is the path of an executable that is such an adapter, called name
// so that it can stand for the real one. The package's tests must run through Main.
func FakeAdapter(t testing.TB, name string, fault Fault) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), name)
	script := fmt.Sprintf("#!/bin/sh\n%s='%s' exec '%s' \"$@\"\n", fakeFault, fault, self)
	if err := os.WriteFile(path, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

// fake does the work of a fake adapter, when this process is one, and ends it.
func fake() {
	fault := Fault(os.Getenv(fakeFault))
	if fault == "" {
		return
	}
	switch fault {
	case Hangs:
		forever()
	case Dies:
		fmt.Fprintln(os.Stderr, FakeWords)
		os.Exit(fakeCode)
	}
	f := faker{fault: fault, in: bufio.NewReader(os.Stdin), out: os.Stdout}
	if conn := accept(strings.Join(os.Args[1:], " ")); conn != nil {
		f.in, f.out = bufio.NewReader(conn), conn
	}
	f.serve()
	os.Exit(0)
}

// forever waits until it is killed, however its input ends.
func forever() {
	for { // a wait for nothing at all would be a deadlock, which Go's runtime ends
		<-time.After(time.Hour)
	}
}

// accept waits for a client where the command line says.
func accept(line string) net.Conn {
	for _, way := range []struct{ network, flag, host string }{
		{"tcp", "--port", "127.0.0.1:"}, {"unix", "--sock-path", ""},
	} {
		_, rest, ok := strings.Cut(line, way.flag)
		if !ok {
			continue
		}
		address, _, _ := strings.Cut(strings.TrimLeft(rest, "= "), " ")
		l, err := net.Listen(way.network, way.host+address)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(fakeCode)
		}
		fmt.Fprintf(os.Stderr, "listening at %s\n", l.Addr())
		conn, err := l.Accept()
		if err != nil {
			os.Exit(fakeCode)
		}
		return conn
	}
	return nil
}

// faker is the adapter's end of the conversation.
type faker struct {
	fault Fault
	in    *bufio.Reader
	out   io.Writer
	seq   int
}

func (f *faker) serve() {
	switch f.fault {
	case Babbles:
		fmt.Fprintln(f.out, strings.Repeat(FakeWords+"\n", 3))
		forever()
	case Halves:
		fmt.Fprint(f.out, "Content-Length: 100\r\n\r\n{\"seq\":1,")
		forever()
	}
	for {
		body, err := godap.ReadBaseMessage(f.in)
		if err != nil {
			return
		}
		var r struct {
			Seq     int
			Command string
		}
		if json.Unmarshal(body, &r) == nil {
			f.answer(r.Seq, r.Command)
		}
	}
}

func (f *faker) answer(to int, command string) {
	reply := map[string]any{"type": "response", "request_seq": to, "command": command, "success": true, "body": map[string]any{}}
	switch {
	case command == "initialize":
		reply["body"] = map[string]any{"supportsConfigurationDoneRequest": true}
	case command == "launch" && f.fault == DiesAtLaunch:
		fmt.Fprintln(os.Stderr, FakeWords)
		os.Exit(fakeCode)
	case command == "launch" && f.fault == RefusesLaunch:
		reply["success"], reply["message"] = false, FakeWords
	case command == "launch" && f.fault != NeverReady:
		f.send(map[string]any{"type": "event", "event": "initialized"})
	case command == "setBreakpoints":
		reply["body"] = map[string]any{"breakpoints": []any{}}
	}
	f.send(reply)
	if command == "configurationDone" && f.fault == DiesWhenRunning {
		fmt.Fprintln(os.Stderr, FakeWords)
		os.Exit(fakeCode)
	}
}

func (f *faker) send(message map[string]any) {
	f.seq++
	message["seq"] = f.seq
	body, err := json.Marshal(message)
	if err == nil {
		_, _ = fmt.Fprintf(f.out, "Content-Length: %d\r\n\r\n%s", len(body), body)
	}
}
