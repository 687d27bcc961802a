package packaging

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
)

// bundleManifest is the manifest.json of an MCP bundle.
type bundleManifest struct {
	ManifestVersion string            `json:"manifest_version"`
	Name            string            `json:"name"`
	DisplayName     string            `json:"display_name"`
	Version         string            `json:"version"`
	Description     string            `json:"description"`
	Author          person            `json:"author"`
	Server          bundleServer      `json:"server"`
	ToolsGenerated  bool              `json:"tools_generated"` // ask the server
	Keywords        []string          `json:"keywords"`
	License         string            `json:"license"`
	Compatibility   bundleFits        `json:"compatibility"`
	UserConfig      map[string]choice `json:"user_config"`
}

type person struct {
	Name string `json:"name"`
}

type bundleServer struct {
	Type       string  `json:"type"`
	EntryPoint string  `json:"entry_point"`
	Config     command `json:"mcp_config"`
}

// command is how a client starts the server.
type command struct {
	Type    string   `json:"type,omitempty"`
	Command string   `json:"command"`
	Args    []string `json:"args"`
}

type bundleFits struct {
	Platforms []string `json:"platforms"`
}

type choice struct {
	Type        string `json:"type"`
	Title       string `json:"title"`
	Description string `json:"description"`
	Required    bool   `json:"required"`
}

// bundle is an MCP bundle that has been written.
type bundle struct{ name, sha256 string }

// bundle writes the MCP bundle of a platform: what a desktop client installs by
// one click. Such a client has no current directory, so it asks for one.
func (p *packer) bundle(b Build, binary []byte) error {
	platform, _ := b.node()
	entry := "server/" + b.executable()
	content, err := zipArchive(p.Release, []file{
		manifest("manifest.json", bundleManifest{
			ManifestVersion: "0.3", Name: name, DisplayName: title, Version: p.Version, Description: description, Author: person{author},
			Server: bundleServer{"binary", entry, command{
				Command: "${__dirname}/" + entry, Args: []string{"serve", "--workspace", "${user_config.workspace}"},
			}},
			ToolsGenerated: true, Keywords: keywords, License: license, Compatibility: bundleFits{[]string{platform}},
			UserConfig: map[string]choice{"workspace": {"directory", "Workspace", "The folder of the program to debug", true}},
		}),
		program(entry, binary),
		text("LICENSE", p.License),
	})
	if err != nil {
		return err
	}
	sum := sha256.Sum256(content)
	made := bundle{fmt.Sprintf("%s-%s-%s.mcpb", name, p.Version, b), hex.EncodeToString(sum[:])}
	p.bundles = append(p.bundles, made)
	return p.put(made.name, content)
}
