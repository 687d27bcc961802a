//go:build linux

package languages

import (
	"encoding/json"
	"strings"
	"testing"

	"aidb-mcp/internal/testkit"
	"aidb-mcp/internal/testkit/filetree"
)

// step is a next step of a reply.
type step struct {
	Tool   string
	Params A
}

func nextSteps(t *testing.T, r testkit.Reply) []step {
	t.Helper()
	var reply struct {
		NextSteps []step `json:"next_steps"`
	}
	if err := json.Unmarshal([]byte(r.JSON), &reply); err != nil {
		t.Fatal(err)
	}
	return reply.NextSteps
}

// What init proposes runs as it is, in a workspace of every language.
func TestWhatInitProposesRuns(t *testing.T) {
	t.Parallel()
	testkit.Long(t, "test/frameworks starts its samples as init proposes it, in every language")
	cases := map[string]struct {
		files map[string]string
		wants []string // of the calls, in their order
	}{
		"go": {map[string]string{
			"go.mod":           "module example.org/shop\n\ngo 1.25\n",
			"cmd/shop/main.go": "package main\n\nfunc main() { println(\"sold\") }\n",
			"price_test.go":    "package shop\n\nimport \"testing\"\n\nfunc TestZero(t *testing.T) {}\n",
		}, []string{`"test":"TestZero"`, `"target":"./cmd/shop"`}},
		"python": {map[string]string{
			"pyproject.toml":     "[project]\nname = \"shop\"\n",
			"shop.py":            "def total():\n    return 6\n\nif __name__ == \"__main__\":\n    print(\"sold\", total())\n",
			"tests/test_shop.py": "import unittest\n\nclass Prices(unittest.TestCase):\n    def test_zero(self):\n        self.assertEqual(0, 0)\n",
		}, []string{`"test":"Prices::test_zero"`, `"target":"./shop.py"`}},
		"a python package": {map[string]string{
			"shop/__init__.py": "", "shop/__main__.py": "print('sold')\n",
		}, []string{`"target":"./shop"`}},
		"javascript": {map[string]string{
			"package.json":      `{"name": "shop", "scripts": {"start": "node src/start.js"}}`,
			"src/start.js":      "console.log('sold')\n",
			"test/shop.test.js": "const test = require('node:test')\ntest('zero is zero', () => {})\n",
		}, []string{`"test":"zero is zero"`, `"target":"./src/start.js"`}},
		"rust": {map[string]string{
			"Cargo.toml":  "[package]\nname = \"shop\"\nversion = \"0.1.0\"\nedition = \"2021\"\n",
			"src/main.rs": "fn main() { println!(\"sold\"); }\n\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn zero() { assert_eq!(0, 0); }\n}\n",
		}, []string{`"test":"tests::zero"`, `"target":"./src/main.rs"`}},
		"cmake": {map[string]string{
			"CMakeLists.txt": "cmake_minimum_required(VERSION 3.16)\nproject(shop CXX)\nadd_executable(shop main.cpp)\nadd_executable(other other.cpp)\n",
			"main.cpp":       "#include <cstdio>\nint main() { std::puts(\"sold\"); }\n",
			"other.cpp":      "int main() { return 0; }\n",
		}, []string{`"target":".","module":"shop"`}},
		"make": {map[string]string{
			"Makefile": "shop: shop.c\n\t$(CC) $(CFLAGS) -o $@ $<\n",
			"shop.c":   "#include <stdio.h>\nint main(void) { puts(\"sold\"); return 0; }\n",
		}, []string{`"target":"."`}},
		"java": {map[string]string{
			"Shop.java": "public class Shop {\n    public static void main(String[] args) {\n        System.out.println(\"sold\");\n    }\n}\n",
		}, []string{`"target":"./Shop.java"`}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := testkit.Start(t, testkit.Options{Dir: filetree.New(t, c.files)})
			steps := nextSteps(t, s.OK("init", nil))
			if len(steps) != len(c.wants) {
				t.Fatalf("%d proposals, want %d: %v", len(steps), len(c.wants), steps)
			}
			for i, step := range steps {
				params, _ := json.Marshal(step.Params)
				for part := range strings.SplitSeq(c.wants[i], ",") {
					if !strings.Contains(string(params), part) {
						t.Errorf("the call %s has no %s", params, part)
					}
				}
				step.Params["timeout_ms"] = startLimit
				r := s.OK(step.Tool, step.Params)
				r.Want("terminated", "data", "execution_state", "status").Want("0", "data", "execution_state", "exit_code")
				if i == len(steps)-1 { // programs follow the tests
					r.Has("sold")
				}
			}
		})
	}
}

const mixedService = `package main

import (
	"bufio"
	"fmt"
	"net"
	"os"
	"strings"
)

func price(name string) int {
	cents := len(name) * 100
	return cents
}

func main() {
	l, err := net.Listen("tcp", "127.0.0.1:"+os.Args[1])
	if err != nil {
		panic(err)
	}
	fmt.Println("listening")
	for {
		conn, err := l.Accept()
		if err != nil {
			return
		}
		line, _ := bufio.NewReader(conn).ReadString('\n')
		fmt.Fprintf(conn, "%d\n", price(strings.TrimSpace(line)))
		conn.Close()
	}
}
`

const mixedClient = `import socket
import sys


def ask(name):
    with socket.create_connection(("127.0.0.1", int(sys.argv[1]))) as conn:
        conn.sendall(name.encode() + b"\n")
        return int(conn.makefile().readline())


if __name__ == "__main__":
    cents = ask("apple")
    print("apple costs", cents)
`

// A service in Go and its client in Python, each in its own session of one
// server: the one stands still while the other waits for it.
func TestTwoLanguagesSideBySide(t *testing.T) {
	t.Parallel()
	s := testkit.Start(t, testkit.Options{Dir: filetree.New(t, map[string]string{
		"go.mod": "module example.org/shop\n\ngo 1.25\n", "service/main.go": mixedService,
		"client/client.py": mixedClient, "client/requirements.txt": "",
	})})
	steps := nextSteps(t, s.OK("init", nil))
	if len(steps) != 2 {
		t.Fatalf("want a start of each program, got %v", steps)
	}
	port := freePort(t)
	start := func(i int, breakpoints []A, wait int) testkit.Reply {
		params := steps[i].Params
		params["args"], params["breakpoints"], params["timeout_ms"] = []string{port}, breakpoints, wait
		return s.OK(steps[i].Tool, params)
	}
	// init lists by the directory's name: the client first.
	client, service := 0, 1
	if strings.Contains(steps[0].Params["target"].(string), "service") {
		client, service = 1, 0
	}
	goID := start(service, []A{{"file": "service/main.go", "statement": "return cents"}}, 0).At("session_id")
	s.OK("execute", A{"action": "wait", "session_id": goID, "timeout_ms": startLimit}).
		Want("running", "data", "execution_state", "status").Contains([]string{"data", "listening"}, ":"+port)
	pyID := start(client, []A{{"file": "client/client.py", "statement": `print("apple costs", cents)`}}, 0).At("session_id")

	// The service stops in the call that the client makes.
	r := s.OK("execute", A{"action": "wait", "session_id": goID, "timeout_ms": startLimit})
	r.Want("stopped_at_breakpoint", "data", "execution_state", "status").Want("main.price", "data", "function").Want("500", "data", "locals", "cents", "v")
	s.OK("session", A{"action": "status", "session_id": pyID}).Want("running", "data", "execution_state", "status")
	s.OK("execute", A{"session_id": goID, "timeout_ms": 0}).Want("running", "data", "execution_state", "status")

	// The client has its answer.
	r = s.OK("execute", A{"action": "wait", "session_id": pyID, "timeout_ms": startLimit})
	r.Stopped("stopped_at_breakpoint", "client/client.py:13").Want("500", "data", "locals", "cents", "v")
	s.OK("session", A{"action": "list"}).Has(goID, pyID)
	s.OK("execute", A{"session_id": pyID}).Has("apple costs 500")
	s.OK("session", A{"action": "status", "session_id": goID}).Want("running", "data", "execution_state", "status")
}

// Entries of launch.json start programs of every language, whatever editor
// extension they were written for.
func TestLaunchConfigurations(t *testing.T) {
	t.Parallel()
	dir := filetree.New(t, map[string]string{
		".vscode/launch.json": `{
			// as the extensions propose them
			"version": "0.2.0",
			"configurations": [
				{"name": "Python", "type": "debugpy", "request": "launch", "module": "shop", "args": ["a", "b"], "env": {"WHO": "me"}, "console": "integratedTerminal", "justMyCode": true},
				{"name": "Node", "type": "node", "request": "launch", "program": "${workspaceFolder}/shop.js", "skipFiles": ["<node_internals>/**"], "runtimeArgs": ["--no-warnings"], "args": ["a", "b"], "env": {"WHO": "me"}},
				{"name": "C++", "type": "cppdbg", "request": "launch", "program": "${workspaceFolder}/shop.out", "args": ["a", "b"], "stopAtEntry": true, "cwd": "${workspaceFolder}", "environment": [{"name": "WHO", "value": "me"}], "MIMode": "gdb"},
				{"name": "Java", "type": "java", "request": "launch", "mainClass": "Shop.java", "vmArgs": "-Dwho=me -Xmx64m", "args": "a b"},
				{"name": "Go", "type": "go", "request": "launch", "mode": "debug", "program": "${workspaceFolder}/cmd", "args": ["a", "b"], "env": {"WHO": "me"}},
			],
		}`,
		"shop/__main__.py": "import os, sys\nprint(os.environ['WHO'], *sys.argv[1:])\n",
		"shop.js":          "console.log(process.env.WHO, ...process.argv.slice(2))\n",
		"shop.cpp":         "#include <cstdio>\n#include <cstdlib>\nint main(int, char **argv) { std::printf(\"%s %s %s\\n\", std::getenv(\"WHO\"), argv[1], argv[2]); }\n",
		"Shop.java":        "public class Shop {\n    public static void main(String[] args) {\n        System.out.println(System.getProperty(\"who\") + \" \" + args[0] + \" \" + args[1]);\n    }\n}\n",
		"go.mod":           "module example.org/shop\n\ngo 1.25\n",
		"cmd/main.go":      "package main\n\nimport (\n\t\"fmt\"\n\t\"os\"\n)\n\nfunc main() { fmt.Println(os.Getenv(\"WHO\"), os.Args[1], os.Args[2]) }\n",
	})
	run(t, dir, "g++", "-g", "-O0", "-o", "shop.out", "shop.cpp")
	for _, name := range []string{"Python", "Node", "C++", "Java", "Go"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := testkit.Start(t, testkit.Options{Dir: dir})
			r := s.OK("session_start", A{"launch_config_name": name, "timeout_ms": startLimit})
			if name == "C++" {
				r.Want("stopped_at_entry", "data", "execution_state", "status")
				r = s.OK("execute", nil)
			}
			r.Want("terminated", "data", "execution_state", "status").Want("me a b\n", "data", "output", "stdout")
		})
	}
}
