//go:build linux

package attack

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"aidb-mcp/internal/testkit"
)

// A gateway does not start where its clients could read what is its own.
func TestALayoutThatShowsSecrets(t *testing.T) {
	open, apart := t.TempDir(), t.TempDir()
	openCert, openKey := certificate(t, open, "open")
	looseCert, loose := certificate(t, apart, "loose")
	if err := os.Chmod(loose, 0o666); err != nil {
		t.Fatal(err)
	}
	good, shown := filepath.Join(apart, "tokens"), filepath.Join(open, "tokens")
	write(t, good, "ada "+ada+"\n", 0o600)
	write(t, shown, "ada "+ada+"\n", 0o600)
	link := filepath.Join(apart, "link")
	if err := os.Symlink(shown, link); err != nil {
		t.Fatal(err)
	}
	settings := filepath.Join(open, "settings.json")
	write(t, settings, "{}", 0o600)
	for what, c := range map[string]struct {
		args []string
		home string
		says string
	}{
		"tokens":                 {[]string{"--token-file", shown}, apart, "--token-file"},
		"tokens behind a link":   {[]string{"--token-file", link}, apart, "--token-file"},
		"a key":                  {[]string{"--token-file", good, "--tls-cert", openCert, "--tls-key", openKey}, apart, "--tls-key"},
		"settings":               {[]string{"--token-file", good, "--config", settings}, apart, "the settings file"},
		"a log":                  {[]string{"--token-file", good, "--log-file", filepath.Join(open, "log")}, apart, "--log-file"},
		"an account":             {[]string{"--token-file", good}, open, "the account of calls"},
		"the user's own token":   {[]string{"--no-store"}, open, "the token of this user"},
		"a key that all can use": {[]string{"--token-file", good, "--tls-cert", looseCert, "--tls-key", loose}, apart, "can be read or written by others"},
	} {
		cmd := exec.CommandContext(t.Context(), testkit.Binary(t), append([]string{"serve", "--http", "127.0.0.1:0", "--allow-root", open}, c.args...)...)
		cmd.Env = append(os.Environ(), "AIDB_HOME="+filepath.Join(c.home, "home"), "AIDB_NO_STORE=false")
		out, err := cmd.CombinedOutput()
		if err == nil || !strings.Contains(string(out), c.says) || strings.Contains(string(out), ada) {
			t.Errorf("%s: %v, want an error with %q in\n%s", what, err, c.says, out)
		}
	}
}

// certificate makes one for this machine in a folder.
func certificate(t *testing.T, dir, name string) (cert, key string) {
	t.Helper()
	cert, key = filepath.Join(dir, name+".pem"), filepath.Join(dir, name+".key")
	out, err := exec.Command("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "1",
		"-subj", "/CN="+name, "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", cert).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return cert, key
}

// nobody is a user that is not root, who may look into what is his.
const nobody = 65534

// A program of the same user reads neither the variables of a gateway, nor its
// memory, nor what it has open; and those of the workers have nothing of it.
func TestNobodyLooksIntoAGateway(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root can start it as another user")
	}
	dir := t.TempDir()
	for at := dir; at != "/"; at = filepath.Dir(at) { // the other user must come by
		if info, err := os.Stat(at); err == nil && info.Mode().Perm()&0o005 != 0o005 {
			_ = os.Chmod(at, info.Mode().Perm()|0o055)
		}
	}
	tokens := filepath.Join(dir, "tokens")
	write(t, tokens, "ada "+ada+"\n", 0o600)
	given, err := os.Open(tokens) // which nobody himself cannot
	if err != nil {
		t.Fatal(err)
	}
	defer given.Close()
	binary := filepath.Join(dir, "aidb-mcp")
	copyFile(t, testkit.Binary(t), binary)
	said, err := os.Create(filepath.Join(dir, "said"))
	if err != nil {
		t.Fatal(err)
	}
	defer said.Close()
	cmd := exec.Command(binary, "serve", "--http", "127.0.0.1:0", "--token-file", "-", "--no-store")
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "TMPDIR=" + dir, "AIDB_TOKEN=not-for-programs"}
	cmd.Dir, cmd.Stdin, cmd.Stdout, cmd.Stderr = dir, given, said, said
	if err := os.Chmod(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		_ = cmd.Wait()
	}()
	var address string
	testkit.Eventually(t, patience, "a gateway that listens", func() bool {
		text, _ := os.ReadFile(said.Name())
		_, rest, ok := strings.Cut(string(text), "aidb-mcp serves ")
		address, _, _ = strings.Cut(rest, "\n")
		return ok && address != ""
	})
	r, _ := http.NewRequest(http.MethodPost, address, strings.NewReader(hello))
	r.Header = http.Header{"Authorization": {"Bearer " + ada}, "Content-Type": {"application/json"}, "Accept": {"application/json, text/event-stream"}}
	reply, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	text, _ := io.ReadAll(reply.Body)
	reply.Body.Close()
	if reply.StatusCode != http.StatusOK {
		t.Fatalf("%d %s", reply.StatusCode, text)
	}
	look := func(what string, pid int) (string, error) {
		c := exec.Command("sh", "-c", fmt.Sprintf("%s 2>&1", strings.ReplaceAll(what, "PID", fmt.Sprint(pid))))
		c.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
		out, err := c.CombinedOutput()
		return string(out), err
	}
	for _, what := range []string{"cat /proc/PID/environ", "head -c1 /proc/PID/mem", "ls /proc/PID/fd/", "cat /proc/PID/fd/0", "ls /proc/PID/root/"} {
		if out, err := look(what, cmd.Process.Pid); err == nil || !strings.Contains(out, "denied") {
			t.Errorf("%s: %v %.200q", what, err, out)
		}
	}
	workers := 0
	for _, p := range testkit.Descendants(cmd.Process.Pid) {
		out, err := look("cat /proc/PID/environ", p.PID)
		if err == nil && strings.Contains(p.Command, " serve") {
			workers++
		}
		if strings.Contains(out, "not-for-programs") || strings.Contains(out, ada) {
			t.Errorf("%s has in its environment what is the gateway's", p.Command)
		}
	}
	if workers == 0 {
		t.Error("there is no worker to look into")
	}
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	text, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	write(t, to, string(text), 0o755)
}

// An identity provider that sends without end is given up, and known tokens pass meanwhile.
func TestAProviderWithoutEnd(t *testing.T) {
	endless := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, `{"keys":[`)
		for part := []byte(strings.Repeat(`{"kty":"RSA","kid":"x","n":"AQAB","e":"AQAB"},`, 1000)); ; {
			if _, err := w.Write(part); err != nil {
				return
			}
		}
	}))
	defer endless.Close()
	g := serve(t, "--oauth-issuer", endless.URL, "--oauth-keys", endless.URL, "--oauth-resource", "https://debug.example.org/mcp")
	// {"alg":"RS256","kid":"unknown"} {"iss":…}: nobody has signed it
	const unknown = "eyJhbGciOiJSUzI1NiIsImtpZCI6InVua25vd24ifQ.eyJpc3MiOiJ4Iiwic3ViIjoieCIsImF1ZCI6IngiLCJleHAiOjk5OTk5OTk5OTl9.AAAA"
	for range 10 {
		if status, text := g.post(unknown, hello, nil); status != http.StatusUnauthorized || len(text) > 2000 {
			t.Errorf("%d %.300s", status, text)
		}
	}
	g.stands()
}

// Names that a client makes up are counted together, and leave room for those that are.
func TestInventedNames(t *testing.T) {
	g := serve(t)
	h := g.session(eve)
	for i := range 400 {
		g.post(eve, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"invented/%d"}`, i, i), h)
		g.post(eve, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"invented%d","arguments":{}}}`, i, i), h)
	}
	g.post(eve, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"config","arguments":{}}}`, h)
	_, text := g.get("/metrics", ada)
	if !strings.Contains(text, `aidb_call_duration_seconds_count{code="",method="tools/call",tool="config"} 1`) || strings.Contains(text, "invented") {
		t.Errorf("%.3000s", text)
	}
	g.stands()
}

// Whoever comes while all places are taken by workers that rest gets one at once, and
// so does the other who comes with him.
func TestTwoWhoComeTogether(t *testing.T) {
	g := serve(t, "--workers", "3")
	for _, token := range []string{ada, ada, ada} {
		g.agent(token).call(t, "context", nil)
	}
	took := make(chan time.Duration, 2)
	for _, token := range []string{bob, eve} {
		go func() {
			begun := time.Now()
			status, text := g.post(token, hello, nil)
			if status != http.StatusOK || !strings.Contains(text, "serverInfo") {
				t.Errorf("%d %.300s", status, text)
			}
			took <- time.Since(begun)
		}()
	}
	t.Logf("they waited %s and %s", (<-took).Round(time.Millisecond), (<-took).Round(time.Millisecond))
}
