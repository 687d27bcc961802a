//go:build linux

package serving

import (
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"aidb-mcp/internal/testkit"
)

var shell = regexp.MustCompile("(?s)```sh\n(.*?)```")

// What docs/serving.md tells a team to do, done in its order: tokens, certificate,
// server, a look at it, and a client by the bridge.
func TestTheGuideForATeam(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(testkit.Root(), "docs", "serving.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, part, _ := strings.Cut(string(text), "\n## For a team\n")
	part, _, _ = strings.Cut(part, "\n### ")
	steps := shell.FindAllStringSubmatch(part, -1)
	if len(steps) != 4 {
		t.Fatalf("%d steps", len(steps))
	}
	p := testkit.NewProgram(t, "averages")
	place, port := t.TempDir(), strconv.Itoa(testkit.Port(t))
	if err := os.Symlink(p.Dir, filepath.Join(place, "work")); err != nil { // what the team works on
		t.Fatal(err)
	}
	cache, err := exec.Command("go", "env", "GOCACHE").Output() // the home of the steps is another
	if err != nil {
		t.Fatal(err)
	}
	run := func(step string) *exec.Cmd {
		cmd := exec.Command("bash", "-euc", strings.ReplaceAll(strings.Replace(step, "aidb-mcp serve", "exec aidb-mcp serve", 1), "3900", port))
		cmd.Dir = place
		cmd.Env = append(os.Environ(), "PATH="+filepath.Dir(testkit.Binary(t))+":"+os.Getenv("PATH"), "HOME="+filepath.Dir(p.Dir), "AIDB_HOME="+place, "AIDB_REPLIES=both", "GOCACHE="+strings.TrimSpace(string(cache)))
		return cmd
	}
	for _, step := range steps[:2] {
		if out, err := run(step[1]).CombinedOutput(); err != nil {
			t.Fatalf("%s%v\n%s", step[1], err, out)
		}
	}
	server := run(steps[2][1])
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = server.Process.Signal(syscall.SIGTERM)
		if err := server.Wait(); err != nil {
			t.Errorf("the server: %v", err)
		}
	}()
	testkit.Eventually(t, 20*time.Second, "a server that listens", func() bool {
		conn, err := net.Dial("tcp", "127.0.0.1:"+port)
		if err == nil {
			_ = conn.Close()
		}
		return err == nil
	})
	if out, err := run(steps[3][1]).CombinedOutput(); err != nil || !strings.Contains(string(out), `"workers":16`) || !strings.Contains(string(out), "aidb_workers 0") {
		t.Errorf("%s%v\n%s", steps[3][1], err, out)
	}
	client := testkit.Start(t, testkit.Options{Bare: true, Args: []string{
		"connect", "https://localhost:" + port + "/mcp", "--token-file", filepath.Join(place, "tokens"), "--tls-ca", filepath.Join(place, "server.pem"),
	}, Env: []string{"AIDB_HOME=" + t.TempDir()}})
	debugGo(client, p)
	client.Fail("POLICY_DENIED", "session_start", A{"target": "/etc"})
}
