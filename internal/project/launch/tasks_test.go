//go:build unix

package launch

import (
	"errors"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/testkit/filetree"
)

// taskOf resolves the preLaunchTask of the only configuration.
func taskOf(t *testing.T, root string, o Options) (*Task, error) {
	t.Helper()
	s := Read(root, nil)
	if len(s.Entries) != 1 {
		t.Fatalf("%+v", s)
	}
	c, err := s.Resolve(s.Entries[0], o)
	if err != nil {
		t.Fatal(err)
	}
	return s.Task(c.PreLaunchTask, s.Entries[0], o)
}

// withTasks is a workspace whose one configuration names a task.
func withTasks(t *testing.T, ref, tasks string) string {
	t.Helper()
	return filetree.New(t, map[string]string{
		".vscode/launch.json":   `{"configurations": [{"name": "x", "type": "go", "preLaunchTask": ` + ref + `}]}`,
		".vscode/tasks.json":    `{"version": "2.0.0", "tasks": [` + tasks + `], "inputs": [{"id": "mode", "type": "pickString", "options": ["debug", "release"]}]}`,
		".vscode/settings.json": `{"tool": "gcc"}`,
	})
}

// Each type of task runs what its editor would run.
func TestCommandsOfTasks(t *testing.T) {
	for tasks, want := range map[string][]string{
		`{"label": "t", "type": "shell", "command": "make all && echo done"}`:                                                                                           {"/bin/sh", "-c", "make all && echo done"},
		`{"label": "t", "command": "echo", "args": ["two words", "$HOME", "it's so", {"value": "a b", "quoting": "escape"}, {"value": "$X \"y\"", "quoting": "weak"}]}`: {"/bin/sh", "-c", `echo 'two words' $HOME 'it'\''s so' a\ b "$X \"y\""`},
		`{"label": "t", "command": "/my tools/cc", "args": ["-c"]}`:                                                                                                     {"/bin/sh", "-c", "'/my tools/cc' -c"},
		`{"label": "t", "type": "shell", "command": "x y", "options": {"shell": {"executable": "bash", "args": ["-lc"]}}}`:                                              {"bash", "-lc", "x y"},
		`{"label": "t", "type": "process", "command": "${config:tool}", "args": ["-g", "${file}", "${input:mode}", "a b"]}`:                                             {"gcc", "-g", "/w/main.c", "debug", "a b"},
		`{"type": "cppbuild", "label": "t", "command": "/usr/bin/g++", "args": ["${fileDirname}"]}`:                                                                     {"/usr/bin/g++", "/w"},
		`{"label": "t", "type": "npm", "script": "build"}`:                                                                                                              {"npm", "run", "build"},
		`{"label": "t", "type": "typescript", "tsconfig": "web/tsconfig.json", "option": "watch"}`:                                                                      {"npx", "--no-install", "tsc", "-p", "web/tsconfig.json", "--watch"},
		`{"label": "t", "type": "cargo", "command": "build", "args": ["--release"]}`:                                                                                    {"cargo", "build", "--release"},
		`{"label": "t", "type": "gulp", "task": "css"}`:                                                                                                                 {"npx", "--no-install", "gulp", "css"},
		`{"label": "t", "command": "no", "` + map[string]string{"linux": "linux", "darwin": "osx"}[runtime.GOOS] + `": {"command": "yes"}}`:                             {"/bin/sh", "-c", "yes"},
	} {
		task, err := taskOf(t, withTasks(t, `"t"`, tasks), Options{File: "/w/main.c"})
		if err != nil {
			t.Errorf("%s: %v", tasks, err)
			continue
		}
		if diff := cmp.Diff(want, task.Command); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tasks, diff)
		}
	}
}

// A task may be named by its label, by what its type knows it by, as the default of
// the build, and without any tasks.json.
func TestNamesOfTasks(t *testing.T) {
	tasks := `{"type": "npm", "script": "build", "path": "web/"}, {"label": "all", "group": {"kind": "build", "isDefault": true}, "command": "make", "options": {"cwd": "${workspaceFolder}/src", "env": {"A": "${workspaceFolderBasename}"}}}`
	for ref, want := range map[string]string{
		`"npm: build - web"`:                                 "npm run build",
		`{"type": "npm", "script": "lint"}`:                  "npm run lint",
		`"${defaultBuildTask}"`:                              "/bin/sh -c make",
		`"npm: test"`:                                        "npm run test",
		`"tsc: build - tsconfig.json"`:                       "npx --no-install tsc -p tsconfig.json",
		`{"type": "npm", "script": "build", "path": "web/"}`: "npm run build",
	} {
		root := withTasks(t, ref, tasks)
		task, err := taskOf(t, root, Options{})
		if err != nil {
			t.Errorf("%s: %v", ref, err)
			continue
		}
		if got := strings.Join(task.Command, " "); got != want {
			t.Errorf("%s runs %q, want %q", ref, got, want)
		}
		wantDir := root
		switch {
		case strings.Contains(ref, "web"):
			wantDir = filepath.Join(root, "web")
		case strings.Contains(ref, "default"):
			if wantDir = filepath.Join(root, "src"); task.Env["A"] != filepath.Base(root) {
				t.Errorf("the environment is %v", task.Env)
			}
		}
		if task.Dir != wantDir {
			t.Errorf("%s runs in %s, want %s", ref, task.Dir, wantDir)
		}
	}
}

func TestTasksThatDependOnOthers(t *testing.T) {
	task, err := taskOf(t, withTasks(t, `"all"`, `{"label": "all", "dependsOn": ["a", "b"], "dependsOrder": "sequence"},
		{"label": "a", "command": "a", "dependsOn": "c"}, {"label": "b", "command": "b", "dependsOn": ["c"]}, {"label": "c", "command": "c"}`), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(task.Before) != 2 || !task.Sequence || task.Command != nil || task.Before[0].Before[0] != task.Before[1].Before[0] {
		t.Errorf("%+v", task)
	}
}

// A task in the background says when it is ready: in the words of a known matcher,
// or in its own.
func TestBackgroundTasks(t *testing.T) {
	for _, c := range []struct{ matcher, ready, not string }{
		{`"$tsc-watch"`, "12:00:00 - Found 0 errors. Watching for file changes.", "Starting compilation in watch mode..."},
		{`["$eslint-stylish", "$esbuild-watch"]`, "[watch] build finished, watching for changes...", "[watch] build started"},
		{`{"base": "$tsc-watch"}`, "Watching for file changes.", "x"},
		{`{"pattern": {"regexp": "."}, "background": {"activeOnStart": true, "beginsPattern": "^begin", "endsPattern": "^it is up$"}}`, "it is up", "not: it is up"},
		{`{"background": {"endsPattern": {"regexp": "listening on \\d+"}}}`, "listening on 80", "listening on x"},
	} {
		task, err := taskOf(t, withTasks(t, `"w"`, `{"label": "w", "command": "w", "isBackground": true, "problemMatcher": `+c.matcher+`}`), Options{})
		if err != nil || !task.Background || task.Ready == nil {
			t.Errorf("%s: %+v, %v", c.matcher, task, err)
			continue
		}
		if !task.Ready.MatchString(c.ready) || task.Ready.MatchString(c.not) {
			t.Errorf("%s is ready at %s", c.matcher, task.Ready)
		}
	}
	if task, err := taskOf(t, withTasks(t, `"w"`, `{"label": "w", "command": "w", "isBackground": true, "problemMatcher": []}`), Options{}); err != nil || !task.Background || task.Ready != nil {
		t.Errorf("without a matcher: %+v, %v", task, err)
	}
}

func TestTasksThatCannotBeRun(t *testing.T) {
	for _, c := range []struct{ ref, tasks, message, hint string }{
		{`"buld"`, `{"label": "build", "command": "x"}`, `names the task "buld", which there is not`, `did it mean "build"?`},
		{`"a"`, `{"label": "a", "command": "x", "dependsOn": "b"}, {"label": "b", "command": "x", "dependsOn": "a"}`, "depends on itself: a → b → a", ""},
		{`"a"`, `{"label": "a", "command": "${input:none}"}`, `the task "a" uses ${input:none}`, "run the task yourself"},
		{`"a"`, `{"label": "a", "command": "${env:AIDB_TEST_NONE}"}`, "${env:AIDB_TEST_NONE}", "run the task yourself"},
		{`"a"`, `{"label": "a", "type": "docker-build"}`, `type "docker-build"`, "run it yourself"},
		{`"a"`, `{"label": "a"}`, "has no command", "dependsOn"},
		{`"a"`, `{"label": "a", "command": "x", "args": {}}`, `the task "a" of .vscode/tasks.json cannot be read`, "mend it"},
		{`"a"`, `{"label": "a", "command": "x", "isBackground": true, "problemMatcher": {"background": {"endsPattern": "(?=x)"}}}`, "endsPattern", "looking ahead"},
		{`"a"`, `{"label": "a"`, ".vscode/tasks.json cannot be read: line 1, column", "mend"},
	} {
		_, err := taskOf(t, withTasks(t, c.ref, c.tasks), Options{})
		f, ok := errors.AsType[*fault.Error](err)
		if !ok || f.Code != fault.ConfigInvalid || !strings.Contains(f.Message, c.message) || !strings.Contains(f.Hint, c.hint) {
			t.Errorf("%s: %+v", c.tasks, err)
		}
	}
	root := filetree.New(t, map[string]string{".vscode/launch.json": `{"configurations": [{"name": "x", "type": "go", "preLaunchTask": "t"}]}`})
	if _, err := taskOf(t, root, Options{}); err == nil || !strings.Contains(err.Error(), `"t"`) {
		t.Errorf("without a tasks.json: %v", err)
	}
}
