package cluster

import (
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nkeys"

	"aidb-mcp/internal/cluster/link"
	"aidb-mcp/internal/cluster/machine"
	"aidb-mcp/internal/cluster/span"
	"aidb-mcp/internal/serving/pool"
	"aidb-mcp/internal/testkit"
)

// A NATS server with the configuration that docs/serving.md shows does as well as the
// embedded one. One that lets anybody in is refused.
func TestAServerOfYourOwn(t *testing.T) {
	t.Parallel()
	doc, err := os.ReadFile(filepath.Join(testkit.Root(), "docs", "serving.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, text, _ := strings.Cut(string(doc), "### A NATS server of your own")
	_, text, _ = strings.Cut(text, "```text\n")
	text, _, _ = strings.Cut(text, "```")
	keys := map[string]nkeys.KeyPair{}
	for name, placeholder := range map[string]string{"gate": "KEY_OF_GATE", "two": "KEY_OF_TWO"} {
		key, err := nkeys.CreateUser()
		if err != nil {
			t.Fatal(err)
		}
		public, err := key.PublicKey()
		if err != nil {
			t.Fatal(err)
		}
		keys[name] = key
		text = strings.Replace(text, placeholder, public, 1)
	}
	url := serveNATS(t, text)
	log := slog.New(slog.DiscardHandler)
	dial := func(role span.Role, name string) *nats.Conn {
		nc, err := span.Connect(span.Dial{URL: url, Role: role, Name: name, Key: keys[name], Log: log})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(nc.Close)
		return nc
	}
	h := machine.New(machine.Options{
		Name: "two", Workspaces: []machine.Workspace{{Name: "web", Dir: t.TempDir()}}, Log: log,
		Pool: pool.New(pool.Options{Command: []string{os.Args[0]}, Env: os.Environ()}),
	})
	nc := dial(span.Machine, "two")
	go func() { _ = h.Serve(t.Context(), nc) }()
	l := link.New(link.Options{Name: "gate", Observe: pool.Nobody(), Log: log})
	if err := l.Serve(dial(span.Gateway, "gate")); err != nil {
		t.Fatal(err)
	}
	a := sit(t, l, pool.Client{Principal: "ada"})
	if reply := a.ask("echo", `{}`); reply.Text("result", "principal") != "ada" {
		t.Errorf("%s", reply.Bytes())
	}
	a.Close()

	if _, err := span.Connect(span.Dial{URL: serveNATS(t, ""), Role: span.Machine, Name: "two", Key: keys["two"], Log: log}); err == nil || !strings.Contains(err.Error(), "lets anybody in") {
		t.Errorf("%v", err)
	}
}

func serveNATS(t *testing.T, config string) (url string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "nats.conf")
	if err := os.WriteFile(file, []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	o, err := server.ProcessConfigFile(file)
	if err != nil {
		t.Fatal(err)
	}
	o.Host, o.Port, o.NoLog, o.NoSigs = "127.0.0.1", server.RANDOM_PORT, true, true
	s, err := server.NewServer(o)
	if err != nil {
		t.Fatal(err)
	}
	s.Start()
	t.Cleanup(s.Shutdown)
	if !s.ReadyForConnections(10 * time.Second) {
		t.Fatal("it does not listen")
	}
	return s.ClientURL()
}
