package spread

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/mcp/client"
	"aidb-mcp/internal/project/workspace"
)

// far is a client whose gateway has one machine, which does what a test says.
type far struct {
	client.None
	do func(client.Part) (json.RawMessage, error)
}

func (f far) Peers(context.Context) ([]client.Peer, error) {
	return []client.Peer{{Machine: "two"}}, nil
}

func (f far) Ask(_ context.Context, p client.Part) (json.RawMessage, error) { return f.do(p) }

var python = workspace.Languages{{Name: "python", Sources: map[string]string{".py": "python"}}}

func workspaceOf(t *testing.T, text string) *Workspace {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "main.py"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return &Workspace{Dir: dir, Known: python}
}

// A part is done where the workspace is the same, as long as it is; else, and where there is no answer,
// the machine is asked no more.
func TestAPart(t *testing.T) {
	own := workspaceOf(t, "print(1)\n")
	for name, c := range map[string]struct {
		there  *Workspace
		answer error
		want   string // why it was not done
	}{
		"the same":   {there: workspaceOf(t, "print(1)\n")},
		"another":    {there: workspaceOf(t, "print(2)\n"), want: "its content is another"},
		"not to ask": {answer: fault.New(fault.WorkerLimit, "others work there"), want: "others work there"},
	} {
		by := far{do: func(p client.Part) (json.RawMessage, error) {
			if c.answer != nil {
				return nil, c.answer
			}
			return AnswerTo(t.Context(), p.Question, c.there, func(original string, ask json.RawMessage) (any, error) {
				return original + string(ask), nil
			})
		}}
		team, err := Gather(t.Context(), by, "diagnose", own, time.Now().Add(time.Minute))
		if err != nil || len(team.Machines) != 1 {
			t.Fatalf("%s: %+v, %v", name, team, err)
		}
		two, got := team.Machines[0], ""
		err = two.Ask(t.Context(), time.Second, 1, 7, &got)
		var undone *NotDone
		switch {
		case c.want == "" && (err != nil || got != own.Dir+"7" || two.Aside() != ""):
			t.Errorf("%s: %q, %v", name, got, err)
		case c.want != "" && (!errors.As(err, &undone) || undone.Why != c.want || two.Aside() != c.want):
			t.Errorf("%s: %v, aside because of %q", name, err, two.Aside())
		}
	}
}

// What runs in a workspace may write files there, but its sources must stay.
func TestAWorkspaceThatChanges(t *testing.T) {
	own, there := workspaceOf(t, "print(1)\n"), workspaceOf(t, "print(1)\n")
	content, err := python.ReadContent(t.Context(), own.Dir)
	if err != nil {
		t.Fatal(err)
	}
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(there.Dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if why := there.Differs(t.Context(), content); why != "" {
		t.Error(why)
	}
	write("result.txt", "5")
	if why := there.Differs(t.Context(), content); why != "" {
		t.Error("after a run:", why)
	}
	write("main.py", "print(3)\n")
	if why := there.Differs(t.Context(), content); why != "its content has changed meanwhile" {
		t.Errorf("after an edit: %q", why)
	}
}

// Without a gateway nobody is asked.
func TestAlone(t *testing.T) {
	if team, err := Gather(t.Context(), client.None{}, "diagnose", workspaceOf(t, ""), time.Now()); team != nil || err != nil {
		t.Errorf("%+v, %v", team, err)
	}
}
