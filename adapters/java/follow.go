package java

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"

	"aidb-mcp/adapters"
	"aidb-mcp/adapters/prepare"
	"aidb-mcp/internal/fault"
)

// toolOptions is the variable whose options each JVM takes that starts below the program.
const toolOptions = "JAVA_TOOL_OPTIONS"

// follow has the bridge let the program's JVM take the debug agent from its environment, as those do that
// it starts. The agent takes virtual threads in by an option that older JVMs do not start with: it is
// left out then, for which ones are started is not known.
func (j job) follow(l *launch) (warnings []string) {
	l.Follows, l.Env[toolOptions] = true, prepare.Lookup(j.env, toolOptions)
	if l.AgentOptions != "" {
		l.AgentOptions = ""
		warnings = append(warnings, "virtual threads are not listed while child JVMs are followed, which may be too old for that")
	}
	return warnings
}

// joinChild connects a JVM that the program has started, which waits: a bridge of its own debugs it,
// where the program's bridge passes on its words.
func (a *adapter) joinChild(j job, common common, classes string) func(context.Context, string, json.RawMessage) (*adapters.Child, error) {
	return func(ctx context.Context, request string, configuration json.RawMessage) (*adapters.Child, error) {
		var c struct {
			PID     int    `json:"pid"`
			Port    int    `json:"port"`
			Refused string `json:"refused"`
		}
		if err := json.Unmarshal(configuration, &c); err != nil {
			return nil, fmt.Errorf("reading where a child JVM waits: %w", err)
		}
		if c.Refused != "" {
			return nil, fault.New(fault.NotSupported, "%s", c.Refused)
		}
		peer, err := a.open(j.tools, classes, nil, nil)(ctx)
		if err != nil {
			return nil, fmt.Errorf("starting a bridge for a child JVM: %w", err)
		}
		name := "child JVM"
		if c.PID != 0 {
			name = "process " + strconv.Itoa(c.PID)
		}
		return &adapters.Child{
			Peer: peer, Name: name, PID: c.PID, Request: request,
			Arguments: attach{Host: "127.0.0.1", Port: c.Port, common: common},
		}, nil
	}
}
