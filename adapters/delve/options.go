package delve

import (
	"encoding/json"

	"aidb-mcp/adapters/delve/wire"
	"aidb-mcp/adapters/prepare"
)

// readOptions reads adapter_options: Delve's own names.
func readOptions(raw json.RawMessage) (o wire.Options, err error) {
	err = prepare.Options(raw, &o, "Delve", `{"maxStringLen": 2000, "showPprofLabels": ["*"], "followExec": true}`)
	return o, err
}
