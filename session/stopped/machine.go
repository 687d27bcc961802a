package stopped

import (
	"context"
	"encoding/base64"
	"fmt"
	"strconv"
	"strings"

	godap "github.com/google/go-dap"

	"aidb-mcp/internal/fault"
	"aidb-mcp/session/inspect"
)

// Memory reads length bytes at an address (0x…) or at what the expression
// points to. Fewer come back where memory ends.
func (p *Program) Memory(ctx context.Context, at string, length int) (address string, data []byte, err error) {
	p, err = p.at(0)
	if err != nil {
		return "", nil, err
	}
	at = strings.TrimSpace(at)
	if n, err := strconv.ParseUint(at, 0, 64); err == nil {
		return p.memoryAt(ctx, n, length)
	}
	if p.facts.Can.Machine.Memory == nil && !p.session.Protocol().SupportsReadMemoryRequest {
		return "", nil, p.noMemoryError()
	}
	v, err := p.Evaluate(ctx, at, 0, 0, Page{})
	if err != nil {
		return "", nil, err
	}
	if v.Memory == "" {
		v.Memory = p.memoryOfLocal(ctx, at)
	}
	if v.Memory != "" && p.session.Protocol().SupportsReadMemoryRequest {
		return p.readMemory(ctx, v.Memory, length)
	}
	if n, ok := inspect.AddressIn(v.Value); ok {
		return p.memoryAt(ctx, n, length)
	}
	if address := p.facts.Can.Machine.AddressOf; address != nil {
		v, err := p.Evaluate(ctx, address(at), 0, 0, Page{})
		if n, ok := inspect.AddressIn(v.Value); ok && err == nil {
			return p.memoryAt(ctx, n, length)
		}
	}
	return "", nil, fault.New(fault.Evaluation, "%q has no address to read at", at).
		WithHint("give an address (0x…), or a variable that lies in memory")
}

func (p *Program) noMemoryError() error {
	return p.unsupportedError("reading of memory", "look at values with inspect(target: expression)")
}

// memoryOfLocal is the memory reference that the list of locals has for a name.
func (p *Program) memoryOfLocal(ctx context.Context, name string) string {
	f, err := p.Frame(ctx, 0, 0)
	if err != nil {
		return ""
	}
	scopes, err := p.scopes(ctx, f.Id)
	if err != nil {
		return ""
	}
	list, err := p.scopeVariables(ctx, scopes, Locals)
	if err != nil {
		return ""
	}
	for _, x := range list {
		if x.Name == name {
			return x.MemoryReference
		}
	}
	return ""
}

func (p *Program) memoryAt(ctx context.Context, address uint64, length int) (string, []byte, error) {
	if read := p.facts.Can.Machine.Memory; read != nil {
		data, err := read(ctx, p.connection, address, length)
		return fmt.Sprintf("%#x", address), data, p.session.Refusal(ctx, fault.Evaluation, "readMemory", err)
	}
	if !p.session.Protocol().SupportsReadMemoryRequest {
		return "", nil, p.noMemoryError()
	}
	return p.readMemory(ctx, fmt.Sprintf("%#x", address), length)
}

func (p *Program) readMemory(ctx context.Context, reference string, length int) (string, []byte, error) {
	var body godap.ReadMemoryResponseBody
	args := godap.ReadMemoryArguments{MemoryReference: reference, Count: length}
	if err := p.connection.Call(ctx, "readMemory", args, &body); err != nil {
		return "", nil, p.session.Refusal(ctx, fault.Evaluation, "readMemory", err)
	}
	data, err := base64.StdEncoding.DecodeString(body.Data)
	if err != nil {
		return "", nil, fault.New(fault.Evaluation, "the debug adapter sent memory that cannot be read").
			WithHint("this is a fault of the adapter; look at values with inspect(target: expression)")
	}
	for _, address := range []string{body.Address, reference} { // some leave out where it is, or write it as a decimal
		if n, err := strconv.ParseUint(address, 0, 64); err == nil {
			return fmt.Sprintf("%#x", n), data, nil
		}
	}
	return "", nil, fault.New(fault.Evaluation, "the debug adapter sent memory and did not say of which address").
		WithHint("give the address itself (0x…)")
}

// Disassemble shows count instructions from an address (0x…) or a location on,
// or from the current one of the frame when at is empty.
func (p *Program) Disassemble(ctx context.Context, at string, thread, frame, count int) ([]Instruction, error) {
	p, err := p.at(thread)
	if err != nil {
		return nil, err
	}
	if !p.session.Protocol().SupportsDisassembleRequest {
		return nil, p.unsupportedError("disassembly", "read the source with inspect(target: source)")
	}
	f, err := p.Frame(ctx, thread, frame)
	if err != nil {
		return nil, err
	}
	here := f.InstructionPointerReference
	from, err := p.instructionAt(ctx, at, thread, here)
	if err != nil {
		return nil, err
	}
	var body godap.DisassembleResponseBody
	args := godap.DisassembleArguments{MemoryReference: from, InstructionCount: count, ResolveSymbols: true}
	if err := p.connection.Call(ctx, "disassemble", args, &body); err != nil {
		return nil, p.session.Refusal(ctx, fault.Evaluation, "disassemble", err)
	}
	return inspect.Instructions(body.Instructions, here), nil
}

// instructionAt is the address where to begin: the frame's, the one written,
// or that of a location, for which without help from the adapter a frame must
// stand there.
func (p *Program) instructionAt(ctx context.Context, at string, thread int, here string) (string, error) {
	at = strings.TrimSpace(at)
	switch {
	case at == "" && here == "":
		return "", fault.New(fault.InvalidFrame, "the frame has no instruction address").WithHint("give an address (0x…)")
	case at == "":
		return here, nil
	case inspect.IsAddress(at):
		return at, nil
	}
	spec, err := p.session.Locate(at)
	if err != nil {
		return "", err
	}
	if address := p.facts.Can.Machine.Address; address != nil {
		pc, err := address(ctx, p.connection, spec.File, spec.Line, spec.Function)
		return fmt.Sprintf("%#x", pc), p.session.Refusal(ctx, fault.InvalidLocation, "disassemble", err)
	}
	st, err := p.fetchStack(ctx, thread, p.facts.Limits.StackPage)
	if err != nil {
		return "", err
	}
	for _, f := range st.Frames {
		inFile := f.Source != nil && f.Source.Path == spec.File && f.Line == spec.Line
		if (inFile || spec.Function != "" && inspect.IsNamed(f.Name, spec.Function)) && f.InstructionPointerReference != "" {
			return f.InstructionPointerReference, nil
		}
	}
	return "", fault.New(fault.InvalidLocation, "no frame of this stack stands at %s, so its address is not known", at).
		WithHint("give an address (0x…), or run there first with run_until")
}

// Modules lists the program's modules (packages, libraries) whose names contain the filter.
func (p *Program) Modules(ctx context.Context, filter string) ([]Module, error) {
	p, err := p.at(0)
	if err != nil {
		return nil, err
	}
	var list []godap.Module
	if modules := p.facts.Can.Machine.Modules; modules != nil {
		list, err = modules(ctx, p.connection, filter)
	} else if p.session.Protocol().SupportsModulesRequest {
		var body godap.ModulesResponseBody
		err = p.connection.Call(ctx, "modules", godap.ModulesArguments{}, &body)
		list = body.Modules
	} else {
		return nil, p.unsupportedError("list of modules", "look at the project's own files")
	}
	if err != nil {
		return nil, p.session.Refusal(ctx, fault.Internal, "modules", err)
	}
	var out []Module
	for _, m := range list {
		if strings.Contains(strings.ToLower(m.Name), strings.ToLower(filter)) {
			out = append(out, Module{Name: m.Name, Version: m.Version, Path: m.Path})
		}
	}
	return out, nil
}

// listByAdapter asks a dialect that can list a scope by itself; ok is false when it cannot.
func (p *Program) listByAdapter(ctx context.Context, scope Scope, thread, frame int, filter string) (list []godap.Variable, ok bool, err error) {
	switch scope {
	case Registers:
		if registers := p.facts.Can.Machine.Registers; registers != nil {
			list, err = registers(ctx, p.connection, p.connection.AdapterThread(thread), frame)
			return list, true, err
		}
	case Globals:
		if globals := p.facts.Can.Values.Globals; globals != nil {
			list, err = globals(ctx, p.connection, p.connection.AdapterThread(thread), frame, filter)
			return list, true, err
		}
	}
	return nil, false, nil
}
