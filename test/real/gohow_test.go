//go:build linux

package real

import "slices"

// ginWhence follows a wrong path to the statement that has cut it, in a test's request.
func ginWhence(s *story) {
	report := s.truth("go", "test", "-count=1", "-run", "^TestRouteRedirectTrailingSlash$", ".")
	wrong := s.find(`actual  : (".*")`, report)
	r := s.OK("why", A{
		"test": "TestRouteRedirectTrailingSlash", "expression": "c.Request.URL.Path", "location": s.at("gin.go", "func redirectRequest("),
		"condition": "c.Request.URL.Path == " + wrong, "timeout_ms": waitLimit,
	}).Want(wrong, "data", "value")
	var chain []struct {
		At, Function string
		Operands     []struct{ Name, Value string }
	}
	r.Decode(&chain, "data", "chain")
	s.same("the statement", chain[0].At+" "+chain[0].Function, s.at("gin.go", "p[:length-2]")+" gin.redirectTrailingSlash")
	s.same("its operand", chain[0].Operands[0].Name, "p")
}

// ginRows has all paths that are cut as a table, the wrong one of the report among them.
func ginRows(s *story) {
	report := s.truth("go", "test", "-count=1", "-run", "^TestRouteRedirectTrailingSlash$", ".")
	r := s.OK("trace", A{
		"test": "TestRouteRedirectTrailingSlash", "what": "values", "location": s.at("gin.go", "p[:length-2]"),
		"expressions": []string{"p", "p[:length-2]"}, "timeout_ms": waitLimit,
	})
	var rows [][]string
	r.Decode(&rows, "data", "rows")
	wrong := s.find(`actual  : (".*")`, report)
	if !slices.ContainsFunc(rows, func(row []string) bool { return row[2] == wrong }) {
		s.t.Errorf("no row has %s, which the test reports, in\n%s", wrong, r)
	}
}
