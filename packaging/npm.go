package packaging

import _ "embed"

//go:embed files/launcher.js
var launcher string

//go:embed files/README.md
var readme string

// npmPackage is a package.json.
type npmPackage struct {
	Name         string            `json:"name"`
	Version      string            `json:"version"`
	Description  string            `json:"description"`
	License      string            `json:"license"`
	Author       string            `json:"author"`
	Keywords     []string          `json:"keywords,omitempty"`
	MCPName      string            `json:"mcpName,omitempty"` // by it the MCP registry knows that the package is ours
	Bin          map[string]string `json:"bin,omitempty"`
	Files        []string          `json:"files"`
	OS           []string          `json:"os,omitempty"`
	CPU          []string          `json:"cpu,omitempty"`
	PreferUnplug bool              `json:"preferUnplugged,omitempty"` // Yarn must not run it out of an archive
	Engines      map[string]string `json:"engines,omitempty"`
	Optional     map[string]string `json:"optionalDependencies,omitempty"`
}

// npmName is the package that holds a platform's binary.
func npmName(b Build) string {
	platform, arch := b.node()
	return npmScope + "/" + platform + "-" + arch
}

// npmPlatform is a package with a binary, which npm installs on its platform only.
func npmPlatform(r Release, b Build, binary []byte) pack {
	platform, arch := b.node()
	return pack{name + "-" + platform + "-" + arch + "-" + r.Version + ".tgz", tgz, []file{
		manifest("package/package.json", npmPackage{
			Name: npmName(b), Version: r.Version, Description: "The binary of " + name + " for " + platform + " on " + arch,
			License: license, Author: author, Files: []string{"bin"}, OS: []string{platform}, CPU: []string{arch}, PreferUnplug: true,
		}),
		program("package/bin/"+b.executable(), binary),
		text("package/LICENSE", r.License),
	}}
}

// npmLauncher is the package that people name. It holds no binary, and runs that
// of the platform's package.
func npmLauncher(r Release) pack {
	platforms := map[string]string{}
	for _, b := range r.Builds {
		platforms[npmName(b)] = r.Version
	}
	return pack{name + "-" + r.Version + ".tgz", tgz, []file{
		manifest("package/package.json", npmPackage{
			Name: name, Version: r.Version, Description: description, License: license, Author: author, Keywords: keywords,
			MCPName: registered, Bin: map[string]string{name: "bin/" + name + ".js"}, Files: []string{"bin"},
			Engines: map[string]string{"node": ">=18"}, Optional: platforms,
		}),
		program("package/bin/"+name+".js", []byte(launcher)),
		text("package/README.md", readme),
		text("package/LICENSE", r.License),
	}}
}
