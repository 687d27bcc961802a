package java

import (
	"path/filepath"
	"testing"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/testkit/filetree"
)

// modulesOf writes a project of two modules, of which the classes named have a
// main method, and answers its directory.
func modulesOf(t *testing.T, mains ...string) string {
	t.Helper()
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{
		"pom.xml":     "<project><modules><module>app</module><module>lib</module></modules></project>",
		"app/pom.xml": "<project/>", "lib/pom.xml": "<project/>",
		"lib/src/main/java/sums/Sums.java": "package sums;\n\npublic class Sums {}\n",
	}
	for _, name := range mains {
		files[name] = "package shop;\n\nclass X {\n  public static void main(String[] args) {}\n}\n"
	}
	filetree.Write(t, top, files)
	return top
}

// A project of modules is started by the only one that can be.
func TestRunningModule(t *testing.T) {
	const main, other = "app/src/main/java/shop/Main.java", "lib/src/main/java/shop/Other.java"
	for name, c := range map[string]struct {
		mains              []string
		wanted, dir, class string
	}{
		"one main":           {[]string{main}, "", "app", "shop.Main"},
		"two mains":          {[]string{main, other}, "", ".", ""},
		"two, and one named": {[]string{main, other}, "Other", "lib", "shop.Other"},
		"none":               {nil, "", ".", ""},
	} {
		top := modulesOf(t, c.mains...)
		j := job{Request: adapters.Request{Workspace: top}, options: options{MainClass: c.wanted}}
		p := projectAt(j.Request, top).runnable(&j)
		if p.dir != filepath.Join(top, c.dir) || p.root != top || j.options.MainClass != c.class {
			t.Errorf("%s: %s of %s, class %q", name, p.dir, p.root, j.options.MainClass)
		}
	}
}

// A source goes by its name alone while no other has the same.
func TestSourceNamed(t *testing.T) {
	const main = "app/src/main/java/shop/Main.java"
	top := modulesOf(t, main)
	for target, want := range map[string]string{"Main.java": main, "shop/Main.java": main, "ain.java": "ain.java", "None.java": "None.java"} {
		j := job{Request: adapters.Request{Workspace: top}}
		if got := j.sourceNamed(filepath.Join(top, target), target); got != filepath.Join(top, want) {
			t.Errorf("%s: %s, want %s", target, got, want)
		}
	}
	top = modulesOf(t, main, "lib/src/main/java/shop/Main.java")
	j := job{Request: adapters.Request{Workspace: top}}
	if got := j.sourceNamed(filepath.Join(top, "Main.java"), "Main.java"); got != filepath.Join(top, "Main.java") {
		t.Errorf("of two: %s", got)
	}
}
