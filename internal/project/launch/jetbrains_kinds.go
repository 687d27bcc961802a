package launch

import (
	"cmp"
	"path/filepath"
	"strings"
)

// goProgram is a Go program: a package, a directory or files.
func (i idea) goProgram() {
	i.fillGo()
	i.c.Mode, i.c.Args = "debug", i.words("args", "parameters")
}

// goTest is a test of Go, of which the pattern names one or several.
func (i idea) goTest() {
	i.fillGo()
	i.c.Mode = "test"
	i.c.Args = i.words("args", "parameters")
	name := strings.TrimSuffix(strings.TrimPrefix(i.text("test", "pattern"), "^"), "$")
	i.c.Test = strings.NewReplacer(`\Q`, "", `\E`, "", "$/^", "/").Replace(name)
}

func (i idea) fillGo() {
	i.c.Cwd, i.c.BuildFlags = i.text("cwd", "working_directory"), i.words("build_args", "go_parameters")
	switch i.text("target", "kind") {
	case "DIRECTORY":
		i.c.Program = i.text("target", "directory")
	case "FILE":
		i.c.Program = firstOf(i.text("target", "filePath", "files"), "|")
	default:
		i.c.Module = i.text("module", "package")
	}
	if i.c.Program == "" && i.c.Module == "" {
		i.c.Program = cmp.Or(i.text("target", "directory"), i.c.Cwd, i.v.scope.folder.Path)
	}
}

func firstOf(list, separator string) string {
	one, _, _ := strings.Cut(list, separator)
	return one
}

// python is a script or a module of Python.
func (i idea) python() {
	name := i.text("target", "SCRIPT_NAME")
	if i.text("target", "MODULE_MODE") == "true" {
		i.c.Module = name
	} else {
		i.c.Program = name
	}
	i.fillPython()
	i.c.Args = i.words("args", "PARAMETERS")
}

func (i idea) fillPython() {
	i.c.Cwd, i.c.EnvFile = i.text("cwd", "WORKING_DIRECTORY"), firstOf(i.text("env_file", "ENV_FILES"), ";")
	if i.text("runtime_path", "IS_MODULE_SDK") != "true" {
		i.c.Runtime = i.text("runtime_path", "SDK_HOME")
	}
}

// pythonTest is a test of pytest or unittest: a path, or a name with dots.
func (i idea) pythonTest() {
	i.fillPython()
	i.c.Mode = "test"
	text := func(name string) string { return strings.Trim(i.text("test", name), `"`) }
	named, kind := text("_new_target"), text("_new_targetType")
	i.c.Args = append(i.c.Args, i.wordsOf("args", text("_new_additionalArguments"))...)
	if kind != "PYTHON" {
		i.c.Program = named
		return
	}
	i.c.Test = i.pytestName(named)
}

func (i idea) wordsOf(param, text string) []string {
	list, err := splitWords(text)
	if err != nil {
		i.v.lack(param, i.v.invalid("has parameters that cannot be read: %w", err))
	}
	return list
}

// pytestName is a test as pytest names it: the module's file, then what is in it.
func (i idea) pytestName(name string) string {
	parts := strings.Split(name, ".")
	for _, base := range []string{i.c.Cwd, i.v.scope.folder.Path} {
		for n := len(parts); n > 0 && base != ""; n-- {
			file := filepath.Join(append([]string{base}, parts[:n]...)...) + ".py"
			if i.v.set.isFile(file) {
				return strings.Join(append([]string{file}, parts[n:]...), "::")
			}
		}
	}
	return name
}

// node is a script of Node.js.
func (i idea) node() {
	i.c.Cwd = i.text("cwd", "working-dir")
	i.c.Program = i.text("target", "path-to-js-file")
	if i.c.Program != "" && !filepath.IsAbs(i.c.Program) {
		i.c.Program = filepath.Join(cmp.Or(i.c.Cwd, i.v.scope.folder.Path), i.c.Program)
	}
	i.c.Args = i.words("args", "application-parameters")
	if named := i.text("runtime_path", "path-to-node"); named != "project" {
		i.c.Runtime = named
	}
	i.c.option("runtimeArgs", i.words("adapter_options", "node-parameters"))
}

// nodeTest is a file of tests, or one test in it.
func (i idea) nodeTest() {
	i.c.Mode, i.c.Program, i.c.Cwd = "test", i.text("target", "test-file"), i.text("cwd", "working-dir")
	var names []string
	for _, t := range i.e.Tests {
		names = append(names, i.fill("test", t.Value))
	}
	i.c.Test = strings.Join(names, " ")
}

// java is a class with a main method.
func (i idea) java() {
	i.c.Module = i.text("module", "MAIN_CLASS_NAME", "SPRING_BOOT_MAIN_CLASS")
	i.c.Args = i.words("args", "PROGRAM_PARAMETERS")
	i.c.Cwd = i.text("cwd", "WORKING_DIRECTORY")
	i.c.option("vmArgs", i.words("adapter_options", "VM_PARAMETERS"))
}

// junit is a class of tests, or a method of it.
func (i idea) junit() {
	i.c.Mode, i.c.Cwd = "test", i.text("cwd", "WORKING_DIRECTORY")
	i.c.Test = i.text("test", "MAIN_CLASS_NAME")
	if method := i.text("test", "METHOD_NAME"); method != "" && i.text("test", "TEST_OBJECT") == "method" {
		i.c.Test += "#" + firstOf(method, "(")
	}
	var options []string
	for _, word := range i.words("adapter_options", "VM_PARAMETERS") {
		if word != "-ea" { // it is in every new configuration, and the rule for tests
			options = append(options, word)
		}
	}
	i.c.option("vmArgs", options)
}

// remote is a Java program that waits for a debugger.
func (i idea) remote() {
	i.c.Host, i.c.Port = i.text("host", "HOST"), i.v.number("port", i.text("port", "PORT"))
}
