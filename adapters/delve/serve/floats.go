//go:build ((linux || darwin) && (amd64 || arm64)) || (windows && amd64)

package serve

import (
	"encoding/binary"
	"go/constant"
	"math"
	"reflect"
	"strconv"

	"github.com/go-delve/delve/pkg/dwarf/godwarf"
	"github.com/go-delve/delve/pkg/proc"
	"github.com/go-delve/delve/service/api"

	"aidb-mcp/internal/text/pattern"
)

// Delve keeps numbers as constants of package go/constant, which have no
// negative zero, and no complex number of which a part is not finite. Both are
// read from memory again.

// float is the value of a floating-point variable.
func (t *target) float(v *proc.Variable) float64 {
	switch v.FloatSpecial {
	case proc.FloatIsPosInf:
		return math.Inf(1)
	case proc.FloatIsNegInf:
		return math.Inf(-1)
	case proc.FloatIsNaN:
		return math.NaN()
	}
	f, _ := constant.Float64Val(v.Value)
	if f == 0 && isInMemory(v) {
		if again, ok := t.readFloat(v.Addr, v.Kind == reflect.Float32); ok {
			return again
		}
	}
	return f
}

// complex is the value of a complex variable.
func (t *target) complex(v *proc.Variable) (z complex128, ok bool) {
	if isInMemory(v) {
		return t.readComplex(v.Addr, v.Kind == reflect.Complex64)
	}
	re, _ := constant.Float64Val(constant.Real(v.Value))
	im, _ := constant.Float64Val(constant.Imag(v.Value))
	return complex(re, im), re != 0 || im != 0
}

func (t *target) readComplex(address uint64, single bool) (z complex128, ok bool) {
	size := uint64(8)
	if single {
		size = 4
	}
	re, reOK := t.readFloat(address, single)
	im, imOK := t.readFloat(address+size, single)
	return complex(re, im), reOK && imOK
}

func (t *target) readFloat(address uint64, single bool) (f float64, ok bool) {
	var b [8]byte
	if single {
		if _, err := t.Memory().ReadMemory(b[:4], address); err != nil {
			return 0, false
		}
		return float64(math.Float32frombits(binary.LittleEndian.Uint32(b[:4]))), true
	}
	if _, err := t.Memory().ReadMemory(b[:], address); err != nil {
		return 0, false
	}
	return math.Float64frombits(binary.LittleEndian.Uint64(b[:])), true
}

// nowhere are the flags of values that have no address of their own.
const nowhere = proc.VariableFakeAddress | proc.VariableCPURegister

func isInMemory(v *proc.Variable) bool { return v.Addr != 0 && v.Flags&nowhere == 0 }

// maybeWrong matches a value with a zero in it, which may be none.
var maybeWrong = pattern.New(`(?:^|[^\w.])0(?:$|[^\w.])`)

// longest is how much of a value Delve's session shows.
const longest = 1 << 8

// reread shows a value again when the text that the session made of it hides a
// negative zero or a complex number; what else the text says is not touched.
func (t *target) reread(at frameRef, expr, text string) string {
	if expr == "" || !maybeWrong.MatchString(text) {
		return text
	}
	scope, err := t.scope(at.goroutine, at.frame)
	if err != nil {
		return text
	}
	v, err := scope.EvalExpression(expr, proc.LoadConfig{})
	if err != nil || !holdsFloats(v.DwarfType, 4) {
		return text
	}
	if v, err = scope.EvalExpression(expr, overview); err != nil {
		return text
	}
	shown := api.ConvertVar(v)
	before := pretty(shown)
	t.correct(shown)
	switch text {
	case before:
		return pretty(shown)
	case shorten(before):
		return shorten(pretty(shown))
	}
	return text
}

func pretty(v *api.Variable) string { return v.StringWithOptions("", "", api.PrettyShortenType) }

func shorten(text string) string {
	if len(text) > longest {
		return text[:longest] + "..."
	}
	return text
}

// correct puts the true numbers into a value and all within it.
func (t *target) correct(v *api.Variable) {
	if v.Flags&api.VariableFlags(nowhere) != 0 {
		return
	}
	switch v.Kind {
	case reflect.Float32, reflect.Float64:
		if f, ok := t.readFloat(v.Addr, v.Kind == reflect.Float32); ok && v.Value == "0" && math.Signbit(f) {
			v.Value = "-0"
		}
	case reflect.Complex64, reflect.Complex128:
		single := v.Kind == reflect.Complex64
		if z, ok := t.readComplex(v.Addr, single); ok && len(v.Children) == 2 {
			v.Children[0].Value, v.Children[1].Value = digits(real(z), single), digits(imag(z), single)
		}
	default:
		for i := range v.Children {
			t.correct(&v.Children[i])
		}
	}
}

func digits(f float64, single bool) string {
	if single {
		return strconv.FormatFloat(f, 'g', -1, 32)
	}
	return strconv.FormatFloat(f, 'g', -1, 64)
}

// holdsFloats says whether values of a type may show floating-point numbers.
func holdsFloats(typ godwarf.Type, depth int) bool {
	if typ == nil || depth == 0 {
		return depth == 0
	}
	switch typ := godwarf.ResolveTypedef(typ).(type) {
	case *godwarf.FloatType, *godwarf.ComplexType, *godwarf.InterfaceType:
		return true
	case *godwarf.PtrType:
		return holdsFloats(typ.Type, depth-1)
	case *godwarf.ArrayType:
		return holdsFloats(typ.Type, depth-1)
	case *godwarf.SliceType:
		return holdsFloats(typ.ElemType, depth-1)
	case *godwarf.MapType:
		return holdsFloats(typ.KeyType, depth-1) || holdsFloats(typ.ElemType, depth-1)
	case *godwarf.StructType:
		for _, field := range typ.Field {
			if holdsFloats(field.Type, depth-1) {
				return true
			}
		}
	}
	return false
}
