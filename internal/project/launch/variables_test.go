package launch

import (
	"errors"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/mcp/client"
	"aidb-mcp/internal/testkit/filetree"
)

// Every variable of an editor is filled in, that of the folder, the file that the
// call names, the environment, the settings and the inputs.
func TestVariables(t *testing.T) {
	t.Setenv("AIDB_TEST_WHO", "me")
	base := filetree.New(t, map[string]string{
		"shop/.vscode/launch.json": `{"configurations": [
			{"name": "paths", "type": "go", "args": ["${workspaceFolder}", "${workspaceFolderBasename}", "${workspaceFolder:lib}", "${file}", "${fileBasename}",
				"${fileBasenameNoExtension}", "${fileExtname}", "${fileDirname}", "${relativeFile}", "${relativeFileDirname}", "${lineNumber}", "${pathSeparator}"]},
			{"name": "settings", "type": "go", "args": ["${config:shop.port}", "${config:shop.where}", "${config:shop.deep.on}", "${config:shared.color}"]},
			{"name": "inputs", "type": "go", "args": ["${input:who}", "${input:level}", "${input:named}"]}],
			"inputs": [
				{"id": "who", "type": "promptString", "description": "who?", "default": "${env:AIDB_TEST_WHO}"},
				{"id": "level", "type": "pickString", "options": ["low", "high"], "default": "high"},
				{"id": "named", "type": "pickString", "options": [{"label": "One", "value": "1"}, {"label": "Two", "value": "2"}]}]}`,
		"shop/.vscode/settings.json": `{
			// of this folder
			"shop.port": 8080, "shop.where": "${workspaceFolder}/data", "shop": {"deep": {"on": true}},
		}`,
		"shop/shop.code-workspace": `{"folders": [{"path": "."}, {"path": "../lib"}], "settings": {"shared.color": "red", "shop.port": 1}}`,
		"lib/lib.go":               "",
	})
	root := filepath.Join(base, "shop")
	file := filepath.Join(root, "cmd", "main.go")
	for name, want := range map[string][]string{
		"paths":    {root, "shop", filepath.Join(base, "lib"), file, "main.go", "main", ".go", filepath.Join(root, "cmd"), "cmd/main.go", "cmd", "7", string(filepath.Separator)},
		"settings": {"8080", root + "/data", "true", "red"},
		"inputs":   {"me", "high", "1"},
	} {
		c, err := resolvedWith(root, name, Options{File: file, Line: 7})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, c.Args); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// What a person says takes the place of a default, and each input is asked for once.
func TestInputsAreAsked(t *testing.T) {
	root := filetree.New(t, map[string]string{".vscode/launch.json": `{"configurations": [
		{"name": "x", "type": "go", "program": "${input:dir}", "args": ["${input:named}", "${input:dir}", "${input:key}"]}],
		"inputs": [{"id": "dir", "type": "promptString", "description": "the directory", "default": "."},
			{"id": "named", "type": "pickString", "description": "which", "options": [{"label": "One", "value": "1"}, {"label": "Two", "value": "2"}]},
			{"id": "key", "type": "promptString", "password": true, "default": "k"}]}`})
	var asked []string
	ask := func(q client.Question) (string, error) {
		asked = append(asked, q.Message)
		if q.Text {
			return "cmd", nil
		}
		return q.Choices[1], nil
	}
	c, err := resolvedWith(root, "x", Options{Ask: ask})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"2", "cmd", "k"}, c.Args); diff != "" || c.Program != "cmd" {
		t.Errorf("%s %s", c.Program, diff)
	}
	if len(asked) != 2 || !strings.Contains(asked[0], `the directory (usually ".")`) || !strings.Contains(asked[1], "which") {
		t.Errorf("asked was %q", asked)
	}
	gone := errors.New("the call was cancelled")
	if _, err := resolvedWith(root, "x", Options{Ask: func(client.Question) (string, error) { return "", gone }}); !errors.Is(err, gone) {
		t.Errorf("a question that was cancelled: %v", err)
	}
	if c, err := resolvedWith(root, "x", Options{Ask: func(client.Question) (string, error) { return "", ErrUnasked }}); err != nil || c.Args[0] != "1" {
		t.Errorf("a question without an answer: %+v, %v", c, err)
	}
}

// The section of this platform is over the entry.
func TestPlatformSections(t *testing.T) {
	section := map[string]string{"darwin": "osx", "linux": "linux", "windows": "windows"}[runtime.GOOS]
	root := filetree.New(t, map[string]string{".vscode/launch.json": `{"configurations": [
		{"name": "x", "type": "go", "program": "a", "args": ["1"], "` + section + `": {"program": "b"}, "other": {"program": "c"}}]}`})
	c, err := resolved(root, "x")
	if err != nil || c.Program != "b" || c.Args[0] != "1" {
		t.Errorf("%+v, %v", c, err)
	}
}

// What cannot be filled in is said with its cause and a remedy.
func TestVariablesThatCannotBeFilledIn(t *testing.T) {
	root := filetree.New(t, map[string]string{
		".vscode/launch.json": `{"configurations": [
			{"name": "env", "type": "go", "env": {"A": "${env:AIDB_TEST_NONE}"}},
			{"name": "config", "type": "go", "program": "${config:no.such}"},
			{"name": "circle", "type": "go", "program": "${config:a}"},
			{"name": "input", "type": "go", "args": ["${input:who}"]},
			{"name": "asks itself", "type": "go", "args": ["${input:egg}"]},
			{"name": "no input", "type": "go", "args": ["${input:none}"]},
			{"name": "secret", "type": "go", "args": ["${input:key}"]},
			{"name": "file", "type": "go", "program": "${fileDirname}"},
			{"name": "line", "type": "go", "args": ["${lineNumber}"]},
			{"name": "pick", "type": "go", "request": "attach", "processId": "${command:pickProcess}"},
			{"name": "cmake", "type": "cppdbg", "program": "${command:cmake.launchTargetPath}"},
			{"name": "folder", "type": "go", "program": "${workspaceFolder:shap}"},
			{"name": "nonsense", "type": "go", "program": "${workspace}"},
			{"name": "pid", "type": "go", "request": "attach", "processId": "many"}],
			"inputs": [{"id": "who", "type": "promptString", "description": "who is it"}, {"id": "key", "type": "promptString", "password": true},
				{"id": "egg", "type": "promptString", "default": "${input:hen}"}, {"id": "hen", "type": "pickString", "options": ["${input:egg}"]}]}`,
		".vscode/settings.json": `{"a": "${config:b}", "b": "x${config:a}"}`,
		"x.code-workspace":      `{"folders": [{"path": ".", "name": "shop"}]}`,
	})
	for name, want := range map[string][2]string{
		"env":         {`launch configuration "env" uses ${env:AIDB_TEST_NONE}`, `give env {"AIDB_TEST_NONE`},
		"config":      {"${config:no.such}, and neither .vscode/settings.json", "give target yourself"},
		"circle":      {"leads back to itself: config:a → config:b → config:a", "give target"},
		"input":       {"asks its user for who is it (${input:who}), which has no default", "give args yourself"},
		"asks itself": {"leads back to itself: input:egg → input:hen → input:egg", "give args"},
		"no input":    {`no input "none" beside it`, "give args"},
		"secret":      {"asks its user for key", "give args"},
		"file":        {"${fileDirname}: the file that is open in an editor", "as target, or in breakpoints"},
		"line":        {"${lineNumber}", "breakpoint"},
		"pick":        {"${command:pickProcess}, which only an editor can run", "give pid; or mode attach with target"},
		"cmake":       {"${command:cmake.launchTargetPath}", "give target yourself"},
		"folder":      {`the folder "shap"`, `did you mean "shop"?`},
		"nonsense":    {"${workspace}, which is no variable", "give target"},
		"pid":         {`"many"`, "give pid"},
	} {
		_, err := resolved(root, name)
		var f *fault.Error
		if !errors.As(err, &f) || f.Code != fault.ConfigInvalid || f.Field != "launch_config_name" {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if name == "env" {
			want[1] = `give env {"A"`
		}
		if !strings.Contains(f.Message, want[0]) || !strings.Contains(f.Hint, want[1]) {
			t.Errorf("%s: %s\nhint: %s\nwant %q", name, f.Message, f.Hint, want)
		}
	}
}

// A parameter that the call gives takes the place of what cannot be filled in.
func TestLacksOfGivenParameters(t *testing.T) {
	root := filetree.New(t, map[string]string{".vscode/launch.json": `{"configurations": [
		{"name": "x", "type": "go", "program": "${file}", "env": {"A": "${env:AIDB_TEST_NONE}", "B": "b"}}]}`})
	s := Read(root, nil)
	c, err := s.Resolve(s.Entries[0], Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Lacking(func(param string) bool { return param == "target" }); err == nil || !strings.Contains(err.Error(), "AIDB_TEST_NONE") {
		t.Errorf("with a target: %v", err)
	}
	if err := c.Lacking(func(param string) bool { return param == "target" || param == "env.A" }); err != nil {
		t.Error(err)
	}
}
