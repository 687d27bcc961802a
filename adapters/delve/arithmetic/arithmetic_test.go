package arithmetic

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"math"
	"testing"
)

type temperature float32

// What is computed is what Go computes: each wish is the same expression in this program.
func TestAsGoDoes(t *testing.T) {
	f32, f64, g64, nan, zero := float32(0.1), 0.1, 0.2, math.Log(-1), 0.0
	u8, v8, i8, n := uint8(200), uint8(100), int8(-128), 7
	c64, warm := complex64(complex(0.1, 0.2)), temperature(0.3)
	variables := map[string]Value{
		"f32": Typed("float32", f32), "f64": Typed("float64", f64), "g64": Typed("float64", g64),
		"nan": Typed("float64", nan), "zero": Typed("float64", zero), "u8": Typed("uint8", u8), "v8": Typed("uint8", v8),
		"i8": Typed("int8", i8), "n": Typed("int", n), "c64": Typed("complex64", c64), "warm": Typed("main.temperature", float32(warm)),
		"yes": Typed("bool", true),
	}
	read := func(e ast.Expr) (Value, error) {
		name, ok := e.(*ast.Ident)
		if !ok {
			return Value{}, ErrOther
		}
		v, ok := variables[name.Name]
		if !ok {
			return Value{}, fmt.Errorf("no %s", name.Name)
		}
		return v, nil
	}
	for text, want := range map[string]any{
		"f32 == 0.1":                f32 == 0.1,
		"0.1 == f32":                f32 == 0.1, // the constant takes the type of its other side
		"f64 == 0.1":                f64 == 0.1,
		"f64 == float64(f32)":       f64 == float64(f32),
		"f32 == float32(f64)":       f32 == float32(f64),
		"float32(0.1)":              float32(0.1),
		"float64(f32)":              float64(f32),
		"f64 + g64":                 f64 + g64,
		"f64+g64 == 0.3":            f64+g64 == 0.3,
		"f32*3 > 0.3":               f32*3 > 0.3,
		"f32/3":                     f32 / 3,
		"-zero":                     -zero,
		"1 / -zero":                 1 / -zero,
		"nan == nan":                nan == nan,
		"nan != nan":                nan != nan,
		"nan < 3 || nan >= 3":       nan < 3 || nan >= 3,
		"u8 + v8":                   u8 + v8,
		"-u8 == 56":                 -u8 == 56,
		"^u8":                       ^u8,
		"u8 << 1 >> 1":              u8 << 1 >> 1,
		"u8 - 201 > 3":              u8-201 > 3,
		"-i8":                       -i8,
		"n / 2":                     n / 2,
		"n % 4 == 3":                n%4 == 3,
		"n &^ 3":                    n &^ 3,
		"n << 62":                   n << 62,
		"int8(u8)":                  int8(u8),
		"uint8(f64 * 100)":          uint8(f64 * 100),
		"real(c64) == 0.1":          real(c64) == 0.1,
		"imag(c64)":                 imag(c64),
		"c64 * c64":                 c64 * c64,
		"c64 == 0.1 + 0.2i":         c64 == 0.1+0.2i,
		"warm == 0.3":               warm == 0.3,
		"!(f32 == 0.1) || n >= 7":   f32 != 0.1 || n >= 7,
		"yes == (n > 6)":            n > 6,
		"n != 7 && missing == 0.1":  false, // not read
		"rune(n) + 'a'":             rune(n) + 'a',
		"n == 7.0":                  n == 7.0,
		"complex128(c64)":           complex128(c64),
		"f32 == 1.00000001*0.1":     f32 == 1.00000001*0.1,
		"uintptr(n) | 8":            uintptr(n) | 8,
		"float32(f64)*0.1 < 0.0101": float32(f64)*0.1 < 0.0101,
	} {
		expr, err := parser.ParseExpr(text)
		if err != nil {
			t.Fatal(err)
		}
		got, err := Eval(expr, read)
		if err != nil || got.String() != fmt.Sprint(want) {
			t.Errorf("%s: %v (%v), want %v", text, got, err, want)
		}
	}
	for _, text := range []string{
		"f32 == f64", "n == 7.5", "u8 == 300", "n / 0", "n << -1", `"a" + "b"`, "1 / 0", "1 < 2", "!n", "f32 % 2", "f32 & 1",
		"complex64(f32)", "n == 1i", "yes < yes", "true && yes + yes", "xs[1] == 0.1",
	} {
		expr, err := parser.ParseExpr(text)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := Eval(expr, read); err == nil || text != "true && yes + yes" && !errors.Is(err, ErrOther) {
			t.Errorf("%s is %v (%v)", text, got, err)
		}
	}
}

func TestExact(t *testing.T) {
	for text, want := range map[string]bool{
		"i == 5": true, `name == "x" && len(xs) > 3`: true, "p != nil": true, "i%10 == 0": true, "i&3 != 0 && !done": true, "n > -1": true,
		"f == 0.1": false, "a+b == c": false, "i-1 == n": false, "-u == 56": false, "float32(a) == b": false, "x == 1i": false,
		"xs[i+1] > 3": false, "p.F > 0.5": false,
	} {
		expr, err := parser.ParseExpr(text)
		if err != nil {
			t.Fatal(err)
		}
		if got := Exact(expr); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
}

func TestOf(t *testing.T) {
	for want, v := range map[string]Value{
		"44": must(Of("uint8", 1, uint64(300))), "-1": must(Of("main.level", 2, int64(65535))), "0.1": must(Of("float32", 4, float64(float32(0.1)))),
		"(0.1+0i)": must(Of("complex64", 8, complex(float64(float32(0.1)), 0))),
	} {
		if got := v.String(); got != want {
			t.Errorf("%s: %s, want %s", v.Type, got, want)
		}
	}
	if _, err := Of("huge", 16, int64(1)); err == nil {
		t.Error("there are no integers of 16 bytes")
	}
}

func must(v Value, err error) Value {
	if err != nil {
		panic(err)
	}
	return v
}
