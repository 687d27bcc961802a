//go:build linux

package clients

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"aidb-mcp/internal/testkit"
)

// nodeIsOld says that no Node.js is here that is new enough.
func nodeIsOld(p *place) string {
	version := strings.TrimSpace(p.run("node --version").Stdout)
	var major, minor int
	if _, err := fmt.Sscanf(version, "v%d.%d", &major, &minor); err != nil || major < 22 || major == 22 && minor < 19 {
		return "needs Node.js 22.19, here is " + version
	}
	return ""
}

// version is the pinned version of a client.
func (c client) version(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", c.From.Lock()))
	if err != nil {
		t.Fatal(err)
	}
	if c.From == testkit.Npm {
		var lock struct {
			Packages map[string]struct{ Version string }
		}
		if err := json.Unmarshal(text, &lock); err != nil {
			t.Fatal(err)
		}
		return lock.Packages["node_modules/"+c.Package].Version
	}
	found := regexp.MustCompile(`(?m)^` + regexp.QuoteMeta(c.Package) + `==(\S+)`).FindSubmatch(text)
	if found == nil {
		t.Fatalf("%s is not in %s", c.Package, c.From.Lock())
	}
	return string(found[1])
}
