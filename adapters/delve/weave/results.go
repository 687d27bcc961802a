package weave

import (
	"fmt"
	"go/ast"
	"go/types"
	"strings"
)

// resultTargets are the results with names that the spec is about: a return statement writes to
// them all. With each goes the number of the result that it is, or is a part of.
func (f *sourceFile) resultTargets(fn *function) (list []target, numbers []int) {
	if f.Spec.Writes.All || fn.typ.Results == nil {
		return nil, nil
	}
	number := 0
	for _, field := range fn.typ.Results.List {
		for _, id := range field.Names {
			if id.Name != "_" {
				for _, t := range f.resultParts(id) {
					list, numbers = append(list, t), append(numbers, number)
				}
			}
			number++
		}
	}
	return list, numbers
}

// resultParts is a result itself, or what in it the spec is about.
func (f *sourceFile) resultParts(id *ast.Ident) (list []target) {
	if f.isMeant(f.nameOf(f.reader(), id)) {
		return []target{{expr: id}}
	}
	o, is := f.object(id).(*types.Var)
	if !is {
		return nil
	}
	for w := range f.ways(o.Type(), way{}, 0) {
		list = append(list, target{expr: id, part: w})
	}
	return list
}

// open puts the beginning of a call into a function that writes to what the spec names.
func (f *sourceFile) open(fn *function) {
	f.insert(fn.body.Lbrace+1, " aidb_frame := %s.Open(); _ = aidb_frame;", alias)
	if results, _ := f.resultTargets(fn); len(results) > 0 && f.returnsValues(fn) {
		f.insert(fn.body.Lbrace+1, " aidb_frame.Results(%s);", strings.Join(f.operands(results), ", "))
	}
}

// returnsValues says that a function has a return statement that writes to a result of the spec.
func (f *sourceFile) returnsValues(fn *function) (is bool) {
	inspect(fn, func(n ast.Node) {
		s, returns := n.(*ast.ReturnStmt)
		is = is || returns && len(f.written(s, fn)) > 0
	})
	return is
}

// written says which of the results that the spec is about a return statement writes to: one that
// it gives as it is stays what it was.
func (f *sourceFile) written(s *ast.ReturnStmt, fn *function) (which []int) {
	results, numbers := f.resultTargets(fn)
	for i, t := range results {
		if len(s.Results) == 0 {
			return nil
		}
		if len(s.Results) > numbers[i] {
			given, is := ast.Unparen(s.Results[numbers[i]]).(*ast.Ident)
			if is && f.object(given) == f.object(t.expr.(*ast.Ident)) {
				continue
			}
		}
		which = append(which, i)
	}
	return which
}

// noteReturn notes what a return statement writes to results. It has written when all of it is
// evaluated, and before anything that was deferred earlier runs.
func (f *sourceFile) noteReturn(s *ast.ReturnStmt, fn *function) {
	which := f.written(s, fn)
	if len(which) == 0 {
		return
	}
	list := ""
	for _, i := range which {
		list += fmt.Sprintf(", %d", i)
	}
	f.insert(s.Pos(), "aidb_frame.Returning(%s%s); defer aidb_frame.Returned(); ", f.writeSite(s, fn), list)
}
