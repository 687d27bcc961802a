package java

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"aidb-mcp/adapters/prepare"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/system/boundedfile"
	"aidb-mcp/internal/system/process"
)

// built is what a build tool has made of a module.
type built struct {
	classPath []string // to run with
	classes   []string // the module's own, of the class path
}

// buildProject compiles a project with its own tool and asks that for the class
// path to run with; test: with the tests and what they need.
func (a *adapter) buildProject(ctx context.Context, j job, p project, test bool) (built, error) {
	tool, err := p.tool(j)
	if err != nil {
		return built{}, err
	}
	scratch, err := a.newBuildDir()
	if err != nil {
		return built{}, err
	}
	defer os.RemoveAll(scratch)
	answer := filepath.Join(scratch, "classpath")
	spec := p.mavenCommand(answer, test)
	if p.kind == gradle {
		if spec, err = p.gradleCommand(scratch, p.classPathScript(answer, test), classPathTask); err != nil {
			return built{}, err
		}
	}
	spec.Path = tool
	spec.Args = append(spec.Args, j.BuildArgs...)
	if err := a.build(ctx, j, spec); err != nil {
		return built{}, p.explain(j, err)
	}
	text, err := boundedfile.ReadText(answer)
	if err != nil {
		return built{}, fault.New(fault.BuildFailed, "%s built the project and did not tell its class path", p.kind).
			WithHint("give it in adapter_options: %s", optionsExample)
	}
	if p.kind == gradle {
		return parseGradle(string(text)), nil
	}
	own := p.outputs(test)
	return built{entries(own, strings.Split(string(text), string(filepath.ListSeparator))), own}, nil
}

// entries joins lists of entries of a class path, of which some may not exist.
func entries(lists ...[]string) []string {
	var all []string
	for _, entry := range slices.Concat(lists...) {
		if entry = strings.TrimSpace(entry); entry != "" && !slices.Contains(all, entry) && prepare.Exists(entry) {
			all = append(all, entry)
		}
	}
	return all
}

// mavenCommand compiles the module, with those of the same build that it needs.
func (p project) mavenCommand(answer string, test bool) process.Spec {
	phase, scope := "compile", "runtime"
	if test {
		phase, scope = "test-compile", "test"
	}
	args := []string{"-q", "-B", "-Dstyle.color=never", phase}
	if p.dir != p.root {
		module, _ := filepath.Rel(p.root, p.dir)
		args = append(args, "-pl", filepath.ToSlash(module), "-am")
	}
	// The last module of a build is the wanted one: those before it are
	// overwritten.
	args = append(args, "dependency:build-classpath", "-Dmdep.outputFile="+answer, "-Dmdep.includeScope="+scope)
	return process.Spec{Name: "Maven", Args: args, Dir: p.root}
}

// outputs are the directories that Maven compiles a module into.
func (p project) outputs(test bool) []string {
	list := []string{filepath.Join(p.dir, "target", "classes")}
	if test {
		list = append([]string{filepath.Join(p.dir, "target", "test-classes")}, list...)
	}
	return list
}
