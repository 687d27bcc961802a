package java

import (
	"path/filepath"

	"aidb-mcp/adapters"
	"aidb-mcp/adapters/prepare"
	"aidb-mcp/internal/system/boundedfile"
	"aidb-mcp/internal/text/pattern"
)

// pins are files with which version managers note the Java of a project, and where
// they keep what they install, below the user's home.
var pins = []struct {
	file    string
	version *pattern.Pattern
	kept    string
}{
	{".sdkmanrc", pattern.New(`(?m)^\s*java\s*=\s*([\w.+-]+)`), ".sdkman/candidates/java"},
	{".java-version", pattern.New(`^\s*([\w.+-]+)\s*$`), ".jenv/versions"},
	{".tool-versions", pattern.New(`(?m)^\s*java\s+([\w.+-]+)`), ".asdf/installs/java"},
	{".tool-versions", pattern.New(`(?m)^\s*java\s+([\w.+-]+)`), ".local/share/mise/installs/java"},
	{"mise.toml", pattern.New(`(?m)^\s*java\s*=\s*"([\w.+-]+)"`), ".local/share/mise/installs/java"},
}

// pinnedHomes are the homes of the Java that a workspace asks its version manager for, as
// far as it is installed. JAVA_HOME of the call itself says more.
func pinnedHomes(r adapters.Request, env []string) []string {
	user := prepare.Lookup(env, "HOME")
	if _, given := r.Env["JAVA_HOME"]; given || r.Workspace == "" || user == "" {
		return nil
	}
	var homes []string
	for _, pin := range pins {
		text, err := boundedfile.ReadText(filepath.Join(r.Workspace, pin.file))
		if err != nil {
			continue
		}
		m := pin.version.FindStringSubmatch(string(text))
		if m == nil {
			continue
		}
		kept := filepath.Join(user, filepath.FromSlash(pin.kept))
		if dir := prepare.Lookup(env, "SDKMAN_DIR"); dir != "" && pin.file == ".sdkmanrc" {
			kept = filepath.Join(dir, "candidates", "java")
		}
		if home := filepath.Join(kept, m[1]); prepare.IsDir(home) {
			homes = append(homes, prepare.Physical(home))
		}
	}
	return homes
}

// managed are where version managers and editors put JDKs, below the user's home.
var managed = []string{".sdkman/candidates/java/*", ".jdks/*", ".gradle/jdks/*", ".asdf/installs/java/*", ".local/share/mise/installs/java/*"}
