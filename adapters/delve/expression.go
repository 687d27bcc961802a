package delve

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"slices"
	"strings"

	"aidb-mcp/adapters/delve/gosrc"
	"aidb-mcp/internal/text/pattern"
)

// commanded matches what is written in Delve's own terms already.
var commanded = pattern.New(`^\s*(call|dlv)\s`)

// Expression adds the word that Delve wants before an expression that calls a
// function of the program. Conversions to a type of the program look like
// calls and are treated as such, which does no harm in the top frame.
func (*dialect) Expression(expr string) (rewritten, context string) {
	expr = strings.TrimSpace(expr)
	if commanded.MatchString(expr) {
		return expr, "repl"
	}
	parsed, err := parser.ParseExpr(expr)
	if err == nil && calls(parsed) {
		return "call " + expr, "repl"
	}
	return expr, "repl"
}

// reads says why an expression does more than read. Delve itself calls nothing
// that it is not told to call.
func reads(expr string) error {
	expr = strings.TrimSpace(expr)
	if commanded.MatchString(expr) {
		return errors.New("it is a command of the debugger")
	}
	parsed, err := parser.ParseExpr(expr)
	if err != nil {
		return errors.New("it cannot be read as an expression of Go")
	}
	if calls(parsed) {
		return errors.New("it calls a function, or converts to a type of the program")
	}
	return nil
}

// Assignment is for texts in package variables, which are in no scope of Delve's.
func (*dialect) Assignment(name, value string) string { return "call " + name + " = " + value }

// calls says whether an expression calls a function that is not evaluated by
// Delve itself.
func calls(expr ast.Expr) bool {
	found := false
	ast.Inspect(expr, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && !isEvaluated(call.Fun) {
			found = true
		}
		return !found
	})
	return found
}

func isEvaluated(fun ast.Expr) bool {
	switch f := fun.(type) {
	case *ast.ParenExpr:
		return isEvaluated(f.X)
	case *ast.StarExpr: // (*T)(x): nobody calls through a pointer to a function
		return true
	case *ast.ArrayType, *ast.MapType, *ast.ChanType, *ast.FuncType, *ast.InterfaceType, *ast.StructType:
		return true
	case *ast.BasicLit: // ("a/b.T")(x), a notation of Delve
		return true
	case *ast.Ident:
		return gosrc.Predeclared(f.Name)
	case *ast.SelectorExpr:
		pkg, ok := f.X.(*ast.Ident)
		return ok && (pkg.Name == "unsafe" || pkg.Name == "runtime" && slices.Contains(runtimeValues, f.Sel.Name))
	}
	return false
}

// runtimeValues are pseudo variables of Delve in package runtime.
var runtimeValues = []string{"curg", "frameoff", "threadid", "rangeParentOffset"}

// Range slices what can be sliced. Delve slices maps, too, but only to the end.
func (*dialect) Range(expr, typ string, start, count int) string {
	switch {
	case strings.HasPrefix(typ, "map["):
		return fmt.Sprintf("(%s)[%d:]", expr, start)
	case strings.HasPrefix(typ, "*") || strings.HasPrefix(typ, "struct ") || strings.HasPrefix(typ, "chan ") ||
		strings.HasPrefix(typ, "func(") || strings.HasPrefix(typ, "interface "):
		return ""
	}
	return fmt.Sprintf("(%s)[%d:%d]", expr, start, start+count)
}
