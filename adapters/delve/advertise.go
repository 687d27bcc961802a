package delve

import (
	"aidb-mcp/adapters"
	"aidb-mcp/adapters/delve/serve"
)

// Advertise says what a session of our own process will be able to do.
func (*adapter) Advertise() (adapters.Advertised, error) {
	caps, err := serve.Capabilities()
	d := &local{}
	return adapters.Advertised{Protocol: caps, Capabilities: d.Capabilities()}, err
}
