package java

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"strings"

	"aidb-mcp/adapters/prepare"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/system/process"
	"aidb-mcp/internal/text/pattern"
)

const (
	consoleComponent = "junit-console" // of the store: the version for whoever names none
	consoleName      = "junit-platform-console-standalone"
	consoleGroup     = "org.junit.platform"
)

var platform = pattern.New(`junit-platform-engine-(\d[\w.-]*)\.jar$`)

// console is the archive that runs tests from the command line: the installed
// one, or the one of the project's own version of JUnit, which that project's
// tool fetches as it does when it runs the tests itself. Empty: the class path
// has one.
func (a *adapter) console(ctx context.Context, j job, p program, progress func(string)) (string, error) {
	version := ""
	for _, entry := range p.classPath {
		if strings.Contains(filepath.Base(entry), "junit-platform-console") {
			return "", nil
		}
		if m := platform.FindStringSubmatch(entry); m != nil {
			version = m[1]
		}
	}
	installed, _ := a.Store.Installed(consoleComponent)
	if version == "" || version == strings.TrimSpace(installed) {
		if err := a.Store.Check("java", junitConsole()); err != nil {
			return "", err
		}
		return filepath.Join(a.Store.Dir(consoleComponent), "lib", consoleName+"-"+strings.TrimSpace(installed)+".jar"), nil
	}
	return a.fetchConsole(ctx, j, cmp.Or(p.dir, p.home), version, progress)
}

// fetchConsole has a project's own tool fetch another version, once.
func (a *adapter) fetchConsole(ctx context.Context, j job, home, version string, progress func(string)) (string, error) {
	name := consoleName + "-" + version + ".jar"
	dir := filepath.Join(a.Store.Dir(component), "lib")
	path := filepath.Join(dir, name)
	if prepare.Exists(path) {
		return path, nil
	}
	absent := func(why string) error {
		return fault.New(fault.BuildFailed, "there is no %s to run the tests with: %s", name, why).
			WithHint("add %s:%s to the project's test dependencies", consoleGroup, consoleName)
	}
	project := projectAt(j.Request, home)
	if project.kind == noProject {
		return "", absent("only a Maven or Gradle project fetches it by itself")
	}
	tool, err := project.tool(j)
	if err != nil {
		return "", err
	}
	progress("fetching " + name + " with " + project.kind.String() + " (once)")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", absent(err.Error())
	}
	scratch, err := os.MkdirTemp(dir, ".new-")
	if err != nil {
		return "", absent(err.Error())
	}
	defer os.RemoveAll(scratch)
	spec := process.Spec{Name: "Maven", Dir: project.root, Args: []string{
		"-q", "-B", "-Dstyle.color=never", "dependency:copy", "-Dartifact=" + consoleGroup + ":" + consoleName + ":" + version,
		"-DoutputDirectory=" + scratch, "-Dmdep.useBaseVersion=true",
	}}
	if project.kind == gradle {
		script := project.consoleScript(filepath.Join(scratch, name), version)
		if spec, err = project.gradleCommand(scratch, script, consoleTask); err != nil {
			return "", absent(err.Error())
		}
		spec.Args = append(spec.Args, j.BuildArgs...) // such as --offline
	}
	spec.Path = tool
	if err := a.build(ctx, j, spec); err != nil {
		return "", absent(err.Error())
	}
	if err := os.Rename(filepath.Join(scratch, name), path); err != nil {
		return "", absent(err.Error())
	}
	return path, nil
}
