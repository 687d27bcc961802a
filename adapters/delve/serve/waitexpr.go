//go:build ((linux || darwin) && (amd64 || arm64)) || (windows && amd64)

package serve

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"strings"

	"github.com/go-delve/delve/pkg/proc"
)

// source is a parsed file.
type source struct {
	set  *token.FileSet
	file *ast.File
	held map[int][]taken // by line, as far as it was asked
}

// sources are files that were read, nil those that cannot be.
type sources map[string]*source

// open reads a file by one of its names.
func (s sources) open(names ...string) *source {
	if known, ok := s[names[0]]; ok {
		return known
	}
	s[names[0]] = nil
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			continue
		}
		set := token.NewFileSet()
		if file, err := parser.ParseFile(set, name, text, parser.SkipObjectResolution); err == nil {
			s[names[0]] = &source{set: set, file: file, held: map[int][]taken{}}
			break
		}
	}
	return s[names[0]]
}

func (s *source) line(at token.Pos) int { return s.set.Position(at).Line }

// waitCalls are the methods that wait on what they are called on.
var waitCalls = map[string]string{"Lock": "", "RLock": "", "Wait": "", "Do": "sync.Once"}

// expression is what a line of the user's waits on: "s.mu", or the cases of a select. It is empty
// where the line names several and none can be told.
func (w *waiting) expression(scope *proc.EvalScope, p *parked, src *source, line int) string {
	if src == nil {
		return ""
	}
	channel := p.kind == "chan" || strings.HasPrefix(p.reason, "chan ")
	isSelect := strings.HasPrefix(p.reason, "select")
	var found []string
	ast.Inspect(src.file, func(n ast.Node) bool {
		if n == nil || src.line(n.Pos()) > line || src.line(n.End()) < line {
			return false
		}
		switch n := n.(type) {
		case *ast.SelectStmt:
			if isSelect && src.line(n.Pos()) == line {
				found = append(found, cases(scope, n))
			}
		case *ast.UnaryExpr:
			if channel && n.Op == token.ARROW && src.line(n.OpPos) == line {
				found = append(found, types.ExprString(n.X))
			}
		case *ast.SendStmt:
			if channel && src.line(n.Arrow) == line {
				found = append(found, types.ExprString(n.Chan))
			}
		case *ast.RangeStmt:
			if channel && src.line(n.Pos()) == line {
				found = append(found, types.ExprString(n.X))
			}
		case *ast.CallExpr:
			if sel, is := n.Fun.(*ast.SelectorExpr); is && !channel && !isSelect && src.line(sel.Sel.Pos()) == line && isWaitCall(p, sel.Sel.Name) {
				found = append(found, types.ExprString(sel.X))
			}
		}
		return true
	})
	return w.theOne(scope, p, found)
}

// isWaitCall says that a method waits for what a goroutine waits on.
func isWaitCall(p *parked, method string) bool {
	kind, known := waitCalls[method]
	return known && (kind == "" || kind == p.kind)
}

// theOne is the only one of several expressions, or the one that is at the address which is waited on.
func (w *waiting) theOne(scope *proc.EvalScope, p *parked, found []string) string {
	if len(found) == 1 {
		return found[0]
	}
	one := ""
	for _, expr := range found {
		at := lockAddress(scope, expr)
		if p.kind == "chan" {
			at = pointer(scope, "*("+expr+")")
		}
		if at == 0 || at != p.address {
			continue
		}
		if one != "" && one != expr {
			return ""
		}
		one = expr
	}
	return one
}

// cases are the channels of a select: "<-results, work <- job". A nil one, which is never ready, is
// said to be nil.
func cases(scope *proc.EvalScope, n *ast.SelectStmt) string {
	var all []string
	for _, clause := range n.Body.List {
		comm, is := clause.(*ast.CommClause)
		if !is || comm.Comm == nil {
			continue
		}
		text, channel := "", ast.Expr(nil)
		switch s := comm.Comm.(type) {
		case *ast.SendStmt:
			text, channel = types.ExprString(s.Chan)+" <- "+types.ExprString(s.Value), s.Chan
		case *ast.ExprStmt:
			text, channel = received(s.X)
		case *ast.AssignStmt:
			text, channel = received(s.Rhs[0])
		}
		if _, call := channel.(*ast.CallExpr); channel != nil && !call && isNilChannel(scope, types.ExprString(channel)) {
			text += " (nil)"
		}
		all = append(all, text)
	}
	return strings.Join(all, ", ")
}

func received(e ast.Expr) (string, ast.Expr) {
	if u, is := ast.Unparen(e).(*ast.UnaryExpr); is && u.Op == token.ARROW {
		return "<-" + types.ExprString(u.X), u.X
	}
	return types.ExprString(e), nil
}

func isNilChannel(scope *proc.EvalScope, expr string) bool {
	v, err := scope.EvalExpression(expr, shallow)
	return err == nil && v.Unreadable == nil && v.Base == 0 && strings.HasPrefix(v.TypeString(), "chan ")
}
