//go:build linux

package real

import "aidb-mcp/internal/testkit/registry"

var golang = []project{{
	Name: "gin", Title: "gin 1.10.1", Language: "Go", Small: true,
	Long:  "gin and all that it imports are built twice for it; Go's tests and servers are in the short run otherwise",
	Pins:  []registry.Pin{{From: registry.Go, Name: "github.com/gin-gonic/gin@v1.10.1", Sum: "h1:T0ujvqyCSqRopADpgPgiTT63DUQVSfojyME59Ei63pQ="}},
	Edits: []edit{{"gin.go", "req.URL.Path = p[:length-1]", "req.URL.Path = p[:length-2]"}},
	Build: [][]string{{"go", "build", "-o", "server", "./shop"}},
	Journeys: []journey{
		{"failing test", "a failing testify test stops at your assertion, with its message and the recorded response", ginTest},
		{"request", "a handler stops at a request, in its goroutine, with the values of its answer", ginRequest},
		{"why", "why leads from a wrong path to the statement that cut it, in a test's request", ginWhence},
		{"trace", "trace lists all paths that a test cuts, with the wrong one that the test reports", ginRows},
		{"diagnose", "diagnose explains a failing testify test, with expected and actual", ginDiagnosis},
	},
}, {
	Name: "cobra", Title: "Cobra 1.9.1 and pflag 1.0.6, in a go.work workspace", Language: "Go",
	Pins: []registry.Pin{
		{From: registry.Go, Name: "github.com/spf13/cobra@v1.9.1", Sum: "h1:CXSaggrXdbHK9CF+8ywj8Amf7PBRmPCOJugH954Nnlo=", Into: "cobra"},
		{From: registry.Go, Name: "github.com/spf13/pflag@v1.0.6", Sum: "h1:jFzHGLGAlb3ruxLB8MhbI6A8+AQX/2eW4qeyNZXNp2o=", Into: "pflag"},
	},
	Edits: []edit{{"pflag/int.go", "*i = intValue(v)", "*i = intValue(v) * 10 / 9"}},
	Build: [][]string{{"go", "build", "-o", "repeat", "./app"}},
	Journeys: []journey{
		{"failing test", "a test is found by name in a module of the workspace, a subtest stops where it fails, and a breakpoint in the other module shows why", cobraTest},
		{"program", "a program stops in the source of another module, and ends as it does without the debugger", cobraProgram},
	},
}}

func cobraTest(s *story) {
	report := s.truth("go", "test", "-count=1", "-run", "^TestRepeats$", "./app")
	r := s.start(A{"test": "TestRepeats"})
	r.Stopped("stopped_at_exception", "app/"+s.find(`(main_test\.go:\d+)`, report))
	r.Contains([]string{"data", "exception", "message"}, s.find(`main_test\.go:\d+: (.*)`, report))
	s.shows(map[string]string{"times": `"3"`, "got": s.find(`is (\d+) letters`, report)})
	s.ends(s.goOn(), 1)
	s.ends(s.start(A{"test": "TestRepeats/times 1"}), 0)
	s.ends(s.start(A{"test": "TestNoArgs"}), 0) // a test of Cobra's own
}

func cobraProgram(s *story) {
	args := []string{"ab", "--times", "9"}
	printed := s.truth(append([]string{"./repeat"}, args...)...)
	r := s.start(A{"target": "./app", "args": args, "breakpoints": []A{{"file": "pflag/int.go", "statement": "*i = intValue(v) * 10 / 9"}}})
	r.Stopped("stopped_at_breakpoint", s.at("pflag/int.go", "intValue(v) * 10 / 9"))
	s.shows(map[string]string{"s": `"9"`, "v": "9", "v * 10 / 9": "10"})
	s.OK("run_until", A{"location": s.at("app/main.go", "fmt.Fprintln")})
	s.same("text", s.value("text"), `"`+s.find(`(\w+)`, printed)+`"`)
	r = s.goOn()
	s.ends(r, 0)
	s.same("the output", r.At("data", "output", "stdout"), printed)
}

func ginTest(s *story) {
	report := s.truth("go", "test", "-count=1", "-run", "^TestRouteRedirectTrailingSlash$", ".")
	r := s.start(A{"test": "TestRouteRedirectTrailingSlash"})
	r.Stopped("stopped_at_exception", s.find(`Error Trace:\s+\S+/(routes_test\.go:\d+)`, report))
	r.Contains([]string{"data", "exception", "message"}, "expected: "+s.find(`expected: (".*")`, report), "actual: "+s.find(`actual  : (".*")`, report))
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
