package launch

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/testkit/filetree"
)

// Run configurations as GoLand, PyCharm, WebStorm and IntelliJ IDEA write them.
func TestJetBrains(t *testing.T) {
	home, err := os.UserHomeDir()
	if err != nil {
		t.Fatal(err)
	}
	one := func(text string) string {
		return `<component name="ProjectRunConfigurationManager">` + text + `</component>`
	}
	root := filetree.New(t, map[string]string{
		".run/server.run.xml": one(`<configuration default="false" name="server" type="GoApplicationRunConfiguration" factoryName="Go Application">
			<module name="shop" /><working_directory value="$PROJECT_DIR$" /><go_parameters value="-tags &quot;a b&quot;" /><parameters value="-port 80 &quot;two words&quot;" />
			<envs><env name="HOME_DIR" value="$USER_HOME$/x" /></envs>
			<kind value="PACKAGE" /><package value="example.org/shop/cmd/server" /><directory value="$PROJECT_DIR$" /><filePath value="$PROJECT_DIR$" /><method v="2" /></configuration>`),
		".run/dir.run.xml":  one(`<configuration default="false" name="dir" type="GoApplicationRunConfiguration"><kind value="DIRECTORY" /><package value="x" /><directory value="$PROJECT_DIR$/cmd" /></configuration>`),
		".run/file.run.xml": one(`<configuration default="false" name="file" type="GoApplicationRunConfiguration"><kind value="FILE" /><filePath value="$PROJECT_DIR$/a.go|$PROJECT_DIR$/b.go" /></configuration>`),
		".idea/runConfigurations/gotest.xml": one(`<configuration default="false" name="gotest" type="GoTestRunConfiguration" factoryName="Go Test">
			<kind value="DIRECTORY" /><directory value="$PROJECT_DIR$/calc" /><framework value="gotest" /><pattern value="^\QTestSum\E$/^\Qempty\E$" /></configuration>`),
		".idea/runConfigurations/python.xml": one(`<configuration default="false" name="python" type="PythonConfigurationType" factoryName="Python">
			<option name="SCRIPT_NAME" value="$PROJECT_DIR$/shop.py" /><option name="PARAMETERS" value="a 'b c'" /><option name="WORKING_DIRECTORY" value="$PROJECT_DIR$" />
			<option name="SDK_HOME" value="" /><option name="IS_MODULE_SDK" value="true" /><option name="MODULE_MODE" value="false" />
			<envs><env name="PYTHONUNBUFFERED" value="1" /><env name="WHO" value="me" /></envs></configuration>`),
		".idea/runConfigurations/module.xml": one(`<configuration default="false" name="module" type="PythonConfigurationType"><option name="SCRIPT_NAME" value="shop.main" /><option name="MODULE_MODE" value="true" /></configuration>`),
		".idea/runConfigurations/pytest.xml": one(`<configuration default="false" name="pytest" type="tests" factoryName="py.test">
			<option name="WORKING_DIRECTORY" value="$PROJECT_DIR$" /><option name="_new_target" value="&quot;tests.test_shop.TestSum.test_empty&quot;" /><option name="_new_targetType" value="&quot;PYTHON&quot;" /></configuration>`),
		"tests/test_shop.py":               "",
		".idea/runConfigurations/node.xml": one(`<configuration default="false" name="node" type="NodeJSConfigurationType" application-parameters="--x" path-to-node="project" node-parameters="--no-warnings" path-to-js-file="src/a.js" working-dir="$PROJECT_DIR$"><envs><env name="A" value="b" /></envs></configuration>`),
		".idea/runConfigurations/java.xml": one(`<configuration default="false" name="java" type="Application" factoryName="Application">
			<option name="MAIN_CLASS_NAME" value="shop.Main" /><module name="shop.main" /><option name="PROGRAM_PARAMETERS" value="one" /><option name="VM_PARAMETERS" value="-Xmx1g" /></configuration>`),
		".idea/runConfigurations/junit.xml": one(`<configuration default="false" name="junit" type="JUnit"><option name="PACKAGE_NAME" value="shop" /><option name="MAIN_CLASS_NAME" value="shop.CalcTest" />
			<option name="METHOD_NAME" value="adds" /><option name="TEST_OBJECT" value="method" /><option name="VM_PARAMETERS" value="-ea" /></configuration>`),
		".idea/runConfigurations/remote.xml":   one(`<configuration default="false" name="remote" type="Remote"><option name="HOST" value="localhost" /><option name="PORT" value="5005" /></configuration>`),
		".idea/runConfigurations/template.xml": one(`<configuration default="true" name="template" type="Application" />`),
		".idea/runConfigurations/all.xml":      one(`<configuration default="false" name="all" type="CompoundRunConfigurationType"><toRun name="server" type="GoApplicationRunConfiguration" /><toRun name="node" type="NodeJSConfigurationType" /></configuration>`),
		".idea/runConfigurations/docker.xml":   one(`<configuration default="false" name="docker" type="docker-deploy" />`),
		".idea/runConfigurations/editor.xml":   one(`<configuration default="false" name="editor" type="PythonConfigurationType"><option name="SCRIPT_NAME" value="$FilePath$" /></configuration>`),
		".idea/runConfigurations/broken.xml":   "<component>\n<configuration",
	})
	want := map[string]*Config{
		"server": {Type: "go", Mode: "debug", Module: "example.org/shop/cmd/server", Cwd: root, Args: []string{"-port", "80", "two words"}, BuildFlags: []string{"-tags", "a b"}, Env: map[string]string{"HOME_DIR": home + "/x"}},
		"dir":    {Type: "go", Mode: "debug", Program: root + "/cmd"},
		"file":   {Type: "go", Mode: "debug", Program: root + "/a.go"},
		"gotest": {Type: "go", Mode: "test", Program: root + "/calc", Test: "TestSum/empty"},
		"python": {Type: "python", Program: root + "/shop.py", Cwd: root, Args: []string{"a", "b c"}, Env: map[string]string{"WHO": "me"}},
		"module": {Type: "python", Module: "shop.main"},
		"pytest": {Type: "python", Mode: "test", Cwd: root, Test: root + "/tests/test_shop.py::TestSum::test_empty"},
		"node":   {Type: "node", Program: root + "/src/a.js", Cwd: root, Args: []string{"--x"}, Env: map[string]string{"A": "b"}},
		"java":   {Type: "java", Module: "shop.Main", Args: []string{"one"}},
		"junit":  {Type: "java", Mode: "test", Test: "shop.CalcTest#adds"},
		"remote": {Type: "java", Request: "attach", Host: "localhost", Port: 5005},
	}
	for name, w := range want {
		if w.Name = name; w.Request == "" {
			w.Request = "launch"
		}
		got, err := resolved(root, name)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(w, got, cmpopts.IgnoreUnexported(Config{}, TaskRef{})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	for name, want := range map[string]string{"node": `{"runtimeArgs":["--no-warnings"]}`, "java": `{"vmArgs":["-Xmx1g"]}`, "junit": `null`} {
		c, err := resolved(root, name)
		if err != nil {
			t.Fatal(err)
		}
		options, err := c.Options(map[string]string{"runtimeArgs": "runtimeArgs", "vmArgs": "vmArgs[]"})
		if text, _ := json.Marshal(options); err != nil || string(text) != want {
			t.Errorf("options of %s: %s, %v", name, text, err)
		}
	}
	s := Read(root, nil)
	if s.Entry(Member{Name: "template"}) != nil {
		t.Error("a template is read as a configuration")
	}
	if members, err := s.Members(s.Compound("all")); err != nil || len(members) != 2 {
		t.Errorf("%v, %v", members, err)
	}
	for name, want := range map[string]string{"docker": `type "docker-deploy", which is not read`, "editor": "uses $FilePath$: the file that is open", "absent": ".idea/runConfigurations/broken.xml cannot be read: line 2"} {
		if _, err := resolved(root, name); !fault.Is(err, fault.ConfigInvalid) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Configurations as Zed writes them.
func TestZed(t *testing.T) {
	root := filetree.New(t, map[string]string{
		".zed/debug.json": `[
			// debuggers of Zed
			{"label": "go", "adapter": "Delve", "request": "launch", "mode": "debug", "program": "$ZED_WORKTREE_ROOT/cmd", "args": ["-v"], "env": {"A": "1"}, "build": {"command": "go", "args": ["generate", "./a b"], "cwd": "$ZED_WORKTREE_ROOT/gen"}},
			{"label": "py", "adapter": "Debugpy", "program": "$ZED_FILE", "cwd": "${ZED_DIRNAME}", "args": ["${ZED_SYMBOL:none}"], "build": "prepare"},
			{"label": "js", "adapter": "JavaScript", "type": "pwa-node", "request": "attach", "port": 9229},
			{"label": "native", "adapter": "CodeLLDB", "request": "attach", "process_id": 42},
			{"label": "lost", "adapter": "Delve", "program": ".", "build": "none"},
			{"label": "symbol", "adapter": "Delve", "program": "$ZED_SYMBOL"},
			{"label": "wrong", "adapter": "Delve", "program": 7},
		]`,
		".zed/tasks.json": `[{"label": "prepare", "command": "make all"}]`,
	})
	file := root + "/src/a.py"
	task := func(label, line, dir string) *Task {
		return &Task{Label: label, Command: shellLine(line), Dir: dir}
	}
	for name, want := range map[string]*Config{
		"go":     {Type: "go", Request: "launch", Mode: "debug", Program: root + "/cmd", Args: []string{"-v"}, Env: map[string]string{"A": "1"}, BeforeTask: task("go", "go generate './a b'", root+"/gen")},
		"py":     {Type: "debugpy", Request: "launch", Program: file, Cwd: root + "/src", Args: []string{"none"}, BeforeTask: task("prepare", "make all", root)},
		"js":     {Type: "pwa-node", Request: "attach", Port: 9229},
		"native": {Type: "lldb", Request: "attach", ProcessID: 42},
	} {
		want.Name = name
		got, err := resolvedWith(root, name, Options{File: file})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got, cmpopts.IgnoreUnexported(Config{}, TaskRef{})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	for name, want := range map[string]string{
		"py": "uses $ZED_FILE: the file that is open", "lost": `names the task "none"`, "symbol": "uses $ZED_SYMBOL", "wrong": `"program" is a number, not a text`,
	} {
		if _, err := resolved(root, name); !fault.Is(err, fault.ConfigInvalid) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
