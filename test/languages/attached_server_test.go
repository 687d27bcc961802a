//go:build linux

package languages

import (
	"os"
	"os/exec"
	"strconv"
	"syscall"
	"testing"

	"aidb-mcp/adapters/install"
	"aidb-mcp/internal/testkit"
)

// A server that runs already and is attached to waits for a request: the reply says where it
// listens, without the debugger's port, and comes when the breakpoints stand, not at the end of
// the call's time. It answers the request that is sent then.
func TestAttachedServerWaitsForARequest(t *testing.T) {
	t.Parallel()
	testkit.Adapters(t)
	const nodeServer = "require('http').createServer((request, response) => {\n  response.end('hello') // @mark answer\n}).listen(0, '127.0.0.1', () => console.log('up'))\n"
	const pythonServer = "from http.server import BaseHTTPRequestHandler, HTTPServer\nclass Handler(BaseHTTPRequestHandler):\n    def do_GET(self):\n        self.send_response(200) # @mark answer\n        self.end_headers()\nserver = HTTPServer(('127.0.0.1', 0), Handler)\nprint('up', flush=True)\nserver.serve_forever()\n"
	for name, c := range map[string]struct {
		file, text string
		command    func(port string) []string
		byPort     bool
	}{
		"python": {
			"serve.py", pythonServer,
			func(string) []string { return []string{"python3", "serve.py"} }, false,
		},
		"python by port": {
			"serve.py", pythonServer, func(port string) []string {
				return []string{"python3", "-Xfrozen_modules=off", "-m", "debugpy", "--listen", port, "serve.py"}
			}, true,
		},
		"node":         {"serve.js", nodeServer, func(string) []string { return []string{"node", "--inspect-port=0", "serve.js"} }, false},
		"node by port": {"serve.js", nodeServer, func(port string) []string { return []string{"node", "--inspect=127.0.0.1:" + port, "serve.js"} }, true},
		"ruby by port": {
			"serve.rb", "require 'socket'\nserver = TCPServer.new('127.0.0.1', 0)\nputs 'up'\n$stdout.flush\nloop do\n  client = server.accept\n  client.gets\n  client.write \"HTTP/1.1 200 OK\\r\\nContent-Length: 0\\r\\nConnection: close\\r\\n\\r\\n\" # @mark answer\n  client.close\nend\n",
			func(port string) []string {
				return []string{"rdbg3.1", "--open", "--nonstop", "--host", "127.0.0.1", "--port", port, "--", "serve.rb"}
			}, true,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if name == "python by port" || name == "node" {
				testkit.Long(t, "it is told where it listens as one that is attached to in the other way")
			}
			p := testkit.NewProgram(t, "")
			p.Write(c.file, c.text)
			port := testkit.Port(t)
			words := c.command(strconv.Itoa(port))
			cmd := exec.Command(words[0], words[1:]...)
			cmd.Dir, cmd.Env = p.Dir, append(os.Environ(), "PYTHONPATH="+install.Store{Home: install.Home()}.Dir("debugpy"))
			begin(t, cmd)
			start := A{"mode": "attach", "pid": cmd.Process.Pid}
			if c.byPort {
				start = A{"mode": "remote_attach", "port": port}
			}
			start["breakpoints"], start["timeout_ms"] = []A{{"file": c.file, "line": p.Line("answer")}}, startLimit
			s := testkit.Start(t, testkit.Options{Dir: p.Dir})
			r := s.OK("session_start", start).Want("running", "data", "execution_state", "status")
			var at []string
			r.Decode(&at, "data", "listening")
			if len(at) != 1 {
				t.Fatalf("it listens at %v:\n%s", at, r)
			}
			s.OK("breakpoint", A{"action": "list"}).Want("true", "data", "breakpoints", "0", "verified")
			r = s.OK("execute", A{"action": "wait", "timeout_ms": startLimit, "trigger": A{"http": A{"url": "http://" + at[0] + "/"}}})
			r.Stopped("stopped_at_breakpoint", p.At(c.file, "answer"))
			s.OK("session", A{"action": "stop"})
		})
	}
}

// Several processes serve at one address: who attaches to one of them is told of the others,
// for a request may never come to where its breakpoints are.
func TestAttachedServerIsNotAlone(t *testing.T) {
	t.Parallel()
	testkit.Adapters(t)
	const forks = "import os, socket\nserver = socket.create_server(('127.0.0.1', 0))\nif os.fork() != 0:\n    print('up', flush=True)\nwhile True:\n    connection, _ = server.accept()\n    connection.close()\n"
	const cluster = "const cluster = require('cluster')\nif (cluster.isPrimary) {\n  cluster.fork().on('listening', () => console.log('up'))\n} else {\n  require('http').createServer((request, response) => response.end()).listen(0, '127.0.0.1')\n}\n"
	for name, c := range map[string]struct {
		command    []string
		file, text string
	}{
		"python": {[]string{"python3", "serve.py"}, "serve.py", forks},
		"node":   {[]string{"node", "--inspect-port=" + strconv.Itoa(testkit.Port(t)), "serve.js"}, "serve.js", cluster}, // its workers are handed what comes
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if name == "node" {
				testkit.Long(t, "it is told as of a server that forks")
			}
			p := testkit.NewProgram(t, "")
			p.Write(c.file, c.text)
			cmd := exec.Command(c.command[0], c.command[1:]...)
			cmd.Dir = p.Dir
			begin(t, cmd)
			children := testkit.Descendants(cmd.Process.Pid)
			if len(children) != 1 {
				t.Fatalf("it has the children %v", children)
			}
			t.Cleanup(func() { _ = syscall.Kill(children[0].PID, syscall.SIGKILL) })
			s := testkit.Start(t, testkit.Options{Dir: p.Dir})
			r := s.OK("session_start", A{"mode": "attach", "pid": cmd.Process.Pid, "timeout_ms": startLimit})
			r.Has("may be answered by process " + strconv.Itoa(children[0].PID) + " in its place")
		})
	}
}
