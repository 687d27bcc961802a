package hostile

import (
	"context"
	"encoding/json"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"aidb-mcp/adapters"
	"aidb-mcp/handlers"
	"aidb-mcp/responses"
	"aidb-mcp/session"
)

// toy is a language whose adapter is hostile.
type toy struct {
	misdeed misdeed
	source  string
}

func (toy) Info() adapters.Info {
	return adapters.Info{Language: "toy", Name: "toydbg", Extensions: []string{".toy"}, Modes: []adapters.Mode{adapters.Launch}}
}
func (toy) Claims(adapters.Request) int              { return 1 }
func (toy) Services() adapters.Services              { return adapters.Services{} }
func (toy) Check(context.Context) adapters.Readiness { return adapters.Readiness{Ready: true} }

func (l toy) Plan(_ context.Context, r adapters.Request, _ func(string)) (*adapters.Plan, error) {
	return &adapters.Plan{
		Mode: adapters.Launch, Target: r.Target, Request: "launch", Arguments: O{"program": l.source},
		Dialect: adapters.Base{ID: "toy", Name: "toydbg"},
		Open: func(context.Context) (*adapters.Peer, error) {
			ours, theirs := net.Pipe()
			go newAdapter(theirs, l.misdeed, l.source).serve()
			return &adapters.Peer{Stream: ours, Kill: func() { theirs.Close() }, Stderr: func() string { return "" }}, nil
		},
	}, nil
}

// The limits of the engine's tests, and of each call.
var limits = session.Limits{Request: 3 * time.Second, AdapterStart: 5 * time.Second}

const longest = 15 * time.Second

// Whatever an adapter answers or says, each call ends in time with an answer
// that tells the truth in words of the contract, and the session can be stopped.
func TestWhateverAnAdapterSays(t *testing.T) {
	t.Parallel()
	dir, source := program(t)
	try := func(m misdeed, at string) {
		m.at = at
		t.Run(at+"/"+m.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) { visit(t, dir, toy{m, source}, part(at), nil) })
		})
	}
	for i, m := range slices.Concat(lies, manners) {
		for j, command := range commands {
			if tried(i, j) {
				try(m, command)
			}
		}
	}
	for i, m := range interruptions {
		for j, command := range moments {
			if tried(i, j) {
				try(m, command)
			}
		}
	}
}

// An adapter of good will is asked everything on the tour, and every call
// succeeds: else the misdeeds would be no test.
func TestTheTourAsksEverything(t *testing.T) {
	dir, source := program(t)
	for _, command := range commands {
		asked := false
		m := before("watched", func(*adapter, *request) { asked = true })
		m.at = command
		synctest.Test(t, func(t *testing.T) {
			visit(t, dir, toy{m, source}, tour, func(c call, a answer) {
				if a.isError {
					t.Errorf("%s %v: %s", c.tool, c.args, a.text)
				}
			})
		})
		if !asked {
			t.Errorf("%s was never asked", command)
		}
	}
}

// program is a directory with a program in it.
func program(t *testing.T) (dir, file string) {
	dir = t.TempDir()
	file = filepath.Join(dir, "main.toy")
	if err := os.WriteFile(file, []byte("def add\n  x = 1\nadd\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir, file
}

// visit makes the tour in this process, where time costs nothing.
func visit(t *testing.T, dir string, language adapters.Adapter, tour []call, see func(call, answer)) {
	registry := adapters.NewRegistry(language)
	log := slog.New(slog.DiscardHandler)
	sessions := session.NewManager(session.Options{Registry: registry, Limits: limits, Log: log})
	defer sessions.Close(context.Background())
	calls := handlers.NewRegistry(handlers.Deps{Sessions: sessions, Adapters: registry, Workspace: dir, Settings: &handlers.Settings{Replies: responses.Both}, Log: log})
	walk(t, tour, longest, see, func(tool string, args O) answer {
		raw, err := json.Marshal(args)
		if err != nil {
			t.Fatal(err)
		}
		begun := time.Now()
		reply := calls.Call(t.Context(), tool, raw, nil)
		return answer{string(reply.JSON), string(reply.Text), reply.IsError, time.Since(begun)}
	})
}
