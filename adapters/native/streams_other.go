//go:build !linux

package native

import "aidb-mcp/adapters"

// channels are not to be had here: output comes as the debugger's events.
type channels struct{}

func openChannels(bool) (*channels, error) { return nil, nil }

func (*channels) streams() *adapters.Streams            { return nil }
func (*channels) paths() (stdin, stdout, stderr string) { return "", "", "" }
func (*channels) close()                                {}
