package java

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"aidb-mcp/adapters"
	"aidb-mcp/adapters/prepare"
	"aidb-mcp/internal/fault"
)

func detailsOf(t *testing.T, f *fault.Error) string {
	t.Helper()
	text, err := json.Marshal(f.Details)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// A module is built from the root of the build that it is a part of, which need
// not be the outermost one.
func TestProjectRoots(t *testing.T) {
	t.Parallel()
	top := prepare.Physical(t.TempDir())
	for name, text := range map[string]string{
		"maven/pom.xml":                  "<modules>\n <module>libs/a</module><module> ./tools/pom.xml </module></modules>",
		"maven/libs/a/pom.xml":           "<modules><module>deep</module></modules>",
		"maven/libs/a/deep/pom.xml":      "",
		"maven/tools/pom.xml":            "",
		"maven/sample/pom.xml":           "",
		"gradle/settings.gradle.kts":     "",
		"gradle/lib/build.gradle":        "",
		"gradle/sample/settings.gradle":  "",
		"gradle/sample/app/build.gradle": "",
		"single/outer/build.gradle":      "",
		"single/outer/in/build.gradle":   "",
		"above/settings.gradle":          "rootProject.name = 'above'\ninclude 'app', ':libs:core'\n",
		"above/build.gradle":             "subprojects { apply plugin: 'java' }\n",
		"above/app/Main.java":            "",
		"above/libs/core/Core.java":      "",
		"above/docs/Sample.java":         "",
		"published/pom.xml":              "<project><name>shop</name></project>",
		"published/build.gradle":         "",
		"both/pom.xml":                   "<project><dependencies/><build></build></project>",
		"both/build.gradle":              "",
		"mixed/pom.xml":                  "<module>g</module>",
		"mixed/g/build.gradle":           "",
	} {
		path := filepath.Join(top, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Join(filepath.Dir(path), "src"), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for name, want := range map[string]projectKind{"published": gradle, "both": maven, "maven": maven, "single/outer": gradle, "above/docs": noProject} {
		if got := kindOf(filepath.Join(top, filepath.FromSlash(name))); got != want {
			t.Errorf("%s is built by %q, want %q", name, got, want)
		}
	}
	for dir, want := range map[string]string{
		"maven/libs/a/deep/src": "maven", "maven/tools": "maven", "maven/sample": "maven/sample", "maven": "maven",
		"gradle/lib": "gradle", "gradle/sample/app": "gradle/sample", "gradle": "gradle",
		"single/outer/in": "single/outer/in", "mixed/g": "mixed/g",
	} {
		p := projectAt(adapters.Request{Workspace: top}, filepath.Join(top, filepath.FromSlash(dir)))
		if p.root != filepath.Join(top, filepath.FromSlash(want)) {
			t.Errorf("%s is built from %s, want %s", dir, p.root, want)
		}
	}
	for dir, want := range map[string]string{"above/app/src": "above/app", "above/libs/core/src": "above/libs/core", "above/docs/src": "above", "above": "above"} {
		p := projectAt(adapters.Request{Workspace: top}, filepath.Join(top, filepath.FromSlash(dir)))
		if p.dir != filepath.Join(top, filepath.FromSlash(want)) || p.root != filepath.Join(top, "above") {
			t.Errorf("%s is of the module %s, built from %s, want %s", dir, p.dir, p.root, want)
		}
	}
	above := projectAt(adapters.Request{Workspace: top}, filepath.Join(top, "above"))
	if got := strings.Join(above.modules(job{Request: adapters.Request{Workspace: top}}), " "); got != "./above/app ./above/libs/core" {
		t.Errorf("modules that are configured from above: %s", got)
	}
	gradle := projectAt(adapters.Request{Workspace: top}, filepath.Join(top, "gradle"))
	f := gradle.orModule(job{Request: adapters.Request{Workspace: top}}, fault.New(fault.InvalidTarget, "nothing to run"))
	if got, want := detailsOf(t, f), `{"candidates":["./gradle/lib","./gradle/sample","./gradle/sample/app"]}`; got != want {
		t.Errorf("modules: %s, want %s", got, want)
	}
}

// The archive of a module is the user's own; a library that the project keeps is not.
func TestOwnEntries(t *testing.T) {
	t.Parallel()
	top := prepare.Physical(t.TempDir())
	for _, name := range []string{"core/src/Core.java", "core/build/libs/core.jar", "libs/guava.jar", "app/build/classes/java/main/App.class", "build/tools/t.jar"} {
		path := filepath.Join(top, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	at := func(name string) string { return filepath.Join(top, filepath.FromSlash(name)) }
	got := ownEntries([]string{at("app/build/classes/java/main"), at("core/build/libs/core.jar"), at("libs/guava.jar"), at("build/tools/t.jar"), "/else/x.jar"}, top)
	if want := []string{at("app/build/classes/java/main"), at("core/build/libs/core.jar")}; !slices.Equal(got, want) {
		t.Errorf("the user's own are %q, want %q", got, want)
	}
}
