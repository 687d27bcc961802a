package jsdebug

import (
	"encoding/json"

	"aidb-mcp/adapters/prepare"
)

// options are the adapter_options: those of js-debug that are of use without an
// editor, under its own names, and which runner a test has.
type options struct {
	RuntimeArgs               []string          `json:"runtimeArgs"`
	SkipFiles                 []string          `json:"skipFiles"`
	OutFiles                  []string          `json:"outFiles"`
	SourceMaps                *bool             `json:"sourceMaps"`
	SourceMapPathOverrides    map[string]string `json:"sourceMapPathOverrides"`
	ResolveSourceMapLocations []string          `json:"resolveSourceMapLocations"`
	AutoAttachChildProcesses  *bool             `json:"autoAttachChildProcesses"`
	SmartStep                 bool              `json:"smartStep"`
	LocalRoot                 string            `json:"localRoot"`
	RemoteRoot                string            `json:"remoteRoot"`
	Runner                    string            `json:"runner"`
	Observe                   bool              `json:"observe"`
}

func readOptions(raw json.RawMessage) (o options, err error) {
	err = prepare.Options(raw, &o, "js-debug", `{"runtimeArgs":["--import","tsx"]} or {"runner":"vitest"}`)
	return o, err
}
