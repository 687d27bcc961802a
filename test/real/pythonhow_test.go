//go:build linux

package real

import "strings"

// flaskWhence follows what Flask is about to answer back to the view that has made it.
func flaskWhence(s *story) {
	s.truth(".venv/bin/python", "orders.py")
	r := s.OK("why", A{
		"target": "orders.py", "expression": "rv", "location": s.at("src/flask/app.py", "response = self.make_response(rv)"),
		"condition": "not from_error_handler", "steps": 4, "timeout_ms": waitLimit, "env": s.leavings(),
	})
	var chain []struct{ At, Kind, Function string }
	r.Decode(&chain, "data", "chain")
	var steps []string
	for _, step := range chain {
		steps = append(steps, strings.TrimSpace(step.At+" "+step.Kind))
	}
	s.same("the chain", strings.Join(steps, "\n"), strings.Join([]string{
		s.at("src/flask/app.py", "return self.finalize_request(rv)") + " passed",
		s.at("src/flask/app.py", "rv = self.dispatch_request()"),
		s.at("src/flask/app.py", "return self.ensure_sync(self.view_functions[rule.endpoint])(**view_args)") + " returned",
		s.at("shop.py", "return jsonify(") + " returned",
	}, "\n"))
}

// flaskCalls has the answers of all requests as a table, without a stop.
func flaskCalls(s *story) {
	codes := strings.Fields(s.find(`(?m)^(\d{3} \d{3})$`, s.truth(".venv/bin/python", "orders.py")))
	ask := A{"target": "orders.py", "what": "calls", "functions": []string{"Flask.finalize_request"}, "timeout_ms": waitLimit, "env": s.leavings()}
	r := s.OK("trace", ask).Want("2", "data", "hits")
	var rows [][]string
	r.Decode(&rows, "data", "rows")
	for i, code := range codes {
		if result := rows[i][2]; !strings.Contains(result, "["+code+" ") {
			s.t.Errorf("request %d is answered with %s, and the program printed %s", i+1, result, code)
		}
	}
	ask["what"], ask["location"], ask["expressions"] = "values", s.at("shop.py", `mean = total /`), []string{"number", "total", "len(order['lines'])"}
	delete(ask, "functions")
	r = s.OK("trace", ask)
	r.Decode(&rows, "data", "rows")
	s.same("the order that fails", strings.Join(rows[len(rows)-1][1:], " "), "2 0 0")
}
