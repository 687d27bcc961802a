package packaging

import (
	_ "embed"
	"fmt"
)

//go:embed files/SKILL.md
var skill string // how to debug with the server; clients load it when it is needed

//go:embed files/GEMINI.md
var hint string // Gemini CLI loads it always, so it says little

// plugin is the plugin.json of a Claude plugin.
type plugin struct {
	Name        string   `json:"name"`
	DisplayName string   `json:"displayName,omitempty"`
	Version     string   `json:"version"`
	Description string   `json:"description"`
	Author      person   `json:"author"`
	License     string   `json:"license"`
	Keywords    []string `json:"keywords"`
}

// marketplace is the marketplace.json of a folder from which Claude Code installs.
type marketplace struct {
	Name    string          `json:"name"`
	Owner   person          `json:"owner"`
	Plugins []marketplaceOf `json:"plugins"`
	About   struct {
		Description string `json:"description"`
	} `json:"metadata"`
}

type marketplaceOf struct {
	Name        string `json:"name"`
	Source      string `json:"source"`
	Description string `json:"description"`
}

// servers are those that a client starts, by the names under which it shows them.
type servers map[string]command

// claudePlugin is a plugin of Claude Code, and the marketplace from which it is
// installed: the server and one skill.
func claudePlugin(r Release, b Build, binary []byte) pack {
	shop := marketplace{Name: name, Owner: person{author}, Plugins: []marketplaceOf{{server, "./", description}}}
	shop.About.Description = description
	return pack{fmt.Sprintf("%s-claude-plugin-%s-%s.zip", name, r.Version, b), zipArchive, []file{
		manifest(".claude-plugin/plugin.json", plugin{
			Name: server, Version: r.Version, Description: description, Author: person{author}, License: license, Keywords: keywords,
		}),
		manifest(".claude-plugin/marketplace.json", shop),
		manifest(".mcp.json", map[string]servers{"mcpServers": {server: {"stdio", "${CLAUDE_PLUGIN_ROOT}/bin/" + b.executable(), []string{"serve"}}}}),
		text("skills/debug/SKILL.md", skill),
		text("README.md", readme),
		program("bin/"+b.executable(), binary),
		text("LICENSE", r.License),
	}}
}

// extension is the gemini-extension.json of a Gemini CLI extension.
type extension struct {
	Name        string  `json:"name"`
	Version     string  `json:"version"`
	Description string  `json:"description"`
	Servers     servers `json:"mcpServers"`
	Context     string  `json:"contextFileName"`
}

// geminiExtension is an extension of Gemini CLI, which finds the archive of a
// release by the platform in its name.
func geminiExtension(r Release, b Build, binary []byte) pack {
	platform, arch := b.node()
	return pack{platform + "." + arch + "." + name + ".tar.gz", tgz, []file{
		manifest("gemini-extension.json", extension{
			Name: server, Version: r.Version, Description: description, Context: "GEMINI.md",
			Servers: servers{server: {Command: "${extensionPath}${/}bin${/}" + b.executable(), Args: []string{"serve"}}},
		}),
		text("GEMINI.md", hint),
		text("skills/debug/SKILL.md", skill),
		program("bin/"+b.executable(), binary),
		text("LICENSE", r.License),
	}}
}
