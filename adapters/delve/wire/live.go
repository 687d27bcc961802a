package wire

import "aidb-mcp/adapters/observe/inside"

// LiveOrder is what is to be recorded in a program that runs on, and which that is.
type LiveOrder struct {
	inside.Order
	PID int `json:"pid"`
}
