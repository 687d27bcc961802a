package session

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
func (s *Session) Memory(ctx context.Context, at string, length int) (address string, data []byte, err error) {
	still, err := s.currentStop()
	if err != nil {
		return "", nil, err
	}
	at = strings.TrimSpace(at)
	if n, err := strconv.ParseUint(at, 0, 64); err == nil {
		return s.memoryAt(ctx, still, n, length)
	}
	if s.capabilities().Machine.Memory == nil && !s.adapterCapabilities().SupportsReadMemoryRequest {
		return "", nil, s.noMemoryError()
	}
	v, err := s.Evaluate(ctx, at, 0, 0, Page{})
	if err != nil {
		return "", nil, err
	}
	if v.Memory == "" {
		v.Memory = s.memoryOfLocal(ctx, still, at)
	}
	if v.Memory != "" && s.adapterCapabilities().SupportsReadMemoryRequest {
		return s.readMemory(ctx, still, v.Memory, length)
	}
	if n, ok := inspect.AddressIn(v.Value); ok {
		return s.memoryAt(ctx, still, n, length)
	}
	if address := s.capabilities().Machine.AddressOf; address != nil {
		v, err := s.Evaluate(ctx, address(at), 0, 0, Page{})
		if n, ok := inspect.AddressIn(v.Value); ok && err == nil {
			return s.memoryAt(ctx, still, n, length)
		}
	}
	return "", nil, fault.New(fault.Evaluation, "%q has no address to read at", at).
		WithHint("give an address (0x…), or a variable that lies in memory")
}

func (s *Session) noMemoryError() error {
	return s.unsupportedError("reading of memory", "look at values with inspect(target: expression)")
}

// memoryOfLocal is the memory reference that the list of locals has for a name.
func (s *Session) memoryOfLocal(ctx context.Context, still *stopPoint, name string) string {
	f, err := s.adapterFrame(ctx, 0, 0)
	if err != nil {
		return ""
	}
	scopes, err := s.scopes(ctx, still, f.Id)
	if err != nil {
		return ""
	}
	list, err := s.scopeVariables(ctx, still, scopes, Locals)
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

func (s *Session) memoryAt(ctx context.Context, still *stopPoint, address uint64, length int) (string, []byte, error) {
	if read := s.capabilities().Machine.Memory; read != nil {
		data, err := read(ctx, still.connection, address, length)
		return fmt.Sprintf("%#x", address), data, s.refusalError(ctx, fault.Evaluation, "readMemory", err)
	}
	if !s.adapterCapabilities().SupportsReadMemoryRequest {
		return "", nil, s.noMemoryError()
	}
	return s.readMemory(ctx, still, fmt.Sprintf("%#x", address), length)
}

func (s *Session) readMemory(ctx context.Context, still *stopPoint, reference string, length int) (string, []byte, error) {
	var body godap.ReadMemoryResponseBody
	args := godap.ReadMemoryArguments{MemoryReference: reference, Count: length}
	if err := still.connection.Call(ctx, "readMemory", args, &body); err != nil {
		return "", nil, s.refusalError(ctx, fault.Evaluation, "readMemory", err)
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
func (s *Session) Disassemble(ctx context.Context, at string, thread, frame, count int) ([]Instruction, error) {
	still, err := s.stopFor(thread)
	if err != nil {
		return nil, err
	}
	if !s.adapterCapabilities().SupportsDisassembleRequest {
		return nil, s.unsupportedError("disassembly", "read the source with inspect(target: source)")
	}
	f, err := s.adapterFrame(ctx, thread, frame)
	if err != nil {
		return nil, err
	}
	here := f.InstructionPointerReference
	from, err := s.instructionAt(ctx, still, at, thread, here)
	if err != nil {
		return nil, err
	}
	var body godap.DisassembleResponseBody
	args := godap.DisassembleArguments{MemoryReference: from, InstructionCount: count, ResolveSymbols: true}
	if err := still.connection.Call(ctx, "disassemble", args, &body); err != nil {
		return nil, s.refusalError(ctx, fault.Evaluation, "disassemble", err)
	}
	return inspect.Instructions(body.Instructions, here), nil
}

// instructionAt is the address where to begin: the frame's, the one written,
// or that of a location, for which without help from the adapter a frame must
// stand there.
func (s *Session) instructionAt(ctx context.Context, still *stopPoint, at string, thread int, here string) (string, error) {
	at = strings.TrimSpace(at)
	switch {
	case at == "" && here == "":
		return "", fault.New(fault.InvalidFrame, "the frame has no instruction address").WithHint("give an address (0x…)")
	case at == "":
		return here, nil
	case inspect.IsAddress(at):
		return at, nil
	}
	spec, err := s.ResolveLocation(at)
	if err != nil {
		return "", err
	}
	if address := s.capabilities().Machine.Address; address != nil {
		pc, err := address(ctx, still.connection, spec.File, spec.Line, spec.Function)
		return fmt.Sprintf("%#x", pc), s.refusalError(ctx, fault.InvalidLocation, "disassemble", err)
	}
	st, err := s.fetchStack(ctx, still, thread, s.limits.StackPage)
	if err != nil {
		return "", err
	}
	for _, f := range st.Frames {
		inFile := f.Source != nil && f.Source.Path == spec.File && f.Line == spec.Line
		if (inFile || spec.Function != "" && isNamed(f.Name, spec.Function)) && f.InstructionPointerReference != "" {
			return f.InstructionPointerReference, nil
		}
	}
	return "", fault.New(fault.InvalidLocation, "no frame of this stack stands at %s, so its address is not known", at).
		WithHint("give an address (0x…), or run there first with run_until")
}

// Modules lists the program's modules (packages, libraries) whose names contain the filter.
func (s *Session) Modules(ctx context.Context, filter string) ([]Module, error) {
	still, err := s.currentStop()
	if err != nil {
		return nil, err
	}
	var list []godap.Module
	if modules := s.capabilities().Machine.Modules; modules != nil {
		list, err = modules(ctx, still.connection, filter)
	} else if s.adapterCapabilities().SupportsModulesRequest {
		var body godap.ModulesResponseBody
		err = still.connection.Call(ctx, "modules", godap.ModulesArguments{}, &body)
		list = body.Modules
	} else {
		return nil, s.unsupportedError("list of modules", "look at the project's own files")
	}
	if err != nil {
		return nil, s.adapterError(ctx, "modules", err)
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
func (s *Session) listByAdapter(ctx context.Context, still *stopPoint, scope Scope, thread, frame int, filter string) (list []godap.Variable, ok bool, err error) {
	switch scope {
	case Registers:
		if registers := s.capabilities().Machine.Registers; registers != nil {
			list, err = registers(ctx, still.connection, still.connection.adapterThread(thread), frame)
			return list, true, err
		}
	case Globals:
		if globals := s.capabilities().Values.Globals; globals != nil {
			list, err = globals(ctx, still.connection, still.connection.adapterThread(thread), frame, filter)
			return list, true, err
		}
	}
	return nil, false, nil
}
