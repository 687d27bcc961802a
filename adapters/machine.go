package adapters

import (
	"context"

	godap "github.com/google/go-dap"
)

// Machine is what lies below the values of the language: memory, registers and the code
// itself. The engine asks it when an agent does, with the program standing still. It takes
// the place of readMemory, gotoTargets, modules and, for registers, of a scope; DAP has
// nothing for the rest.
type Machine struct {
	// Memory reads at any address; in place of readMemory.
	Memory func(ctx context.Context, c Caller, address uint64, length int) ([]byte, error)
	// AddressOf is an expression whose value is the address of what another names (with or
	// without the language's own sign for it): where a value has no memory reference.
	AddressOf func(expression string) string
	// Address is that of the first instruction of a line, or of a function when it is named;
	// where to disassemble.
	Address func(ctx context.Context, c Caller, file string, line int, function string) (uint64, error)

	// Registers are those of a frame, for adapters that have no scope for them.
	Registers func(ctx context.Context, c Caller, thread, frame int) ([]godap.Variable, error)
	// RegisterScope: frames have such a scope, which is known before the first one has been read.
	RegisterScope bool

	// Jump moves the point of execution of a thread; in place of gotoTargets and goto.
	Jump func(ctx context.Context, c Caller, thread int, file string, line int) error
	// CarriesRegisters: a statement may read what the one before it has left in a register,
	// however the program was built. Where that one is jumped over, it reads something else.
	CarriesRegisters bool

	// Patch replaces code in the running program. The frame is a DAP frame id.
	Patch func(ctx context.Context, c Caller, thread, frame int, p Patch) (Patched, error)
	// Modules lists the program's modules (packages, libraries) with versions; in place of modules.
	Modules func(ctx context.Context, c Caller, filter string) ([]godap.Module, error)
}

// Patch is code that is to take the place of what runs.
type Patch struct {
	Name string // of the function, method or class; may be empty when the code says it
	Code string // its new definition, whole
	File string // absolute path of the file that the code belongs to, empty when not said
}

// Patched says what was replaced.
type Patched struct {
	Name  string   // as the program knows it: "shop.pricing.discount"
	Notes []string // what still runs the old code, such as frames that are active
}
