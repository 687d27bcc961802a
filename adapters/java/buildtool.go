package java

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"aidb-mcp/adapters/prepare"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/process"
)

// buildProject compiles a project with its own tool and asks that for the class
// path to run with; test: with the tests and what they need.
func (a *adapter) buildProject(ctx context.Context, j job, p project, test bool) ([]string, error) {
	tool, err := p.tool(j)
	if err != nil {
		return nil, err
	}
	scratch, err := a.fresh()
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(scratch)
	answer := filepath.Join(scratch, "classpath")
	spec := p.mavenCommand(answer, test)
	if p.kind == gradle {
		if spec, err = p.gradleCommand(scratch, answer, test); err != nil {
			return nil, err
		}
	}
	spec.Path = tool
	spec.Args = append(spec.Args, j.BuildArgs...)
	if err := a.build(ctx, j, spec); err != nil {
		return nil, err
	}
	text, err := os.ReadFile(answer)
	if err != nil {
		return nil, fault.New(fault.BuildFailed, "%s built the project and did not tell its class path", p.kind).
			WithHint("give it in adapter_options: %s", optionsExample)
	}
	return p.entries(string(text), test), nil
}

// entries joins the module's own classes with what the tool has told.
func (p project) entries(told string, test bool) []string {
	list := p.outputs(test)
	list = append(list, filepath.Join(p.dir, "src", "main", "resources"))
	if p.kind == maven {
		list = list[:len(list)-1] // they are copied to the classes
	}
	for _, line := range strings.FieldsFunc(told, func(r rune) bool { return r == '\n' || r == filepath.ListSeparator }) {
		if line = strings.TrimSpace(line); line != "" && !slices.Contains(list, line) {
			list = append(list, line)
		}
	}
	return slices.DeleteFunc(list, func(entry string) bool { return !prepare.Exists(entry) })
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

// gradleScript has every module print the class path that it is run with.
const gradleScript = `allprojects {
    afterEvaluate { module ->
        if (module.projectDir.canonicalPath == %q && module.plugins.hasPlugin('java')) {
            module.tasks.create('aidbClassPath') {
                dependsOn module.tasks.getByName(%q)
                doLast { new File(%q).text = module.sourceSets.%s.runtimeClasspath.files.join('\n') }
            }
        }
    }
}
`

func (p project) gradleCommand(scratch, answer string, test bool) (process.Spec, error) {
	task, set := "classes", "main"
	if test {
		task, set = "testClasses", "test"
	}
	script := filepath.Join(scratch, "aidb.gradle")
	if err := os.WriteFile(script, fmt.Appendf(nil, gradleScript, prepare.Physical(p.dir), task, answer, set), 0o600); err != nil {
		return process.Spec{}, err
	}
	name := "aidbClassPath"
	if p.dir != p.root {
		module, _ := filepath.Rel(p.root, p.dir)
		name = ":" + strings.ReplaceAll(filepath.ToSlash(module), "/", ":") + ":" + name
	}
	args := []string{"-q", "--console=plain", "--no-daemon", "-I", script, name}
	return process.Spec{Name: "Gradle", Args: args, Dir: p.root}, nil
}
