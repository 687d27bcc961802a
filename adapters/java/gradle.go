package java

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"aidb-mcp/adapters/prepare"
	"aidb-mcp/internal/system/process"
)

const (
	classPathTask = "aidbClassPath"
	consoleTask   = "aidbConsole"
)

// moduleScript gives one module of a build a task more. It is read by every
// Gradle from 4.4 on: what a task does uses files alone, never the project, as
// the configuration cache wants it.
const moduleScript = `allprojects {
    afterEvaluate { module ->
        if (module.projectDir.canonicalPath == %s%s) {
            def answer = new File(%s)
%s
        }
    }
}
`

// classPathTemplate tells where the module's classes are and, after an empty
// line, the class path: to read it as input is to have all of it built.
const classPathTemplate = `
            def classes = module.files(%s)
            def path = module.files(module.sourceSets.%s.runtimeClasspath)
            module.tasks.create('` + classPathTask + `') {
                inputs.files(path)
                doLast { answer.setText([classes.files.join('\n'), path.files.join('\n')].join('\n\n'), 'UTF-8') }
            }`

func (p project) classPathScript(answer string, test bool) string {
	classes, set := "module.sourceSets.main.output.classesDirs", "main"
	if test {
		classes, set = "module.sourceSets.test.output.classesDirs, "+classes, "test"
	}
	return fmt.Sprintf(moduleScript, quoteGroovy(p.dir), " && module.plugins.hasPlugin('java')", quoteGroovy(answer), fmt.Sprintf(classPathTemplate, classes, set))
}

// consoleTemplate copies one archive out of the module's repositories.
const consoleTemplate = `
            def archive = module.files(module.configurations.detachedConfiguration(module.dependencies.create(%s)))
            module.tasks.create('` + consoleTask + `') {
                inputs.files(archive)
                doLast { answer.bytes = archive.singleFile.bytes }
            }`

func (p project) consoleScript(answer, version string) string {
	artifact := consoleGroup + ":" + consoleName + ":" + version + "@jar"
	return fmt.Sprintf(moduleScript, quoteGroovy(p.dir), "", quoteGroovy(answer), fmt.Sprintf(consoleTemplate, quoteGroovy(artifact)))
}

// quoteGroovy writes a text as Groovy takes it literally.
func quoteGroovy(text string) string {
	return "'" + strings.NewReplacer(`\`, `\\`, `'`, `\'`).Replace(text) + "'"
}

// gradleCommand runs the task of a script. It is asked for by its bare name in
// the whole build, as a module's path need not be that of its directory.
func (p project) gradleCommand(scratch, script, task string) (process.Spec, error) {
	path := filepath.Join(scratch, "aidb.gradle")
	if err := os.WriteFile(path, []byte(script), 0o600); err != nil {
		return process.Spec{}, fmt.Errorf("writing Gradle's script: %w", err)
	}
	args := []string{"-q", "--console=plain", "--no-daemon", "-I", path, task}
	return process.Spec{Name: "Gradle", Args: args, Dir: p.root}, nil
}

// parseGradle reads what the script has written.
func parseGradle(text string) built {
	classes, path, _ := strings.Cut(text, "\n\n")
	return built{entries(strings.Split(path, "\n")), entries(strings.Split(classes, "\n"))}
}

var gradleSettings = []string{"settings.gradle", "settings.gradle.kts"}

// hasSettings says that a directory is the root of a Gradle build.
func hasSettings(dir string) bool {
	return prepare.Exists(filepath.Join(dir, gradleSettings[0])) || prepare.Exists(filepath.Join(dir, gradleSettings[1]))
}
