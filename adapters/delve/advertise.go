package delve

import (
	godap "github.com/google/go-dap"

	"aidb-mcp/adapters"
	"aidb-mcp/adapters/delve/serve"
)

// Advertise says what a session of our own process will be able to do.
func (*adapter) Advertise() (godap.Capabilities, adapters.Dialect, error) {
	caps, err := serve.Capabilities()
	return caps, &local{}, err
}
