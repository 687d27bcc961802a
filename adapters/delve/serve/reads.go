//go:build ((linux || darwin) && (amd64 || arm64)) || (windows && amd64)

package serve

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
)

// rootOf is the variable that an expression is a part of; empty where it is of none.
func rootOf(text string) string {
	expr, err := parser.ParseExpr(text)
	for err == nil {
		switch e := expr.(type) {
		case *ast.Ident:
			return e.Name
		case *ast.ParenExpr:
			expr = e.X
		case *ast.StarExpr:
			expr = e.X
		case *ast.SelectorExpr:
			expr = e.X
		case *ast.IndexExpr:
			expr = e.X
		case *ast.SliceExpr:
			expr = e.X
		default:
			return ""
		}
	}
	return ""
}

// namesAt are the names in the statement at a line of a file, and in the heads of those
// that it stands in: what they are was read just now.
func namesAt(file string, line int) (names []string) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil
	}
	fset := token.NewFileSet()
	parsed, err := parser.ParseFile(fset, file, text, parser.SkipObjectResolution)
	if parsed == nil || err != nil {
		return nil
	}
	within := func(n ast.Node) bool {
		return fset.Position(n.Pos()).Line <= line && line <= fset.Position(n.End()).Line
	}
	ast.Inspect(parsed, func(n ast.Node) bool {
		switch n := n.(type) {
		case nil:
			return false
		case *ast.Ident:
			names = append(names, n.Name)
		case ast.Stmt, ast.Decl:
			return within(n)
		}
		return true
	})
	return names
}
