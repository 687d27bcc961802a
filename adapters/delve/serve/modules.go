//go:build ((linux || darwin) && (amd64 || arm64)) || (windows && amd64)

package serve

import (
	"fmt"
	"runtime/debug"
	"slices"
	"strings"

	godap "github.com/google/go-dap"

	"aidb-mcp/adapters/delve/wire"
)

// modules lists the Go modules that are linked into the program, the main one first.
func modules(t *target, args wire.ModulesArgs) (wire.ModulesBody, error) {
	file := t.BinInfo().Images[0].Path
	info, err := BuildInfo(file)
	if err != nil {
		return wire.ModulesBody{}, fmt.Errorf("reading the build information: %w", err)
	}
	main := info.Main
	if main.Path == "" {
		main.Path = info.Path // built outside of any module
	}
	list := []godap.Module{module(main), {Id: "std", Name: "std", Version: info.GoVersion}}
	for _, dep := range info.Deps {
		list = append(list, module(*dep))
	}
	list = slices.DeleteFunc(list, func(m godap.Module) bool { return !strings.Contains(m.Name, args.Filter) })
	return wire.ModulesBody{Modules: list}, nil
}

func module(m debug.Module) godap.Module {
	shown := godap.Module{Id: m.Path, Name: m.Path, Version: m.Version}
	if r := m.Replace; r != nil {
		shown.Version, shown.Path = r.Version, r.Path // a directory, or another module
	}
	return shown
}
