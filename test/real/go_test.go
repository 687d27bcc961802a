//go:build linux

package real

var golang = []project{{
	Name: "gin", Title: "gin 1.10.1", Language: "Go", Small: true,
	Pins:  []pin{{From: goProxy, Name: "github.com/gin-gonic/gin@v1.10.1", Sum: "h1:T0ujvqyCSqRopADpgPgiTT63DUQVSfojyME59Ei63pQ="}},
	Edits: []edit{{"gin.go", "req.URL.Path = p[:length-1]", "req.URL.Path = p[:length-2]"}},
	Build: [][]string{{"go", "build", "-o", "server", "./shop"}},
	Journeys: []journey{
		{"failing test", "a test that fails through testify stops at the user's assertion, with what it says and the recorded response", ginTest},
		{"request", "a handler stops at a request, in its goroutine, and shows the values that its answer has", ginRequest},
	},
}}

func ginTest(s *story) {
	report := s.truth("go", "test", "-count=1", "-run", "^TestRouteRedirectTrailingSlash$", ".")
	r := s.start(A{"test": "TestRouteRedirectTrailingSlash"})
	r.Stopped("stopped_at_exception", s.find(`Error Trace:\s+\S+/(routes_test\.go:\d+)`, report))
	r.Contains([]string{"data", "exception", "message"}, "expected: "+s.find(`expected: (".*")`, report), "actual  : "+s.find(`actual  : (".*")`, report))
	s.shows(map[string]string{
		"w.Code":                     "301",
		`w.HeaderMap["Location"][0]`: s.find(`actual  : (".*")`, report),
	})

	// It goes to where a wrong path is made, in a run of its own.
	r = s.start(A{
		"test": "TestRouteRedirectTrailingSlash", "exceptions": "none",
		"breakpoints": []A{{"function": "redirectTrailingSlash", "condition": `c.Request.Method == "POST"`}},
	})
	r.Stopped("stopped_at_breakpoint", s.at("gin.go", "func redirectTrailingSlash("))
	r = s.OK("run_until", A{"location": s.at("gin.go", "p[:length-2]")})
	s.same("p", local(r, "p"), `"/path3/"`)
	s.OK("step", nil)
	s.same("req.URL.Path", s.value("req.URL.Path"), `"/path"`)
}

func ginRequest(s *story) {
	const listening = `listening on (127\.0\.0\.1:\d+)`
	good := s.served(listening, "/orders/1", "./server")
	main := "shop/main.go"
	address := s.serve(A{"target": "./shop", "breakpoints": []A{{"file": main, "statement": "return total / len(o.Lines), dearest"}}}, listening)

	answer := ask("http://" + address + "/orders/1")
	r := s.wait().Stopped("stopped_at_breakpoint", s.at(main, "return total"))
	r.Contains([]string{"data", "stack"}, "main.showOrder", "gin.(*Engine).ServeHTTP")
	s.same("the customer", s.value("o.Customer"), `"`+s.find(`"customer":"(\w+)"`, good)+`"`)
	s.same("the dearest", s.value("dearest.Price"), s.find(`"price":([\d.]+)`, good))
	s.same("the average", s.value("total / len(o.Lines)"), s.find(`"average":(\d+)`, good))
	s.OK("execute", A{"wait_for_stop": false})
	s.same("the answer", s.answered(answer), good)

	// The order without lines panics; gin recovers.
	empty := ask("http://" + address + "/orders/2")
	s.wait().Stopped("stopped_at_breakpoint", s.at(main, "return total"))
	s.shows(map[string]string{"o.Customer": `"Bob"`, "len(o.Lines)": "0", "total": "0"})
	s.OK("execute", A{"wait_for_stop": false})
	s.same("the answer", s.answered(empty), s.served(listening, "/orders/2", "./server"))
}
