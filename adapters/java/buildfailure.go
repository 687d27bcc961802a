package java

import (
	"errors"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"aidb-mcp/adapters/prepare"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/system/boundedfile"
	"aidb-mcp/internal/text/pattern"
)

var (
	colors      = pattern.New("\x1b\\[[0-9;]*m")
	gradlePlace = pattern.New(`\* Where:\n\S.* '(.+)' line: (\d+)`)
	gradleBlock = pattern.New(`(?s)\* What went wrong:\n(.+?)\n\s*\n\* `)
	mavenReason = pattern.New(`(?m)^(?:\[(?:ERROR|FATAL)\] +)+(.*)$`)
	mavenAdvice = pattern.New(`(?m)^\[ERROR\] *\n\[ERROR\] (?:To see the full stack trace|Re-run Maven|For more information)`)
)

// failure is the error of a compiler or a build tool that failed, told by what
// it wrote: the compile errors, else its own reason without its advice.
func failure(j job, name, output string) *fault.Error {
	output = colors.ReplaceAllString(strings.ReplaceAll(output, "\r\n", "\n"), "")
	found := compileErrors(j, output)
	why := ""
	if len(found) == 0 {
		place := gradlePlace.FindStringSubmatch(output)
		why, output = reasonOf(output)
		if place != nil && why != "" {
			found = []prepare.CompileError{{File: shownPath(j, place[1]), Line: number(place[2]), Message: why}}
			why = ""
		}
	}
	f := prepare.BuildFailure(found, output)
	if why != "" {
		f.Message = "the build failed: " + why
	}
	if hint := missingOf(output); hint != "" {
		f.Hint = hint
	} else if f.Hint == "" {
		f.Hint = "details has the end of what " + name + " wrote"
	}
	return f
}

// testLibraries are what tests are written with, by the beginning of their packages.
var testLibraries = []struct{ packages, artifact string }{
	{"org.junit.jupiter", "org.junit.jupiter:junit-jupiter"}, {"org.junit", "junit:junit"}, {"org.testng", "org.testng:testng"},
	{"org.assertj", "org.assertj:assertj-core"}, {"org.mockito", "org.mockito:mockito-core"}, {"org.hamcrest", "org.hamcrest:hamcrest"},
}

var (
	noPackage  = pattern.New(`package ([\w.]+) does not exist`)
	newRelease = pattern.New(`release version (\d+) not supported|invalid (?:source|target) release: (\d+)|class file has wrong version (\d+)\.`)
)

// missingOf names what a build lacks: a library for its tests, or a newer Java.
func missingOf(output string) string {
	if m := newRelease.FindStringSubmatch(output); m != nil {
		return "the project wants Java " + release(m) + ": give the directory of such a JDK with runtime_path, or in JAVA_HOME"
	}
	m := noPackage.FindStringSubmatch(output)
	for _, l := range testLibraries {
		if m != nil && (m[1] == l.packages || strings.HasPrefix(m[1], l.packages+".")) {
			return "add " + l.artifact + " to the dependencies for tests in the project's build file, then start again"
		}
	}
	return ""
}

// release is the version of Java that a compiler's words ask for; class files count from 44.
func release(m []string) string {
	if m[3] != "" {
		return strconv.Itoa(number(m[3]) - 44)
	}
	return m[1] + m[2]
}

// reasonOf is the reason that Gradle or Maven gives, and what is left of its
// output without its advice.
func reasonOf(output string) (why, rest string) {
	if m := gradleBlock.FindStringSubmatch(output); m != nil {
		return strings.Join(strings.Fields(m[1]), " "), m[1]
	}
	if at := mavenAdvice.FindStringIndex(output); at != nil {
		output = output[:at[0]]
	}
	for _, m := range mavenReason.FindAllStringSubmatch(output, -1) {
		why, _, _ := strings.Cut(strings.TrimSpace(m[1]), " -> [Help")
		if len(why) > 1 && !strings.HasSuffix(why, ":") {
			return why, output
		}
	}
	return "", output
}

// explain tells what is missing where a build has no such module.
func (p project) explain(j job, err error) error {
	f, ok := errors.AsType[*fault.Error](err)
	if ok && oldLevel.MatchString(f.Message) {
		return f.WithHint("%s", p.newerLevel(oldLevel.FindStringSubmatch(f.Message)))
	}
	if !ok || !strings.Contains(f.Message, "'"+classPathTask+"' not found") {
		return err
	}
	where := prepare.Show(j.Request, p.dir)
	hint := "apply the plugin java in its build file, and name it in the settings of the build"
	if prepare.Exists(filepath.Join(p.dir, "build.gradle.kts")) {
		hint += "; a Gradle before 5 reads no build.gradle.kts"
	}
	return p.orModule(j, fault.New(fault.InvalidTarget, "Gradle has no module with the plugin java in %s", where).WithField("target").WithHint("%s", hint))
}

var (
	oldLevel   = pattern.New(`(?:[Ss]ource|[Tt]arget) option (\d+) is no longer supported\. Use (\d+) or later`)
	mavenLevel = pattern.New(`<(?:(?:maven\.compiler\.)?(?:source|target|release))>\s*(?:\$\{([\w.-]+)\}|(\d[\d.]*))\s*<`)
)

// newerLevel says how a project that asks for a Java which the compiler has forgotten
// is built for a newer one all the same.
func (p project) newerLevel(m []string) string {
	said := "the project asks for Java " + m[1] + ", which this JDK no longer compiles for: "
	older := "an older JDK in runtime_path or JAVA_HOME"
	if p.kind != maven {
		return said + "raise sourceCompatibility and targetCompatibility in its build file, or give " + older
	}
	properties, fixed := p.levels()
	if fixed {
		return said + "raise source and target in its pom.xml, or give " + older
	}
	newer := strconv.Itoa(max(number(m[2]), 8))
	args := make([]string, len(properties))
	for i, name := range properties {
		args[i] = strconv.Quote("-D" + name + "=" + newer)
	}
	return said + "start again with {\"build_args\":[" + strings.Join(args, ",") + "]}, or give " + older
}

// levels are the properties by which a Maven project says for which Java it is compiled;
// fixed: it says so without one.
func (p project) levels() (properties []string, fixed bool) {
	for dir := p.dir; ; dir = filepath.Dir(dir) {
		text, err := boundedfile.ReadText(filepath.Join(dir, "pom.xml"))
		if err != nil {
			break // what lies above is no part of the build
		}
		for _, m := range mavenLevel.FindAllStringSubmatch(string(text), -1) {
			if m[1] != "" && !strings.HasPrefix(m[1], "maven.compiler.") && !slices.Contains(properties, m[1]) {
				properties = append(properties, m[1])
			}
			fixed = fixed || m[2] != "" && !strings.HasPrefix(m[0], "<maven.compiler.")
		}
		if dir == filepath.Dir(dir) {
			break
		}
	}
	if len(properties) == 0 {
		properties = []string{"maven.compiler.source", "maven.compiler.target"}
	}
	return properties, fixed
}

// orModule has the error for a directory that builds nothing of its own name
// the modules below it.
func (p project) orModule(j job, f *fault.Error) *fault.Error {
	modules := p.modules(j)
	if len(modules) == 0 {
		return f
	}
	return f.WithHint("give the module to run as target: %s", strings.Join(modules[:min(len(modules), 5)], ", ")).
		WithDetails(prepare.Candidates{Candidates: modules})
}

// modules are the modules below a project that have sources.
func (p project) modules(j job) []string {
	var list []string
	for _, depth := range []string{"*", "*/*"} {
		dirs, _ := filepath.Glob(filepath.Join(p.dir, filepath.FromSlash(depth)))
		for _, dir := range dirs {
			if (kindOf(dir) == p.kind || p.includedModule(dir).dir == dir) && prepare.IsDir(filepath.Join(dir, "src")) {
				list = append(list, prepare.Show(j.Request, dir))
			}
		}
	}
	return list
}
