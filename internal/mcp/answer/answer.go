// Package answer makes the answers that one who passes messages on gives by
// itself: for a server that has crashed, is away or has too much to do.
//
// It knows how the answer to each kind of request is read, and nothing of why
// it is given.
package answer

import (
	"encoding/json"
	"fmt"

	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/mcp/frame"
	"aidb-mcp/responses"
)

// Codes of JSON-RPC for answers of ours.
const (
	CodeServer         = -32000 // with the contract's own code in its data
	CodeParse          = -32700
	CodeInvalidRequest = -32600
	CodeMethodNotFound = -32601
	CodeInvalidParams  = -32602
)

// maxFailure bounds what an answer of ours says, in bytes.
const maxFailure = 8000

// Fault answers a request with a failure. A model reads what a tool answers and
// not an error of the protocol, so that a tool's call fails as the tool would.
func Fault(request frame.Frame, err *fault.Error) frame.Frame {
	if request.Method() == "tools/call" {
		return toolFault(request, err)
	}
	return Error(request.ID(), CodeServer, err.Message, failure{Code: "AIDB_" + string(err.Code), Hint: err.Hint})
}

// failure is what programs read of an error of ours.
type failure struct {
	Code string `json:"code"`
	Hint string `json:"hint,omitempty"`
}

// toolResult is the result of tools/call.
type toolResult struct {
	Content           []text          `json:"content"`
	StructuredContent json.RawMessage `json:"structuredContent"`
	IsError           bool            `json:"isError"`
	ResultType        string          `json:"resultType,omitempty"`
}

type text struct {
	Type string `json:"type"`
	Text string `json:"text"`
}

func toolFault(request frame.Frame, err *fault.Error) frame.Frame {
	reply := responses.Fit(responses.Failure(err), maxFailure, responses.Both) // which form the client wants is not known here
	return Result(request, toolResult{
		Content:           []text{{"text", string(reply.Text)}},
		StructuredContent: reply.JSON,
		IsError:           true,
		ResultType:        resultType(request),
	})
}

// Modern says that a request is of the stateless revisions, 2026-07-28 and later.
func Modern(request frame.Frame) bool { return Revision(request) != "" }

// Revision is that which a stateless request names, empty for the others.
func Revision(request frame.Frame) string {
	return request.Text("params", "_meta", "io.modelcontextprotocol/protocolVersion")
}

func resultType(request frame.Frame) string {
	if Modern(request) {
		return "complete"
	}
	return ""
}

// Result answers a request with a result, which marshals to a JSON object.
func Result(request frame.Frame, result any) frame.Frame {
	return write(struct {
		JSONRPC string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Result  any             `json:"result"`
	}{"2.0", request.ID(), result})
}

// Error answers with an error of the protocol; the id may be nil, data too.
func Error(id json.RawMessage, code int, message string, data any) frame.Frame {
	type problem struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
		Data    any    `json:"data,omitempty"`
	}
	return write(struct {
		JSONRPC string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"` // nil is written as null
		Error   problem         `json:"error"`
	}{"2.0", id, problem{code, message, data}})
}

// Notification tells the other side something; params marshal to a JSON object, nil for none.
func Notification(method string, params any) frame.Frame {
	return write(struct {
		JSONRPC string `json:"jsonrpc"`
		Method  string `json:"method"`
		Params  any    `json:"params,omitempty"`
	}{"2.0", method, params})
}

// Request asks the other side something.
func Request(id, method string, params any) frame.Frame {
	return write(struct {
		JSONRPC string `json:"jsonrpc"`
		ID      string `json:"id"`
		Method  string `json:"method"`
		Params  any    `json:"params,omitempty"`
	}{"2.0", id, method, params})
}

// write makes a frame of our own words.
func write(message any) frame.Frame {
	line, err := json.Marshal(message)
	if err == nil {
		var f frame.Frame
		if f, err = frame.Parse(line); err == nil {
			return f
		}
	}
	panic(fmt.Errorf("writing a message of ours: %w", err)) // a bug: it holds our own types only
}
