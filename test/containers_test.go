//go:build linux

package test

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"aidb-mcp/internal/testkit"
)

// The debug ports of containers are listed by init; to the one at which something
// listens it proposes to attach.
func TestInitProposesContainers(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	port := listener.Addr().(*net.TCPAddr).Port
	p := testkit.NewProgram(t, "")
	compose := fmt.Sprintf(`services:
  api: {command: python -m debugpy --listen 0.0.0.0:5678 app.py, ports: ["%d:5678"], volumes: ["./api:/app"]}
  web: {command: node --inspect server.js, ports: ["1:9229"]}
`, port)
	if err := os.WriteFile(filepath.Join(p.Dir, "compose.yaml"), []byte(compose), 0o644); err != nil {
		t.Fatal(err)
	}
	s := testkit.Start(t, testkit.Options{Dir: p.Dir})
	n := strconv.Itoa(port)
	s.OK("init", nil).
		Want("api", "data", "containers", "0", "service").Want("127.0.0.1:"+n, "data", "containers", "0", "address").Want("true", "data", "containers", "0", "listens").
		Want("web", "data", "containers", "1", "service").Want("javascript", "data", "containers", "1", "language").
		Want("session_start", "next_steps", "0", "tool").Want(n, "next_steps", "0", "params", "port").Want("python", "next_steps", "0", "params", "language")
	alone := testkit.Start(t, testkit.Options{Dir: p.Dir, Args: []string{"--no-attach"}})
	alone.OK("init", nil).Want("api", "data", "containers", "0", "service").Lacks("attach to the container")
}
