package install

import (
	"strings"
	"testing"
)

// What lies at several places in the archives of several publishers has one place with us.
func TestOneComponentFromTwoSources(t *testing.T) {
	c := Component{Layout: []Move{
		{"js-debug/src/", "src/"}, {"package/vendor/js-debug/vsDebugServer.cjs", "src/dapDebugServer.js"}, {"package/vendor/js-debug/", "src/"},
	}}
	for from, want := range map[string]string{
		"js-debug/src/dapDebugServer.js":                "src/dapDebugServer.js",
		"js-debug/src/vendor/acorn.js":                  "src/vendor/acorn.js",
		"package/vendor/js-debug/vsDebugServer.cjs":     "src/dapDebugServer.js",
		"package/vendor/js-debug/vendor/acorn.js":       "src/vendor/acorn.js",
		"package/vendor/codelldb/linux-x64/x":           "",
		"package/vendor/js-debug-other/bootloader.js":   "",
		"js-debug/src/targets/node/terminateProcess.sh": "src/targets/node/terminateProcess.sh",
		"package/vendor/js-debug/vsDebugServer.cjs.map": "src/vsDebugServer.cjs.map",
	} {
		if got, _ := c.place(from); got != want {
			t.Errorf("%s goes to %q, want %q", from, got, want)
		}
	}
}

// pinned is a component of one platform, for which elsewhere the system has packages.
var pinned = Component{
	Name: "tool", Languages: []string{"c", "rust"}, Platforms: []string{"linux/amd64"},
	System: &SystemPackages{
		Does: "install LLDB, whose lldb-dap is used as it is", ByHand: "install lldb-dap by hand",
		Names:    map[string]string{"apt-get": "lldb-19", "dnf": "lldb", "brew": "llvm", "winget": "LLVM.LLVM"},
		Numbered: "lldb-",
	},
}

func TestForeignPlatformsAreTold(t *testing.T) {
	if pinned.available("darwin/arm64") || !pinned.available("linux/amd64") {
		t.Error("it is pinned for linux/amd64")
	}
	for _, want := range []string{"linux/amd64", "lldb-dap is used", "--system c", "--sha256"} {
		if text := pinned.elsewhere(); !strings.Contains(text, want) {
			t.Errorf("no %q in %s", want, text)
		}
	}
}
