//go:build ((linux || darwin) && (amd64 || arm64)) || (windows && amd64)

package serve

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-delve/delve/pkg/proc"

	"aidb-mcp/adapters/delve/wire"
)

// address finds the first instruction of a line, or of a function.
func address(t *target, args wire.AddressArgs) (wire.AddressBody, error) {
	var pcs []uint64
	var err error
	if args.Function != "" {
		pcs, err = proc.FindFunctionLocation(t, args.Function, 0)
	} else {
		pcs, err = proc.FindFileLocation(t, t.paths.program(args.File), args.Line)
	}
	if err != nil {
		return wire.AddressBody{}, err
	}
	if len(pcs) == 0 {
		return wire.AddressBody{}, fmt.Errorf("there is no code at %s%s", args.Function, args.File)
	}
	return wire.AddressBody{Address: pcs[0]}, nil
}

// place finds the line of a function's first instruction after its prologue.
func place(t *target, args wire.PlaceArgs) (wire.PlaceBody, error) {
	name := args.Function
	if args.File != "" {
		var err error
		if name, err = functionOf(t, t.paths.program(args.File), name); err != nil {
			return wire.PlaceBody{}, err
		}
	}
	at, err := address(t, wire.AddressArgs{Function: name})
	if err != nil {
		return wire.PlaceBody{}, err
	}
	file, line, _ := t.BinInfo().PCToLine(at.Address)
	return wire.PlaceBody{File: t.paths.client(file), Line: line}, nil
}

// functionOf is the full name of the one function of a file whose name is, or ends with, another.
func functionOf(t *target, file, name string) (string, error) {
	var found []string
	bin := t.BinInfo()
	for i := range bin.Functions {
		fn := &bin.Functions[i]
		if fn.Name != name && !strings.HasSuffix(fn.Name, "."+name) {
			continue
		}
		if at, _ := bin.EntryLineForFunc(fn); at == file && !slices.Contains(found, fn.Name) {
			found = append(found, fn.Name)
		}
	}
	switch len(found) {
	case 0:
		return "", fmt.Errorf("%s has no function %s", file, name)
	case 1:
		return found[0], nil
	}
	return "", fmt.Errorf("%s has several functions %s: %s", file, name, strings.Join(found, ", "))
}
