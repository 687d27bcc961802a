package jsdebug

import (
	"bufio"
	"os/exec"
	"strings"
	"testing"

	"aidb-mcp/internal/system/netstat"
)

// A node that opens its inspector itself, as one that another with an inspector has forked,
// is not taken for a server until somebody watches it; what its program opens is one.
func TestTheInspectorThatNodeOpensItself(t *testing.T) {
	const servers = `let n = 0
for (let i = 0; i < 12; i++) require('node:net').createServer().listen(0, '127.0.0.1', () => ++n == 12 && console.log('up'))`
	for _, option := range []string{"--inspect=127.0.0.1:0", "--inspect=0", ""} {
		t.Run(option, func(t *testing.T) {
			cmd := exec.Command("node", append(strings.Fields(option), "-e", servers)...)
			cmd.Env = append(cmd.Environ(), "NODE_EXTRA_CA_CERTS=", "NODE_OPTIONS=")
			out, err := cmd.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			defer func() { _ = cmd.Process.Kill(); _ = cmd.Wait() }()
			if line, err := bufio.NewReader(out).ReadString('\n'); line != "up\n" {
				t.Fatalf("it says %q, %v", line, err)
			}
			var inspectors, all int
			for _, socket := range netstat.Listening(cmd.Process.Pid) {
				if all++; (&dialect{}).OfDebugger(socket) {
					inspectors++
					if err := askInspector(t.Context(), socket.Address.String()); err != nil {
						t.Errorf("%v is taken for the inspector: %v", socket.Address, err)
					}
				}
			}
			want := 0
			if option != "" {
				want = 1
			}
			if inspectors != want || all != 12+want {
				t.Errorf("%d of %d sockets are taken for an inspector, want %d of %d", inspectors, all, want, 12+want)
			}
		})
	}
}

func TestWhereAnInspectorWouldOpen(t *testing.T) {
	for options, want := range map[string]inspectorAddress{
		"":                                             {host: "127.0.0.1", port: 9229},
		"--inspect-port=9230 a.js":                     {host: "127.0.0.1", port: 9230},
		"--inspect-port 9231 a.js":                     {host: "127.0.0.1", port: 9231},
		"--debug-port=127.0.0.1:45991 a.js":            {host: "127.0.0.1", port: 45991},
		"--inspect-port=0.0.0.0:1234":                  {host: "127.0.0.1", port: 1234},
		"--inspect-port=[::1]:1234":                    {host: "::1", port: 1234},
		"--inspect-port=127.0.0.2":                     {host: "127.0.0.2", port: 9229},
		"a.js --inspect-port=9230":                     {host: "127.0.0.1", port: 9229}, // the program's own
		"--inspect-port=0":                             {host: "127.0.0.1", port: 0},
		"-r ts-node/register --inspect_port=9333 a.js": {host: "127.0.0.1", port: 9333},
		"--inspect=9300 --inspect-port=9400":           {host: "127.0.0.1", port: 9400},
		"--max-old-space-size=4096 --inspect":          {host: "127.0.0.1", port: 9229},
		"--inspect-port=nonsense --enable-fips":        {host: "127.0.0.1", port: 9229},
	} {
		if got := addressFromOptions(nodeOptions(strings.Fields(options))); got != want {
			t.Errorf("%s: %+v, want %+v", options, got, want)
		}
	}
}
