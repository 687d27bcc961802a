package serve

import (
	"debug/buildinfo"

	"aidb-mcp/internal/system/boundedfile"
)

// BuildInfo is what Go has written into a program about its build. A named pipe
// or a device in the program's place is refused, and not opened.
func BuildInfo(program string) (*buildinfo.BuildInfo, error) {
	f, err := boundedfile.Open(program)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return buildinfo.Read(f)
}
