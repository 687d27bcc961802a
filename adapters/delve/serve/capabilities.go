//go:build ((linux || darwin) && (amd64 || arm64)) || (windows && amd64)

package serve

import (
	"encoding/json"
	"fmt"

	godap "github.com/google/go-dap"
)

// Capabilities is what Delve answers to initialize, from a session that has no
// program and lives only for this question.
func Capabilities() (godap.Capabilities, error) {
	asking := newInner(config(), nil)
	defer asking.close()
	hello := godap.InitializeRequest{Request: godap.Request{
		ProtocolMessage: godap.ProtocolMessage{Seq: 1, Type: "request"}, Command: "initialize",
	}}
	hello.Arguments.AdapterID = "go"
	hello.Arguments.PathFormat = "path"
	hello.Arguments.LinesStartAt1, hello.Arguments.ColumnsStartAt1 = true, true
	frame, err := json.Marshal(hello)
	if err != nil {
		return godap.Capabilities{}, err
	}
	reply, err := asking.exchange(1, frame, func([]byte) {})
	if err != nil {
		return godap.Capabilities{}, fmt.Errorf("ask Delve what it can do: %w", err)
	}
	var body godap.InitializeResponse
	if err := json.Unmarshal(withOwnFilters(reply), &body); err != nil {
		return godap.Capabilities{}, fmt.Errorf("read what Delve can do: %w", err)
	}
	return body.Body, nil
}
