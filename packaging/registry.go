package packaging

import "strings"

// registryServer is a server.json: what the MCP registry lists.
type registryServer struct {
	Schema      string            `json:"$schema"`
	Name        string            `json:"name"`
	Title       string            `json:"title"`
	Description string            `json:"description"`
	Version     string            `json:"version"`
	Packages    []registryPackage `json:"packages"`
}

type registryPackage struct {
	Type       string             `json:"registryType"`
	Identifier string             `json:"identifier"`
	Version    string             `json:"version,omitempty"`
	SHA256     string             `json:"fileSha256,omitempty"`
	Transport  registryTransport  `json:"transport"`
	Runtime    string             `json:"runtimeHint,omitempty"`
	Arguments  []registryArgument `json:"packageArguments,omitempty"`
}

type registryTransport struct {
	Type string `json:"type"`
}

type registryArgument struct {
	Type  string `json:"type"`
	Value string `json:"value"`
}

// registryEntry writes the server.json of the release. A bundle is listed by its
// address, and so only where that is known.
func (p *packer) registryEntry() error {
	stdio, serve := registryTransport{"stdio"}, []registryArgument{{"positional", "serve"}}
	entry := registryServer{
		Schema: "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
		Name:   registered, Title: title, Description: description, Version: p.Version,
		Packages: []registryPackage{
			{Type: "npm", Identifier: name, Version: p.Version, Transport: stdio, Runtime: "npx", Arguments: serve},
			{Type: "pypi", Identifier: name, Version: pythonVersion(p.Version), Transport: stdio, Runtime: "uvx", Arguments: serve},
		},
	}
	for _, b := range p.bundles {
		if p.URL != "" {
			entry.Packages = append(entry.Packages, registryPackage{
				Type: "mcpb", Identifier: strings.TrimSuffix(p.URL, "/") + "/" + b.name, SHA256: b.sha256, Transport: stdio,
			})
		}
	}
	return p.put("server.json", manifest("", entry).text)
}
