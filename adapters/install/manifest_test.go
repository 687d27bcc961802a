package install

import (
	"slices"
	"strings"
	"testing"
)

// Every component is pinned completely, and its layout leads where its pins say.
func TestManifest(t *testing.T) {
	for _, c := range components() {
		t.Run(c.Name, func(t *testing.T) {
			pins, err := c.Pins()
			if err != nil || len(pins) <= len(c.Own) {
				t.Fatalf("%d pins, %v", len(pins), err)
			}
			var paths []string
			for _, f := range pins {
				paths = append(paths, f.Path)
				if !slices.ContainsFunc(c.Layout, func(m Move) bool { return strings.HasPrefix(f.Path, m.To) }) {
					t.Errorf("nothing leads to %s", f.Path)
				}
			}
			slices.Sort(paths)
			if len(slices.Compact(paths)) != len(pins) {
				t.Error("a file is pinned twice")
			}
			for _, program := range c.Programs {
				if !slices.Contains(paths, program) {
					t.Errorf("the program %s is not pinned", program)
				}
			}
			if _, ok := clients()[c.Source.Client]; !ok || len(c.Source.Packages) == 0 || c.Archive == "" {
				t.Errorf("no source: %+v", c.Source)
			}
			for _, language := range c.Languages {
				if list := For(language); !slices.ContainsFunc(list, func(needed Component) bool { return needed.Name == c.Name }) {
					t.Errorf("%s needs %v", language, list)
				}
			}
		})
	}
}

// js-debug comes from two kinds of archive with other names in each.
func TestOneAdapterFromTwoSources(t *testing.T) {
	c, _ := find("js-debug")
	for from, want := range map[string]string{
		"js-debug/src/dapDebugServer.js":                     "src/dapDebugServer.js",
		"js-debug/src/vendor/acorn.js":                       "src/vendor/acorn.js",
		"package/dist/vendor/js-debug/vsDebugServer.cjs":     "src/dapDebugServer.js",
		"package/dist/vendor/js-debug/vendor/acorn.js":       "src/vendor/acorn.js",
		"package/dist/vendor/codelldb/linux-x64/x":           "",
		"package/dist/vendor/js-debug-other/bootloader.js":   "",
		"js-debug/src/targets/node/terminateProcess.sh":      "src/targets/node/terminateProcess.sh",
		"package/dist/vendor/js-debug/vsDebugServer.cjs.map": "src/vsDebugServer.cjs.map",
	} {
		if got, _ := c.place(from); got != want {
			t.Errorf("%s goes to %q, want %q", from, got, want)
		}
	}
}

func TestForeignPlatformsAreTold(t *testing.T) {
	c, _ := find("codelldb")
	if c.available("darwin/arm64") || !c.available("linux/amd64") {
		t.Error("CodeLLDB is pinned for linux/amd64")
	}
	for _, want := range []string{"linux/amd64", "lldb", "--system c", "--sha256"} {
		if text := c.elsewhere(); !strings.Contains(text, want) {
			t.Errorf("no %q in %s", want, text)
		}
	}
}
