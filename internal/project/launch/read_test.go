package launch

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/testkit/filetree"
)

// Entries come from the folder, the folders beside it and the .code-workspace.
func TestRead(t *testing.T) {
	base := filetree.New(t, map[string]string{
		"all.code-workspace": `{"folders": [{"path": "shop"}, {"path": "lib", "name": "Library"}],
			"launch": {"configurations": [{"name": "Everything", "type": "python", "request": "attach",}]}}`,
		"shop/.vscode/launch.json": `{
			// Use IntelliSense to learn about possible attributes.
			"version": "0.2.0",
			"configurations": [{"name": "Server", "type": "go", "request": "launch", "program": "${workspaceFolder}/cmd"},],
			"compounds": [{"name": "Both", "configurations": ["Server", {"name": "Server", "folder": "Library"}], "stopAll": true}],
		}`,
		"lib/.vscode/launch.json": `{"configurations": [{"name": "Server", "type": "go", "program": "${workspaceFolder}/srv"}]}`,
	})
	s := Read(filepath.Join(base, "shop"), nil)
	var got []string
	for _, e := range s.Entries {
		got = append(got, fmt.Sprintf("%s %s %s %s", e.Name, e.Type, e.Request, strings.TrimPrefix(e.File, base+"/")))
	}
	want := []string{"Server go launch .vscode/launch.json", "Server go  lib/.vscode/launch.json", "Everything python attach all.code-workspace"}
	if diff := cmp.Diff(want, got); diff != "" || len(s.Problems) > 0 {
		t.Errorf("%v (-want +got):\n%s", s.Problems, diff)
	}
	members, err := s.Members(s.Compound("Both"))
	if err != nil || len(members) != 2 {
		t.Fatalf("%v, %v", members, err)
	}
	for i, want := range []string{"shop/cmd", "lib/srv"} {
		if c, err := s.Resolve(members[i], Options{}); err != nil || c.Program != filepath.Join(base, want) {
			t.Errorf("%+v, %v, want %s", c, err, want)
		}
	}
	if diff := cmp.Diff([]string{"Both", "Everything", "Server"}, s.Names()); diff != "" {
		t.Error(diff)
	}
	alone := Read(filepath.Join(base, "shop"), func(path string) bool { return strings.HasPrefix(path, base+"/shop") })
	if len(alone.Entries) != 1 || len(alone.Folders) != 1 {
		t.Errorf("what is not allowed is read: %+v", alone.Entries)
	}
}

// A file that does not parse is named with line and column.
func TestFilesThatDoNotParse(t *testing.T) {
	for text, want := range map[string]string{
		"{\"configurations\": [\n\t{\"name\": \"x\" \"type\": \"go\"}\n]}": ".vscode/launch.json cannot be read: line 2, column 15",
		"{\"configurations\": [":     ".vscode/launch.json cannot be read: line 1, column 21",
		"{\n\"configurations\": {}}": `"configurations" is an object, not a list (line 2)`,
	} {
		root := filetree.New(t, map[string]string{".vscode/launch.json": text})
		s := Read(root, nil)
		err := s.Missing("x")
		if !fault.Is(err, fault.ConfigInvalid) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

func TestUnknownNames(t *testing.T) {
	root := filetree.New(t, map[string]string{".vscode/launch.json": `{"configurations": [{"name": "Server", "type": "go"}, {"name": "Client", "type": "go"}]}`})
	var f *fault.Error
	if err := Read(root, nil).Missing("Sever"); !errors.As(err, &f) || f.Code != fault.ConfigNotFound || !strings.Contains(f.Hint, `did you mean "Server"? there are: Client, Server`) {
		t.Errorf("%+v", f)
	}
	if err := Read(t.TempDir(), nil).Missing("x"); !errors.As(err, &f) || f.Code != fault.ConfigNotFound || !strings.Contains(f.Message, "there are no launch configurations") {
		t.Errorf("%+v", f)
	}
}

func TestCompoundsThatCannotBeStarted(t *testing.T) {
	root := filetree.New(t, map[string]string{".vscode/launch.json": `{"configurations": [{"name": "Server", "type": "go"}], "compounds": [
		{"name": "circle", "configurations": ["Server", "other"]}, {"name": "other", "configurations": ["circle"]},
		{"name": "unknown", "configurations": ["Servr"]}, {"name": "empty"},
		{"name": "nested", "configurations": ["Server", "inner"]}, {"name": "inner", "configurations": ["Server"]}]}`})
	s := Read(root, nil)
	for name, want := range map[string]string{
		"circle": "leads back to itself: circle → other → circle", "unknown": `names the configuration "Servr"`, "empty": "names no configurations",
	} {
		if _, err := s.Members(s.Compound(name)); !fault.Is(err, fault.ConfigInvalid) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if list, err := s.Members(s.Compound("nested")); err != nil || len(list) != 1 {
		t.Errorf("%v, %v", list, err)
	}
}

func TestServerReady(t *testing.T) {
	for _, c := range []struct {
		ready         ServerReady
		printed, want string
	}{
		{ServerReady{}, "Listening on port 8080\n", "http://localhost:8080"},
		{ServerReady{}, "now listening on: https://127.0.0.1:5001", "https://127.0.0.1:5001"},
		{ServerReady{Pattern: "ready at ([0-9]+)", URIFormat: "http://shop:%s/x"}, "up\nready at 99", "http://shop:99/x"},
		{ServerReady{Pattern: "^up$", URIFormat: "http://shop"}, "it is\nup\n", "http://shop"},
		{ServerReady{}, "nothing", ""},
	} {
		find, err := c.ready.Compile()
		if err != nil {
			t.Fatal(err)
		}
		if got := find(c.printed); got != c.want {
			t.Errorf("%+v of %q: %q, want %q", c.ready, c.printed, got, c.want)
		}
	}
	if _, err := (&ServerReady{Pattern: "(?<=x)y"}).Compile(); !fault.Is(err, fault.ConfigInvalid) {
		t.Errorf("a pattern that is none: %v", err)
	}
}
