//go:build linux

package languages

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"aidb-mcp/internal/testkit"
	"aidb-mcp/internal/testkit/filetree"
)

const nothing = syscall.Signal(0) // sent to ask whether a process lives

// TestJavaScriptRuntimes refuses what is no usable Node.js.
func TestJavaScriptRuntimes(t *testing.T) {
	t.Parallel()
	s, p := nodeProgram(t, "modules")
	script := func(name, text string) string {
		t.Helper()
		path := filepath.Join(p.Dir, name)
		if err := os.WriteFile(path, []byte("#!/bin/sh\n"+text+"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for _, tt := range []struct{ name, runtime, message, hint string }{
		{"missing", "/nowhere/node", "does not exist", "node executable"},
		{"too old", script("old", "echo v12.22.0"), "too old", "18"},
		{"no node", script("other", "echo hello"), "no Node.js", "--version"},
		{"failing", script("failing", "exit 3"), "exit code 3", "--version"},
	} {
		r := s.Fail("VALIDATION_INVALID_PARAM", "session_start", A{"target": "values.cjs", "runtime_path": tt.runtime})
		r.Contains([]string{"error", "message"}, tt.message).Contains([]string{"error", "hint"}, tt.hint).Want("runtime_path", "error", "field")
	}
	bare := testkit.Start(t, testkit.Options{Dir: p.Dir, Env: []string{"PATH=/nowhere", "HOME=" + t.TempDir()}})
	bare.Fail("ADAPTER_NOT_FOUND", "session_start", A{"target": "values.cjs"}).Contains([]string{"error", "hint"}, "Node.js", "runtime_path")
}

// TestJavaScriptInspectors tells plainly why nothing can be attached to.
func TestJavaScriptInspectors(t *testing.T) {
	t.Parallel()
	s, _ := nodeProgram(t, "modules")
	nobody := testkit.Port(t)
	other, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { other.Close() })
	stranger := other.Addr().(*net.TCPAddr).Port
	go func() {
		for {
			conn, err := other.Accept()
			if err != nil {
				return
			}
			fmt.Fprint(conn, "220 mail.example.com\r\n")
			conn.Close()
		}
	}()
	attach := func(more A) testkit.Reply {
		more["language"] = "javascript"
		return s.Fail("SESSION_START_FAILED", "session_start", more)
	}
	attach(A{"port": nobody}).Contains([]string{"error", "message"}, "connection refused").Contains([]string{"error", "hint"}, "--inspect")
	attach(A{"port": stranger}).Contains([]string{"error", "message"}, "no inspector of node").Contains([]string{"error", "hint"}, "--inspect")
	attach(A{"port": nobody, "host": "no.such.host.invalid"}).Contains([]string{"error", "message"}, "no.such.host.invalid")
	s.Fail("VALIDATION_INVALID_TARGET", "session_start", A{"language": "javascript", "pid": os.Getpid()}).
		Contains([]string{"error", "message"}, "is no node")
	s.Fail("VALIDATION_INVALID_PARAM", "session_start", A{"language": "javascript", "pid": 1 << 22}).
		Contains([]string{"error", "message"}, "there is no process")
}

// TestJavaScriptAdapters meets adapters that are missing, damaged, mute, dying
// and talking nonsense.
func TestJavaScriptAdapters(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, server string // of the adapter, "" is missing
		code         string
		message      string
	}{
		{"missing", "", "ADAPTER_NOT_FOUND", "js-debug"},
		{"damaged", "damaged", "ADAPTER_INSTALL_FAILED", "dapDebugServer.js"},
		{"hanging", "setInterval(() => {}, 1000)", "ADAPTER_TIMEOUT", "did not finish"},
		{"dying", "console.error('out of luck'); process.exit(7)", "ADAPTER_CRASHED", "out of luck"},
		{"nonsense", "const net = require('net'); net.createServer((c) => c.end('HTTP/1.1 400 no\\r\\n\\r\\n')).listen(process.argv[2], " +
			"() => console.log('Debug server listening at ' + process.argv[2]))", "ADAPTER_CRASHED", "ended unexpectedly"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := testkit.NewProgramOf(t, "javascript", "modules")
			home := t.TempDir()
			if tt.server != "" {
				fakeAdapter(t, home, tt.server)
			}
			s := testkit.Start(t, testkit.Options{Dir: p.Dir, Env: []string{"AIDB_HOME=" + home, "AIDB_ADAPTER_START_TIMEOUT=3s"}})
			begun := time.Now()
			s.Fail(tt.code, "session_start", A{"target": "values.cjs", "timeout_ms": startLimit}).
				Contains([]string{"error", "message"}, tt.message)
			if took := time.Since(begun); took > 30*time.Second {
				t.Errorf("it took %s", took)
			}
			s.NothingLeft(15 * time.Second)
		})
	}
}

// fakeAdapter installs a js-debug of our own making.
func fakeAdapter(t *testing.T, home, server string) {
	t.Helper()
	dir := filepath.Join(home, "adapters", "js-debug")
	if err := os.MkdirAll(filepath.Join(dir, "src"), 0o755); err != nil {
		t.Fatal(err)
	}
	size := len(server)
	if server == "damaged" {
		size = 1
	}
	filetree.Write(t, dir, map[string]string{
		"src/dapDebugServer.js": server,
		".files":                fmt.Sprintf("%s %d src/dapDebugServer.js\n", strings.Repeat("0", 64), size),
		".version":              "0.0.0",
	})
}
