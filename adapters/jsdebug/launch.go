package jsdebug

import (
	"encoding/json"
	"errors"
	"strconv"

	"aidb-mcp/internal/text/pattern"
)

// launch is what js-debug is asked to start or to attach to; the names are its
// own. What is empty is left out: js-debug trips over nulls.
type launch struct {
	Type    string `json:"type"`
	Request string `json:"request"`
	Name    string `json:"name"`

	Program           string            `json:"program,omitempty"`
	Args              []string          `json:"args,omitempty"`
	Cwd               string            `json:"cwd,omitempty"`
	Env               map[string]string `json:"env,omitempty"`
	RuntimeExecutable string            `json:"runtimeExecutable,omitempty"`
	RuntimeArgs       []string          `json:"runtimeArgs,omitempty"`
	NodeVersionHint   int               `json:"nodeVersionHint,omitempty"` // spares js-debug the question
	Console           string            `json:"console,omitempty"`
	KillBehavior      string            `json:"killBehavior,omitempty"`
	StopOnEntry       bool              `json:"stopOnEntry,omitempty"`

	Address          string `json:"address,omitempty"`
	Port             int    `json:"port,omitempty"`
	WebSocket        string `json:"websocketAddress,omitempty"` // in place of the two above
	ContinueOnAttach bool   `json:"continueOnAttach,omitempty"`
	LocalRoot        string `json:"localRoot,omitempty"`
	RemoteRoot       string `json:"remoteRoot,omitempty"`

	SmartStep                 bool              `json:"smartStep"`
	SkipFiles                 []string          `json:"skipFiles"`
	Timeout                   int               `json:"timeout"` // milliseconds
	WorkspaceFolder           string            `json:"__workspaceFolder,omitempty"`
	OutFiles                  []string          `json:"outFiles"`
	SourceMaps                *bool             `json:"sourceMaps,omitempty"`
	SourceMapPathOverrides    map[string]string `json:"sourceMapPathOverrides,omitempty"`
	ResolveSourceMapLocations []string          `json:"resolveSourceMapLocations,omitempty"`
	AutoAttachChildProcesses  *bool             `json:"autoAttachChildProcesses,omitempty"`
	PauseForSourceMap         bool              `json:"pauseForSourceMap,omitempty"`
	StopOnFailedCondition     alwaysTrue        `json:"__breakOnConditionalError"`
}

// alwaysTrue is a setting that is on for every program.
type alwaysTrue struct{}

func (alwaysTrue) MarshalJSON() ([]byte, error) { return []byte("true"), nil }

// quietNode is the version that js-debug takes the program's node for, whatever
// it is: with one from 12.6 on it has node tell the inspector's id to everybody
// who asks its port (see secret). Nothing else that it does depends on a version
// above this one.
const quietNode = 12

// internals is node's own code: never of interest.
const internals = "<node_internals>/**"

// attachLimit is how long js-debug looks for an inspector, in milliseconds.
const attachLimit = 10_000

// numbered matches the process at the end of a child session's name.
var numbered = pattern.New(`\[(\d+)\]$`)

// pidIn is the process that a child session's name tells, 0 for a worker's.
func pidIn(name string) int {
	m := numbered.FindStringSubmatch(name)
	if m == nil {
		return 0
	}
	pid, _ := strconv.Atoi(m[1])
	return pid
}

// childArguments is the configuration of a child session, as js-debug words it, with the
// request that it belongs to.
func childArguments(request string, configuration json.RawMessage) (json.RawMessage, string, error) {
	var all map[string]json.RawMessage
	if err := json.Unmarshal(configuration, &all); err != nil {
		return nil, "", err
	}
	if all == nil { // null
		return nil, "", errors.New("the adapter did not say which child session it wants")
	}
	var name string
	_ = json.Unmarshal(all["name"], &name)
	all["request"], _ = json.Marshal(request)
	text, err := json.Marshal(all)
	return text, name, err
}
