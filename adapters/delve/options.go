package delve

import (
	"encoding/json"

	"aidb-mcp/adapters"
	"aidb-mcp/adapters/delve/wire"
	"aidb-mcp/adapters/prepare"
)

// readOptions reads adapter_options: Delve's own names.
func readOptions(raw json.RawMessage) (o wire.Options, err error) {
	err = prepare.Options(raw, &o, "Delve", `{"maxStringLen": 2000, "showPprofLabels": ["*"], "followExec": true}`)
	return o, err
}

// following adds whether the Go programs that the program starts are followed.
func following(c adapters.Capabilities, follow bool) adapters.Capabilities {
	if c.Start.Follows = follow; !follow {
		c.Start.Follow, c.Start.FollowsWhich = `{"followExec": true}`, "follows the Go programs among them"
	}
	return c
}
