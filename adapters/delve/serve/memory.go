//go:build ((linux || darwin) && (amd64 || arm64)) || (windows && amd64)

package serve

import (
	"fmt"

	"aidb-mcp/adapters/delve/wire"
)

const (
	maxMemory = 1 << 20
	page      = 4096
)

// memory reads at any address, up to the first byte that cannot be read.
func memory(t *target, args wire.MemoryArgs) (wire.MemoryBody, error) {
	if args.Length <= 0 || args.Length > maxMemory {
		return wire.MemoryBody{}, fmt.Errorf("the length must be from 1 to %d bytes", maxMemory)
	}
	data := make([]byte, args.Length)
	read := 0
	// Page by page, because a read that crosses into an unmapped page fails as a whole.
	for read < len(data) {
		at := args.Address + uint64(read)
		n := min(len(data)-read, page-int(at%page))
		got, err := t.Memory().ReadMemory(data[read:read+n], at)
		if err != nil && read == 0 {
			return wire.MemoryBody{}, fmt.Errorf("no memory can be read at %#x", args.Address)
		}
		if err != nil {
			break
		}
		read += got
	}
	return wire.MemoryBody{Data: data[:read]}, nil
}
