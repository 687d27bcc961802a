//go:build !linux

package attach

import "aidb-mcp/adapters/observe"

// processEnd waits for the end of a process.
type processEnd struct{}

func watchEnd(int) (*processEnd, error) { return nil, observe.ErrUnsupported }

func (*processEnd) wait() bool { return false }

func (*processEnd) close() {}
