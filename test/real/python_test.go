//go:build linux

package real

// venv makes an environment with the packages that testdata pins in pinned.txt,
// each by its SHA-256; sources below path are imported from where they are.
func venv(path string) [][]string {
	commands := [][]string{
		{"python3", "-m", "venv", ".venv"},
		{".venv/bin/python", "-m", "pip", "install", "--quiet", "--only-binary", ":all:", "--require-hashes", "-r", "pinned.txt"},
	}
	if path != "" {
		commands = append(commands, []string{"sh", "-c", "pwd | sed 's|$|/" + path + "|' > $(echo .venv/lib/python3*/site-packages)/sources.pth"})
	}
	return commands
}

var python = []project{{
	Name: "flask", Title: "Flask 3.1.2", Language: "Python", Small: true,
	Pins:  []pin{{From: pypi, Name: "flask==3.1.2", Sum: "bf656c15c80190ed628ad08cdfd3aaa35beb087855e2f494910aa3774cc4fd87"}},
	Build: venv("src"),
	Journeys: []journey{
		{"failing test", "a pytest test of its own stops at the assertion that fails, and at nothing that is caught before", flaskTest},
		{"request", "a view stops at a request, with the request's values; the answer is the one without the debugger", flaskRequest},
	},
}}

func flaskTest(s *story) {
	const test = "tests/test_reqctx.py::test_bad_environ_raises_bad_request"
	report := s.truth(".venv/bin/python", "-m", "pytest", "-q", test)
	r := s.start(A{"test": test})
	r.Stopped("stopped_at_exception", s.find(`(?m)^(tests/test_reqctx\.py:\d+): AssertionError`, report))
	r.Contains([]string{"data", "exception", "message"}, s.find(`(?m)^E +(assert .*)$`, report))
	s.same("the response", local(r, "response"), s.find(`where \d+ = (<.*>)\.status_code`, report))
	s.shows(map[string]string{"response.status_code": s.find(`assert (\d+) == 400`, report), "environ['HTTP_HOST']": `'\x8a'`})
	s.ends(s.goOn(), 1)
	s.ends(s.start(A{"test": "tests/test_reqctx.py::test_teardown_on_pop"}), 0)
}

func flaskRequest(s *story) {
	const listening = `Running on http://(127\.0\.0\.1:\d+)`
	good := s.served(listening, "/orders/1", ".venv/bin/python", "shop.py")
	address := s.serve(A{"target": "shop.py", "breakpoints": []A{{"file": "shop.py", "statement": `mean = total / len(order["lines"])`}}}, listening)

	answer := ask("http://" + address + "/orders/1")
	r := s.wait().Stopped("stopped_at_breakpoint", s.at("shop.py", "mean = total"))
	r.Contains([]string{"data", "stack"}, "full_dispatch_request src/flask/app.py:")
	s.same("total", local(r, "total"), s.find(`"total":([\d.]+)`, good))
	s.same("the path", s.value("request.path"), "'/orders/1'")
	s.OK("step", nil)
	s.same("mean", s.value("mean"), s.find(`"mean":([\d.]+)`, good))
	s.OK("execute", A{"wait_for_stop": false})
	s.same("the answer", s.answered(answer), good)
}
