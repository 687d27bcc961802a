package arithmetic

import (
	"cmp"
	"go/constant"
	"go/token"
	"reflect"
)

func (x Value) binary(op token.Token, y Value) (Value, error) {
	if op == token.SHL || op == token.SHR {
		return x.shift(op, y)
	}
	var err error
	switch {
	case x.Constant() && y.Constant():
		return constants(op, x.v.(constant.Value), y.v.(constant.Value))
	case x.Constant():
		x, err = x.convertTo(y.Type, reflect.TypeOf(y.v))
	case y.Constant():
		y, err = y.convertTo(x.Type, reflect.TypeOf(x.v))
	case x.Type != y.Type:
		err = ErrOther
	}
	if err != nil {
		return Value{}, err
	}
	switch a := x.v.(type) {
	case bool:
		return compare(op, a, y.v.(bool))
	case int:
		return integers(x.Type, op, a, y.v)
	case int8:
		return integers(x.Type, op, a, y.v)
	case int16:
		return integers(x.Type, op, a, y.v)
	case int32:
		return integers(x.Type, op, a, y.v)
	case int64:
		return integers(x.Type, op, a, y.v)
	case uint:
		return integers(x.Type, op, a, y.v)
	case uint8:
		return integers(x.Type, op, a, y.v)
	case uint16:
		return integers(x.Type, op, a, y.v)
	case uint32:
		return integers(x.Type, op, a, y.v)
	case uint64:
		return integers(x.Type, op, a, y.v)
	case uintptr:
		return integers(x.Type, op, a, y.v)
	case float32:
		return floats(x.Type, op, a, y.v)
	case float64:
		return floats(x.Type, op, a, y.v)
	case complex64:
		return numbers(x.Type, op, a, y.v.(complex64))
	case complex128:
		return numbers(x.Type, op, a, y.v.(complex128))
	}
	return Value{}, ErrOther
}

// constants stay exact.
func constants(op token.Token, x, y constant.Value) (Value, error) {
	if x.Kind() < constant.Int || y.Kind() < constant.Int {
		return Value{}, ErrOther
	}
	switch op {
	case token.QUO:
		if constant.Sign(constant.Real(y)) == 0 && constant.Sign(constant.Imag(y)) == 0 {
			return Value{}, ErrOther
		}
		if x.Kind() == constant.Int && y.Kind() == constant.Int {
			op = token.QUO_ASSIGN // of whole numbers
		}
		fallthrough
	case token.ADD, token.SUB, token.MUL:
		return Untyped(constant.BinaryOp(x, op, y)), nil
	}
	return Value{}, ErrOther
}

type integer interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr
}

func integers[T integer](typ string, op token.Token, a T, other any) (Value, error) {
	b := other.(T)
	if (op == token.QUO || op == token.REM) && b == 0 {
		return Value{}, ErrOther
	}
	switch op {
	case token.REM:
		return Typed(typ, a%b), nil
	case token.AND:
		return Typed(typ, a&b), nil
	case token.OR:
		return Typed(typ, a|b), nil
	case token.XOR:
		return Typed(typ, a^b), nil
	case token.AND_NOT:
		return Typed(typ, a&^b), nil
	case token.LSS, token.LEQ, token.GTR, token.GEQ:
		return order(op, a, b), nil
	}
	return numbers(typ, op, a, b)
}

func floats[T float32 | float64](typ string, op token.Token, a T, other any) (Value, error) {
	b := other.(T)
	switch op {
	case token.LSS, token.LEQ, token.GTR, token.GEQ:
		return order(op, a, b), nil
	}
	return numbers(typ, op, a, b)
}

// numbers is what all of them can do.
func numbers[T integer | float32 | float64 | complex64 | complex128](typ string, op token.Token, a, b T) (Value, error) {
	switch op {
	case token.ADD:
		return Typed(typ, a+b), nil
	case token.SUB:
		return Typed(typ, a-b), nil
	case token.MUL:
		return Typed(typ, a*b), nil
	case token.QUO:
		return Typed(typ, a/b), nil
	}
	return compare(op, a, b)
}

func compare[T comparable](op token.Token, a, b T) (Value, error) {
	switch op {
	case token.EQL:
		return Typed("bool", a == b), nil
	case token.NEQ:
		return Typed("bool", a != b), nil
	}
	return Value{}, ErrOther
}

func order[T cmp.Ordered](op token.Token, a, b T) Value {
	switch op {
	case token.LSS:
		return Typed("bool", a < b)
	case token.LEQ:
		return Typed("bool", a <= b)
	case token.GTR:
		return Typed("bool", a > b)
	}
	return Typed("bool", a >= b)
}

// shift shifts a value of a type; the type of the count does not matter.
func (x Value) shift(op token.Token, y Value) (Value, error) {
	n := reflect.ValueOf(y.v)
	if c, ok := y.v.(constant.Value); ok {
		count, exact := constant.Uint64Val(constant.ToInt(c))
		if !exact {
			return Value{}, ErrOther
		}
		n = reflect.ValueOf(count)
	}
	var count uint64
	switch {
	case n.CanUint():
		count = n.Uint()
	case n.CanInt() && n.Int() >= 0:
		count = uint64(n.Int())
	default:
		return Value{}, ErrOther
	}
	was := reflect.ValueOf(x.v)
	v := reflect.New(was.Type()).Elem()
	switch {
	case v.CanInt() && op == token.SHL:
		v.SetInt(was.Int() << count)
	case v.CanInt():
		v.SetInt(was.Int() >> count)
	case v.CanUint() && op == token.SHL:
		v.SetUint(was.Uint() << count)
	case v.CanUint():
		v.SetUint(was.Uint() >> count)
	default:
		return Value{}, ErrOther
	}
	return Value{x.Type, v.Interface()}, nil
}
