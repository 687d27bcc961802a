package java

import (
	"cmp"
	"os"
	"path/filepath"
	"strings"

	"aidb-mcp/adapters"
	"aidb-mcp/adapters/prepare"
	"aidb-mcp/internal/fault"
)

// job is a request that has been understood.
type job struct {
	adapters.Request
	options options
	env     []string // of builds and of the program
	set     map[string]string
	javas
}

func understand(r adapters.Request) (job, error) {
	j := job{Request: r}
	if err := prepare.Options(r.Options, &j.options, "Java", optionsExample); err != nil {
		return j, err
	}
	var err error
	if j.set, err = prepare.Variables(r); err != nil {
		return j, err
	}
	j.env = prepare.Overlay(os.Environ(), j.set)
	if j.Mode == "" {
		j.Mode = infer(r)
	}
	if err := prepare.CheckMode((*adapter)(nil).Info(), j.Mode); err != nil {
		return j, err
	}
	j.options.MainClass = cmp.Or(j.options.MainClass, j.Module)
	return j, nil
}

// buildEnviron is the environment of a compiler or build tool: that of the
// program, with the JDK, and the locale whose words we read. The JVMs of Maven and
// Gradle live for seconds, so they compile themselves quickly rather than well, which
// halves their work; what the user gives those JVMs comes after, and wins.
func (j job) buildEnviron() []string {
	set := map[string]string{"JAVA_HOME": j.tools.home, localeVariable: locale}
	for _, name := range []string{"MAVEN_OPTS", "GRADLE_OPTS"} {
		set[name] = strings.TrimSpace("-XX:TieredStopAtLevel=1 " + prepare.Lookup(j.env, name))
	}
	return prepare.Overlay(j.env, set)
}

func infer(r adapters.Request) adapters.Mode {
	switch {
	case r.Port != 0 || r.Host != "":
		return adapters.RemoteAttach
	case r.PID != 0:
		return adapters.Attach
	case r.Test != "" || strings.HasSuffix(r.Target, "Test.java") || strings.HasSuffix(r.Target, "Tests.java"):
		return adapters.Test
	case filepath.Ext(r.Target) == ".jar" || filepath.Ext(r.Target) == ".class":
		return adapters.Exec
	}
	return adapters.Launch
}

// program is what is to be run, once it is built.
type program struct {
	target     string   // for people
	classPath  []string // absolute
	modulePath []string
	classes    []string // those of the class path that are the user's own
	sources    []string // roots of the user's sources
	main       string   // the class, or module/class; empty: archive is run
	archive    string
	arguments  []string // before the user's
	entry      string   // the method that a stop on entry is at
	scratch    string   // directory to remove at the end
	home       string   // of the project or file
	dir        string   // working directory, empty: the usual one
}

// paths locates the entries of a class path and wants them to exist.
func (j job) paths(what string, entries []string) ([]string, error) {
	var list []string
	for _, e := range entries {
		for _, part := range filepath.SplitList(e) {
			if base := filepath.Base(part); base == "*" {
				jars, _ := filepath.Glob(filepath.Join(prepare.Locate(j.Request, filepath.Dir(part)), "*.jar"))
				list = append(list, jars...)
				continue
			}
			path := prepare.Locate(j.Request, part)
			if !prepare.Exists(path) {
				return nil, fault.New(fault.InvalidParam, "%s: there is no %s", what, prepare.Show(j.Request, path)).WithField("adapter_options").
					WithHint("build the project first, or correct the path")
			}
			list = append(list, path)
		}
	}
	return list, nil
}
