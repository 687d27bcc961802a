//go:build ((linux || darwin) && (amd64 || arm64)) || (windows && amd64)

package serve

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strconv"

	"github.com/go-delve/delve/pkg/proc"
	godap "github.com/google/go-dap"

	"aidb-mcp/adapters/delve/gosrc"
)

// qualify puts the path of the frame's package before the names of its types
// where something is converted to them: Delve knows types only by their whole
// names, and takes T(x) for a call. It says whether there were any.
func qualify(scope *proc.EvalScope, expr ast.Expr) (changed bool) {
	ast.Inspect(expr, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		switch fun := ast.Unparen(call.Fun).(type) {
		case *ast.Ident:
			if whole := typeNamed(scope, fun.Name); whole != nil {
				call.Fun, changed = &ast.ParenExpr{X: whole}, true
			}
		case *ast.StarExpr:
			if name, ok := fun.X.(*ast.Ident); ok {
				if whole := typeNamed(scope, name.Name); whole != nil {
					fun.X, changed = whole, true
				}
			}
		}
		return true
	})
	return changed
}

// typeNamed is how Delve reads the name of a type of the frame's package, nil when
// the name is another thing's.
func typeNamed(scope *proc.EvalScope, name string) *ast.BasicLit {
	if scope.Fn == nil || gosrc.Predeclared(name) {
		return nil
	}
	if _, err := scope.EvalExpression(name, proc.LoadConfig{}); err == nil {
		return nil
	}
	whole := strconv.Quote(scope.Fn.PackageName() + "." + name)
	if _, err := scope.EvalExpression(fmt.Sprintf("(*%s)(0)", whole), proc.LoadConfig{}); err != nil {
		return nil
	}
	return &ast.BasicLit{Kind: token.STRING, Value: whole}
}

// callsFunction says whether something is left that only the program can evaluate.
func callsFunction(expr ast.Expr) bool {
	found := false
	ast.Inspect(expr, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return !found
		}
		switch fun := ast.Unparen(call.Fun).(type) {
		case *ast.Ident:
			found = found || !gosrc.Predeclared(fun.Name)
		case *ast.SelectorExpr:
			found = true
		}
		return !found
	})
	return found
}

// plainerError has an expression in words that the session understands.
type plainerError struct{ expression string }

func (e *plainerError) Error() string { return "not put plainly" }

func plainer(expr ast.Expr, called bool) error {
	text := types.ExprString(expr)
	if called {
		text = "call " + text
	}
	return &plainerError{text}
}

// withExpression answers a request with another expression.
func withExpression(req request, frame []byte, expression string) (request, []byte) {
	var whole godap.EvaluateRequest
	if json.Unmarshal(frame, &whole) != nil {
		return req, frame
	}
	whole.Arguments.Expression = expression
	again, err := json.Marshal(whole)
	if err != nil || json.Unmarshal(again, &req) != nil {
		return req, frame
	}
	return req, again
}
