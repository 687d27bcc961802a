package arithmetic

import (
	"fmt"
	"go/constant"
	"go/token"
	"reflect"
	"strconv"
	"strings"
)

// Value is a number or a truth value of a type, or a constant without one.
type Value struct {
	Type string // as the program names it, empty for a constant
	v    any    // of the kind's own type in Go, or a constant.Value
}

// kinds are the types of the language that hold numbers.
var kinds = map[string]reflect.Type{
	"int": reflect.TypeFor[int](), "int8": reflect.TypeFor[int8](), "int16": reflect.TypeFor[int16](),
	"int32": reflect.TypeFor[int32](), "rune": reflect.TypeFor[int32](), "int64": reflect.TypeFor[int64](),
	"uint": reflect.TypeFor[uint](), "uint8": reflect.TypeFor[uint8](), "byte": reflect.TypeFor[uint8](),
	"uint16": reflect.TypeFor[uint16](), "uint32": reflect.TypeFor[uint32](), "uint64": reflect.TypeFor[uint64](),
	"uintptr": reflect.TypeFor[uintptr](),
	"float32": reflect.TypeFor[float32](), "float64": reflect.TypeFor[float64](),
	"complex64": reflect.TypeFor[complex64](), "complex128": reflect.TypeFor[complex128](),
}

// Untyped is a constant.
func Untyped(c constant.Value) Value { return Value{v: c} }

// Typed is a value of a type, v being a number or a bool of Go itself.
func Typed(typ string, v any) Value { return Value{Type: typ, v: v} }

// Of is a value of a type with so many bytes, read as the widest of its sort:
// int64, uint64, float64 or complex128.
func Of(typ string, size int64, widest any) (Value, error) {
	v := reflect.ValueOf(widest)
	sort := strings.TrimRight(v.Kind().String(), "0123456789")
	basic, ok := kinds[sort+strconv.FormatInt(8*size, 10)]
	if !ok {
		return Value{}, ErrOther
	}
	return Value{typ, v.Convert(basic).Interface()}, nil
}

// Plain says that a value's type is one of the language itself.
func (x Value) Plain() bool { _, ok := kinds[x.Type]; return ok || x.Type == "bool" }

// Whole says that it is an integer.
func (x Value) Whole() bool {
	v := reflect.ValueOf(x.v)
	return v.CanInt() || v.CanUint()
}

// String is how package fmt prints it.
func (x Value) String() string { return fmt.Sprint(x.v) }

// Constant says that a value has no type yet.
func (x Value) Constant() bool { _, ok := x.v.(constant.Value); return ok }

// convertTo gives a constant the type of another value.
func (x Value) convertTo(typ string, basic reflect.Type) (Value, error) {
	c := x.v.(constant.Value)
	if k := c.Kind(); k == constant.Bool || k == constant.String || k == constant.Unknown {
		return Value{}, ErrOther
	}
	v := reflect.New(basic).Elem()
	exact := v.CanComplex() || constant.Sign(constant.Imag(c)) == 0
	switch {
	case v.CanInt():
		n, ok := constant.Int64Val(constant.ToInt(c))
		exact = exact && ok && !v.OverflowInt(n)
		v.SetInt(n)
	case v.CanUint():
		n, ok := constant.Uint64Val(constant.ToInt(c))
		exact = exact && ok && !v.OverflowUint(n)
		v.SetUint(n)
	case basic.Kind() == reflect.Float32:
		f, _ := constant.Float32Val(constant.ToFloat(c)) // rounded once
		v.SetFloat(float64(f))
	case v.CanFloat():
		f, _ := constant.Float64Val(constant.ToFloat(c))
		v.SetFloat(f)
	case basic.Kind() == reflect.Complex64:
		re, _ := constant.Float32Val(constant.Real(c))
		im, _ := constant.Float32Val(constant.Imag(c))
		v.SetComplex(complex(float64(re), float64(im)))
	case v.CanComplex():
		re, _ := constant.Float64Val(constant.Real(c))
		im, _ := constant.Float64Val(constant.Imag(c))
		v.SetComplex(complex(re, im))
	default:
		exact = false
	}
	if !exact {
		return Value{}, ErrOther
	}
	return Value{typ, v.Interface()}, nil
}

func (x Value) convert(name string) (Value, error) {
	if name == "real" || name == "imag" {
		return x.partOfComplex(name == "imag")
	}
	basic := kinds[name]
	if x.Constant() {
		return x.convertTo(basic.String(), basic)
	}
	v := reflect.ValueOf(x.v)
	if v.Kind() == reflect.Bool || v.CanComplex() != reflect.Zero(basic).CanComplex() {
		return Value{}, ErrOther
	}
	return Value{basic.String(), v.Convert(basic).Interface()}, nil
}

func (x Value) partOfComplex(imaginary bool) (Value, error) {
	switch z := x.v.(type) {
	case complex64:
		if imaginary {
			return Typed("float32", imag(z)), nil
		}
		return Typed("float32", real(z)), nil
	case complex128:
		if imaginary {
			return Typed("float64", imag(z)), nil
		}
		return Typed("float64", real(z)), nil
	}
	return Value{}, ErrOther
}

func (x Value) unary(op token.Token) (Value, error) {
	if c, ok := x.v.(constant.Value); ok {
		if c.Kind() == constant.Bool || op == token.NOT {
			return Value{}, ErrOther
		}
		return Untyped(constant.UnaryOp(op, c, 0)), nil
	}
	if b, ok := x.v.(bool); ok && op == token.NOT {
		return Value{x.Type, !b}, nil
	}
	switch op {
	case token.ADD:
		return x, nil
	case token.SUB:
		return x.negate()
	case token.XOR:
		return x.binary(token.XOR, x.ones())
	}
	return Value{}, ErrOther
}

// negate changes the sign of zero, too, which a subtraction from zero does not.
func (x Value) negate() (Value, error) {
	v := reflect.New(reflect.TypeOf(x.v)).Elem()
	was := reflect.ValueOf(x.v)
	switch {
	case v.CanInt():
		v.SetInt(-was.Int())
	case v.CanUint():
		v.SetUint(-was.Uint())
	case v.CanFloat():
		v.SetFloat(-was.Float())
	case v.CanComplex():
		v.SetComplex(-was.Complex())
	default:
		return Value{}, ErrOther
	}
	return Value{x.Type, v.Interface()}, nil
}

// ones is a value of the same type in which all bits are set.
func (x Value) ones() Value {
	v := reflect.New(reflect.TypeOf(x.v)).Elem()
	switch {
	case v.CanInt():
		v.SetInt(-1)
	case v.CanUint():
		v.SetUint(^uint64(0))
	}
	return Value{x.Type, v.Interface()}
}
