// Package arithmetic computes with numbers as a Go program does. Delve computes
// with exact ones: to it a float64 that holds 0.1 is not equal to 0.1.
//
// It knows no debugger. What is neither operator, conversion nor literal is a
// [Leaf]'s to read.
package arithmetic

import (
	"errors"
	"go/ast"
	"go/constant"
	"go/token"
	"strings"
)

// ErrOther says that an expression is not for this package: it is not about
// numbers, has a mistake in it, or cannot be read.
var ErrOther = errors.New("not an expression of numbers")

// Leaf reads a variable, a field, an element. Its errors end the computation.
type Leaf func(ast.Expr) (Value, error)

// Computes says whether Eval has anything to compute at the root of an expression.
func Computes(expr ast.Expr) bool {
	switch e := ast.Unparen(expr).(type) {
	case *ast.BinaryExpr:
		return true
	case *ast.UnaryExpr:
		return e.Op == token.SUB || e.Op == token.ADD || e.Op == token.XOR || e.Op == token.NOT
	case *ast.CallExpr:
		_, _, ok := conversion(e)
		return ok
	}
	return false
}

// Exact says that computing with exact numbers comes to the same: there are no
// operators but comparisons with whole numbers, texts and names, and what
// only integers have.
func Exact(expr ast.Expr) bool {
	exact := true
	ast.Inspect(expr, func(n ast.Node) bool {
		switch e := n.(type) {
		case *ast.BasicLit:
			exact = exact && e.Kind != token.FLOAT && e.Kind != token.IMAG
		case *ast.UnaryExpr:
			_, literal := e.X.(*ast.BasicLit)
			exact = exact && (literal || e.Op == token.NOT || e.Op == token.AND)
		case *ast.BinaryExpr:
			exact = exact && !strings.Contains("+ - * /", e.Op.String())
		case *ast.CallExpr:
			_, _, converts := conversion(e)
			exact = exact && !converts
		}
		return exact
	})
	return exact
}

// Eval computes an expression. [ErrOther] leaves it to somebody else.
func Eval(expr ast.Expr, leaf Leaf) (Value, error) {
	switch e := ast.Unparen(expr).(type) {
	case *ast.BasicLit:
		if e.Kind != token.STRING {
			return Untyped(constant.MakeFromLiteral(e.Value, e.Kind, 0)), nil
		}
		return Value{}, ErrOther
	case *ast.UnaryExpr:
		return unary(e, leaf)
	case *ast.BinaryExpr:
		return binary(e, leaf)
	case *ast.CallExpr:
		if name, argument, ok := conversion(e); ok {
			x, err := Eval(argument, leaf)
			if err != nil {
				return Value{}, err
			}
			return x.convert(name)
		}
	}
	return leaf(ast.Unparen(expr))
}

// conversion reads T(x), where T is a type of numbers, and real(x) and imag(x).
func conversion(call *ast.CallExpr) (name string, argument ast.Expr, ok bool) {
	fun, isName := ast.Unparen(call.Fun).(*ast.Ident)
	if !isName || len(call.Args) != 1 {
		return "", nil, false
	}
	_, isType := kinds[fun.Name]
	return fun.Name, call.Args[0], isType || fun.Name == "real" || fun.Name == "imag"
}

func unary(e *ast.UnaryExpr, leaf Leaf) (Value, error) {
	if e.Op == token.AND || e.Op == token.ARROW {
		return leaf(e)
	}
	x, err := Eval(e.X, leaf)
	if err != nil {
		return Value{}, err
	}
	return x.unary(e.Op)
}

// binary leaves two things that are no numbers, such as texts, to whoever reads leaves.
func binary(e *ast.BinaryExpr, leaf Leaf) (Value, error) {
	x, err := Eval(e.X, leaf)
	if errors.Is(err, ErrOther) {
		return leaf(e)
	}
	if err != nil {
		return Value{}, err
	}
	if e.Op == token.LAND || e.Op == token.LOR {
		truth, ok := x.v.(bool)
		if !ok {
			return Value{}, ErrOther
		}
		if truth == (e.Op == token.LOR) {
			return x, nil
		}
		y, err := Eval(e.Y, leaf)
		if _, ok := y.v.(bool); err == nil && !ok {
			err = ErrOther
		}
		return y, err
	}
	y, err := Eval(e.Y, leaf)
	if errors.Is(err, ErrOther) {
		return leaf(e)
	}
	if err != nil {
		return Value{}, err
	}
	return x.binary(e.Op, y)
}
