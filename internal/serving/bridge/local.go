package bridge

import (
	"encoding/json"
	"slices"
	"time"

	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/mcp/answer"
	"aidb-mcp/internal/mcp/frame"
)

// revisions are those that the bridge can begin a session of by itself.
var revisions = []string{"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"}

// isOnlyQuestion says that a call changes nothing at the remote, and that local has an answer
// to it: also where the line broke in the middle of it, a client keeps its tools.
func isOnlyQuestion(f frame.Frame) bool {
	switch f.Method() {
	case "initialize", "server/discover", "tools/list", "resources/list", "resources/templates/list", "prompts/list":
		return true
	}
	return false
}

// local answers while the remote is away: what it has told before, else as much
// as a client needs to see what is the matter.
func (b *bridge) local(f frame.Frame, away *absence) frame.Frame {
	if kept := b.cache.get(f); kept != nil {
		return answer.Result(f, kept)
	}
	var result any
	switch f.Method() {
	case "initialize":
		result = b.hello(f)
	case "server/discover":
		result = discovered{
			ResultType: "complete", SupportedVersions: append(slices.Clone(revisions), answer.Revision(f)),
			Capabilities: ownCapabilities, Instructions: b.o.Instructions,
		}
	case "tools/list":
		result = listed{Tools: b.o.Tools, ResultType: complete(f)}
	case "resources/list":
		result = map[string]any{"resources": []any{}}
	case "resources/templates/list":
		result = map[string]any{"resourceTemplates": []any{}}
	case "prompts/list":
		result = map[string]any{"prompts": []any{}}
	default:
		return answer.Fault(f, away.fault())
	}
	return answer.Result(f, result)
}

type discovered struct {
	ResultType        string       `json:"resultType"`
	SupportedVersions []string     `json:"supportedVersions"`
	Capabilities      capabilities `json:"capabilities"`
	Instructions      string       `json:"instructions,omitempty"`
}

type listed struct {
	Tools      json.RawMessage `json:"tools"`
	ResultType string          `json:"resultType,omitempty"`
}

type capabilities struct {
	Tools toolCapability `json:"tools"`
}

type toolCapability struct {
	ListChanged bool `json:"listChanged"`
}

var ownCapabilities = capabilities{toolCapability{true}}

type hello struct {
	ProtocolVersion string         `json:"protocolVersion"`
	Capabilities    capabilities   `json:"capabilities"`
	ServerInfo      implementation `json:"serverInfo"`
	Instructions    string         `json:"instructions,omitempty"`
}

type implementation struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

func (b *bridge) hello(f frame.Frame) hello {
	revision := f.Text("params", "protocolVersion")
	if !slices.Contains(revisions, revision) {
		revision = revisions[len(revisions)-1]
	}
	return hello{revision, ownCapabilities, implementation{"aidb", b.o.Version}, b.o.Instructions}
}

func complete(f frame.Frame) string {
	if answer.Modern(f) {
		return "complete"
	}
	return ""
}

// fault is the answer to a call while the remote is away.
func (a *absence) fault() *fault.Error {
	a.mu.Lock()
	defer a.mu.Unlock()
	now := time.Now()
	f := fault.New(fault.BridgeDown, "the remote server is away since %s (%s): %s",
		a.since.UTC().Format("15:04:05 MST"), now.Sub(a.since).Round(time.Second), a.why)
	hint := a.hint
	if hint != "" {
		hint += "; "
	}
	if next := a.next.Sub(now); next > 0 {
		return f.WithHint("%sit is tried again by itself, next in %s: this call was not made, make it again then", hint, next.Round(100*time.Millisecond))
	}
	return f.WithHint("%sit is being tried at this moment: this call was not made, make it again", hint)
}
