package inspect

import (
	"slices"
	"strconv"

	godap "github.com/google/go-dap"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/text/quoted"
)

// Reader reads what an adapter sends by what is known of the adapter.
type Reader struct {
	Dialect adapters.Dialect
	Values  adapters.Values
}

// Value is an adapter's variable with a text of at most limit bytes. It has no
// reference yet.
func (r Reader) Value(x godap.Variable, limit int) Variable {
	v := Variable{
		Name:     x.Name,
		Type:     x.Type,
		Path:     x.EvaluateName,
		Memory:   x.MemoryReference,
		Count:    x.IndexedVariables,
		Argument: IsArgument(x),
		Text:     x.VariablesReference == 0,
	}
	if v.Count == 0 {
		v.Count = x.NamedVariables
	}
	if r.Values.Opaque != nil && x.VariablesReference != 0 {
		v.Opaque = r.Values.Opaque(x.Value, x.Type)
	}
	v.Value, v.Cut = Cut(x.Value, limit)
	if r.Values.FullLength != nil {
		v.Length = r.Values.FullLength(x)
	}
	v.Cut = max(v.Cut, v.Length)
	if v.Cut > 0 && v.Length == 0 {
		v.Length, v.Characters = r.textLength(x)
	}
	return v
}

// textLength is that of a text which the adapter has told or of which it gave all, 0
// when that is not certain, and whether it counts characters.
func (r Reader) textLength(x godap.Variable) (n int, characters bool) {
	if r.Values.TextUnits != nil {
		if n, known := r.Values.TextUnits(x); known {
			return n, true
		}
	}
	if r.MaybeCut(x.Value) {
		return 0, false
	}
	characters = r.Values.TextLength != nil && r.Values.TextLength(x.EvaluateName, x.Type) != ""
	n = quoted.Length(x.Value, characters)
	if !characters && r.Values.FullLength == nil && n != quoted.Length(x.Value, true) {
		return 0, false // by what its language counts nobody has said
	}
	return n, characters && n > 0
}

// MaybeCut says that the adapter may have cut a value without a word.
func (r Reader) MaybeCut(value string) bool {
	most := r.Values.LongestValue
	return most > 0 && len(value) >= most
}

// Frame is an adapter's frame.
func (r Reader) Frame(index int, f godap.StackFrame) Frame {
	out := Frame{
		ID:       f.Id,
		Index:    index,
		Function: f.Name,
		Line:     f.Line,
		Column:   f.Column,
		Internal: r.Dialect.Internal(f),
	}
	if f.Source != nil {
		out.File = f.Source.Path
	}
	switch id := f.ModuleId.(type) {
	case string:
		out.Module = id
	case float64:
		out.Module = strconv.FormatFloat(id, 'f', -1, 64)
	}
	return out
}

// User is the index of the first frame that is neither the runtime's nor a
// library's, -1 when there is none.
func (r Reader) User(frames []godap.StackFrame) int {
	return slices.IndexFunc(frames, func(f godap.StackFrame) bool { return !r.Dialect.Internal(f) })
}

// Evaluated makes the answer of an evaluation look like a variable.
func Evaluated(expression string, body godap.EvaluateResponseBody) godap.Variable {
	return godap.Variable{
		Name:               expression,
		Value:              body.Result,
		Type:               body.Type,
		EvaluateName:       expression,
		VariablesReference: body.VariablesReference,
		NamedVariables:     body.NamedVariables,
		IndexedVariables:   body.IndexedVariables,
		MemoryReference:    body.MemoryReference,
	}
}

// Causes follows the chain of what an exception was caused by, depth links of it.
func Causes(list []godap.ExceptionDetails, depth int) *Exception {
	if len(list) == 0 || depth == 0 {
		return nil
	}
	d := list[0]
	name := d.FullTypeName
	if name == "" {
		name = d.TypeName
	}
	return &Exception{Type: name, Message: d.Message, Stack: d.StackTrace, Inner: Causes(d.InnerException, depth-1)}
}
