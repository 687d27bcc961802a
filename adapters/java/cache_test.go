package java

import (
	"os"
	"path/filepath"
	"testing"
)

// A copy of the same sources has the same build, and nothing else has.
func TestKeyOfABuild(t *testing.T) {
	lay := func(files map[string]string) string {
		dir := t.TempDir()
		for name, text := range files {
			path := filepath.Join(dir, name)
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		return dir
	}
	keyOf := func(dir string, change func(*job)) string {
		j := job{}
		j.Workspace = dir
		if change != nil {
			change(&j)
		}
		return j.key([]string{"-g"}, []string{filepath.Join(dir, "Main.java")}, []string{dir})
	}
	sources := map[string]string{"Main.java": "class Main {}", "shop/Calc.java": "package shop; class Calc {}"}
	first := keyOf(lay(sources), nil)
	if copied := keyOf(lay(sources), nil); first == "" || copied != first {
		t.Errorf("%q, and the copy %q", first, copied)
	}
	elsewhere := func(j *job) { j.Workspace = filepath.Dir(j.Workspace) }
	for name, key := range map[string]string{
		"another text":              keyOf(lay(map[string]string{"Main.java": "class Main {}", "shop/Calc.java": "package shop; class Calc { }"}), nil),
		"another name":              keyOf(lay(map[string]string{"Main.java": "class Main {}", "shop/Cart.java": "package shop; class Calc {}"}), nil),
		"an option":                 keyOf(lay(sources), func(j *job) { j.BuildArgs = []string{"-parameters"} }),
		"javac runs elsewhere":      keyOf(lay(sources), elsewhere),
		"classes beside them":       keyOf(lay(map[string]string{"Main.java": "class Main {}", "shop/Calc.java": "package shop; class Calc {}", "shop/Old.class": ""}), nil),
		"another compiler's folder": keyOf(lay(sources), func(j *job) { j.tools.home = "another" }),
	} {
		if key == first {
			t.Errorf("%s: has the build of the first", name)
		}
	}
}
