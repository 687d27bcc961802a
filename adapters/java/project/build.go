package project

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"aidb-mcp/internal/project/workspace"
	"aidb-mcp/internal/text/pattern"
)

var (
	javaBuilds = []string{"pom.xml", "build.gradle", "build.gradle.kts"}
	// the class that a build runs or packs as the program
	mavenMain  = pattern.New(`<(?:[\w.-]*[mM]ain[.-]?[cC]lass|start-class)>\s*([\w.$]+)\s*<`)
	gradleMain = pattern.New(`(?:\bmainClass(?:Name)?(?:\.set)?\s*[=(]?\s*|['"]Main-Class['"]\s*(?:\]\s*=|[:=]|,|\bto\b)\s*)["']([\w.$]+)["']`)

	springWeb = pattern.New(`spring.?boot.?starter.?(?:web|webflux|jersey|graphql|data.?rest|thymeleaf)|spring.?webmvc`)
)

// javaServers are frameworks whose programs wait for requests, by what their main
// class says.
var javaServers = []struct {
	name  string
	words []string // what the mark matches has one of them, and to look for that costs little
	mark  *pattern.Pattern
}{
	{"Spring Boot", []string{"Spring"}, pattern.New(`@SpringBootApplication\b|\bSpringApplication\.run\s*\(|\bSpringApplicationBuilder\s*\(`)},
	{"Micronaut", []string{"Micronaut."}, pattern.New(`\bMicronaut\.(?:run|build)\s*\(`)},
	{"Javalin", []string{"Javalin."}, pattern.New(`\bJavalin\.(?:create|start)\s*\(`)},
	{"Helidon", []string{"WebServer."}, pattern.New(`\bWebServer\.(?:builder|create)\s*\(`)},
	{"Undertow", []string{"Undertow."}, pattern.New(`\bUndertow\.builder\s*\(`)},
	{"Spark Java", []string{"spark.Spark"}, pattern.New(`import\s+static\s+spark\.Spark\.`)},
	{"Jetty", []string{"org.eclipse.jetty"}, pattern.New(`import\s+org\.eclipse\.jetty\.server\.Server;`)},
	{"gRPC", []string{"ServerBuilder"}, pattern.New(`\bServerBuilder\s*\.forPort\s*\(`)},
	{"", []string{"HttpServer.", "ServerSocket"}, pattern.New(`\bHttpServer\.create\s*\(|\bnew\s+ServerSocket\s*\(`)},
}

// javaBuild notes what the build file of a module says of its program, and which
// Java is asked for.
func (s *scan) javaBuild(dir workspace.Directory) {
	for _, name := range javaBuilds {
		if !dir.Has(name) {
			continue
		}
		main := gradleMain
		if name == "pom.xml" {
			main = mavenMain
		}
		text := s.Read(workspace.Join(dir.Rel, name))
		for _, class := range workspace.Submatches(main, text) {
			s.javas.declared[strings.TrimSuffix(class, "Kt")] = true
		}
		if wanted := javaToolchain(text); wanted != "" {
			s.wantedJava(workspace.Join(dir.Rel, name), "Java "+wanted+" by a toolchain")
		}
	}
	s.javaVersions(dir)
}

// javaServer is what a program is made with, and whether it waits for requests.
func (s *scan) javaServer(dir, text string) (framework string, serves bool) {
	for _, server := range javaServers {
		if !slices.ContainsFunc(server.words, func(word string) bool { return strings.Contains(text, word) }) || !server.mark.MatchString(text) {
			continue
		}
		if server.name != "Spring Boot" {
			return server.name, true
		}
		build := s.javaBuildText(dir)
		return server.name, build == "" || springWeb.MatchString(build)
	}
	return "", false
}

// javaBuildText is the text of the build files from a directory upwards: what a
// module needs may stand in that of its parent.
func (s *scan) javaBuildText(dir string) string {
	var all strings.Builder
	for ; ; dir = path.Dir(dir) {
		for _, name := range javaBuilds {
			if rel := workspace.Join(dir, name); s.builds(rel) {
				all.WriteString(s.Read(rel))
			}
		}
		if dir == "." {
			return all.String()
		}
	}
}

func (s *scan) builds(rel string) bool {
	return slices.ContainsFunc(s.Project.Builds, func(b workspace.Build) bool { return b.Path == rel })
}

var (
	sdkmanJava   = pattern.New(`(?m)^\s*java\s*=\s*(\S+)`)
	toolVersions = pattern.New(`(?m)^\s*java\s+(\S+)`)
	miseJava     = pattern.New(`(?m)^\s*java\s*=\s*"([^"]+)"`)
	plainVersion = pattern.New(`^\s*([\w.+-]+)\s*$`)

	gradleToolchain = pattern.New(`JavaLanguageVersion\.of\(\s*["']?(\d+)|\bjvmToolchain\(\s*(\d+)`)
	mavenToolchain  = pattern.New(`(?s)<toolchains>.*?<jdk>.*?<version>\s*([^<\s]+)\s*</version>|<jdkToolchain>.*?<version>\s*([^<\s]+)\s*</version>`)
)

// javaVersions notes the files of version managers that ask for a Java.
func (s *scan) javaVersions(dir workspace.Directory) {
	for _, file := range []struct {
		name, manager string
		version       *pattern.Pattern
	}{
		{".sdkmanrc", "sdkman", sdkmanJava}, {".java-version", "jenv", plainVersion},
		{".tool-versions", "asdf", toolVersions}, {"mise.toml", "mise", miseJava}, {".mise.toml", "mise", miseJava},
	} {
		if !dir.Has(file.name) {
			continue
		}
		rel := workspace.Join(dir.Rel, file.name)
		if m := file.version.FindStringSubmatch(s.Read(rel)); m != nil {
			s.wantedJava(rel, "Java "+m[1]+" by "+file.manager)
		}
	}
}

func (s *scan) wantedJava(rel, what string) {
	if s.Room(len(s.Project.Environments)) {
		s.Project.Environments = append(s.Project.Environments, workspace.Environment{Language: "java", Path: rel, Name: what})
	}
}

// javaToolchain is the version of Java that a build wants of the machine.
func javaToolchain(text string) string {
	for _, p := range []*pattern.Pattern{gradleToolchain, mavenToolchain} {
		if m := p.FindStringSubmatch(text); m != nil {
			return cmp.Or(m[1:]...)
		}
	}
	return ""
}
