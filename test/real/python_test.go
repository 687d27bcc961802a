//go:build linux

package real

import "aidb-mcp/internal/testkit/registry"

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
	Pins:  []registry.Pin{{From: registry.PyPI, Name: "flask==3.1.2", Sum: "bf656c15c80190ed628ad08cdfd3aaa35beb087855e2f494910aa3774cc4fd87"}},
	Build: venv("src"),
	Journeys: []journey{
		{"failing test", "a pytest test stops at the failing assertion, and at no exception that was caught before", flaskTest},
		{"request", "a view stops at a request, with the request's values; the answer is the same as without the debugger", flaskRequest},
		{"why", "why follows an answer of Flask through the framework, back to the view that made it", flaskWhence},
		{"trace", "trace shows the answer to each request, and the values of the one that fails, without a stop", flaskCalls},
		{"diagnose", "diagnose shows the wrong value of a failing test, and why goes on from it", flaskDiagnosis},
	},
	Again: []string{"failing test", "request"},
}, {
	Name: "itsdangerous", Title: "ItsDangerous 2.2.0", Language: "Python",
	Pins:  []registry.Pin{{From: registry.PyPI, Name: "itsdangerous==2.2.0", Sum: "e0050c0b7da1eea53ffaf149c0cfbb5c6e2e2b69c4bef22c81fa6eb73e5f6173"}},
	Edits: []edit{{"src/itsdangerous/encoding.py", `lstrip(b"\x00")`, `lstrip(b"\x00\xc0")`}},
	Build: venv("src"),
	Journeys: []journey{
		{"failing case", "in a parametrised pytest test only the failing case stops, with its arguments; an expected exception does not stop", itsdangerousTest},
		{"bytes", "bytes and a 64-bit number are shown as the program prints them, at a conditional breakpoint in the library", itsdangerousBytes},
	},
}, {
	Name: "django", Title: "Django 5.2.8", Language: "Python",
	Build: venv(""),
	Journeys: []journey{
		{"failing test", "a test of Django's runner, named as in manage.py, stops at the assertion, with its message", djangoTest},
		{"request", "a view of the development server stops at a request, with the request's values", djangoRequest},
	},
}, {
	Name: "pandas", Title: "pandas 2.3.3", Language: "Python",
	Build: venv(""),
	Journeys: []journey{
		{"big value", "a data frame of 100,000 rows gives a small reply, and any part of it can be read by an expression", pandasValue},
		{"crash", "an exception from deep inside the library stops at the script's line, with its cause", pandasCrash},
	},
}}

func itsdangerousTest(s *story) {
	const tests = "tests/test_itsdangerous/test_encoding.py"
	report := s.truth(".venv/bin/python", "-m", "pytest", "-q", tests)
	r := s.start(A{"test": tests})
	r.Stopped("stopped_at_exception", s.find(`(?m)^(tests/\S+test_encoding\.py:\d+): AssertionError`, report))
	r.Contains([]string{"data", "exception", "message"}, s.find(`(?m)^E +AssertionError: (assert .*)$`, report))
	s.same("value", local(r, "value"), s.find(`(?m)^value = (\d+)`, report))
	s.ends(s.goOn(), 1)
	s.ends(s.start(A{"test": tests + "::test_base64_bad"}), 0)
}

func itsdangerousBytes(s *story) {
	const file = "src/itsdangerous/encoding.py"
	printed := s.truth(".venv/bin/python", "-c", "from itsdangerous.encoding import _int_to_bytes as f; print(2**64-1, f(2**64-1))")
	r := s.start(A{
		"test": "tests/test_itsdangerous/test_encoding.py::test_int_bytes", "exceptions": []string{"none"},
		"breakpoints": []A{{"function": "int_to_bytes", "file": file, "condition": "num > 1000"}},
	})
	r.Stopped("stopped_at_breakpoint", s.at(file, "return _int_to_bytes(num)"))
	s.same("num", local(r, "num"), s.find(`^(\d+)`, printed))
	s.same("its bytes", s.value("_int_to_bytes(num)"), s.find(`^\d+ (.*)`, printed))
	s.ends(s.goOn(), 1)
}

func djangoTest(s *story) {
	const test = "shop.tests.OrderTest.test_total"
	report := s.truth(".venv/bin/python", "manage.py", "test", test)
	r := s.start(A{"language": "python", "test": test})
	r.Stopped("stopped_at_exception", "shop/tests.py:"+s.find(`shop/tests\.py", line (\d+)`, report))
	r.Want(s.find(`AssertionError: (.*)`, report), "data", "exception", "message")
	s.same("total", local(r, "total"), s.find(`AssertionError: (Decimal\('.*?'\))`, report))
	s.shows(map[string]string{"self.order.lines.count()": "2"})
	s.ends(s.goOn(), 1)
	s.ends(s.start(A{"target": "manage.py", "args": []string{"test", "shop.tests.OrderTest.test_lines"}}), 0)
}

func djangoRequest(s *story) {
	const listening = `Starting development server at http://(127\.0\.0\.1:\d+)/`
	const path = "/shipping/de?weight=3&weight=8"
	good := s.served(listening, path, ".venv/bin/python", "-u", "manage.py", "runserver", "--noreload", "127.0.0.1:"+s.port())
	address := s.serve(A{
		"target": "manage.py", "args": []string{"runserver", "--noreload", "127.0.0.1:" + s.port()},
		"breakpoints": []A{{"file": "shop/views.py", "statement": `return JsonResponse({"country": country, "weights": weights, "cost": cost})`}},
	}, listening)
	answer := ask("http://" + address + path)
	r := s.wait().Stopped("stopped_at_breakpoint", s.at("shop/views.py", "return JsonResponse"))
	s.same("cost", local(r, "cost"), s.find(`"cost": (\d+)`, good))
	s.same("weights", local(r, "weights"), s.find(`"weights": (\[.*?\])`, good))
	s.shows(map[string]string{"request.GET['weight']": "'8'", "request.method": "'GET'"})
	s.OK("execute", A{"wait_for_stop": false})
	s.same("the answer", s.answered(answer), good)
}

func pandasValue(s *story) {
	printed := s.truth(".venv/bin/python", "sales.py")
	r := s.start(A{"target": "sales.py", "breakpoints": []A{{"file": "sales.py", "statement": `print("rows", len(frame), "columns", list(frame.columns))`}}})
	r.Stopped("stopped_at_breakpoint", s.at("sales.py", `print("rows"`))
	s.same("best", local(r, "best"), "'"+s.find(`best (\w+)`, printed)+"'")
	s.shows(map[string]string{
		"len(frame)":                    s.find(`rows (\d+)`, printed),
		"list(frame.columns)":           s.find(`columns (\[.*\])`, printed),
		"float(frame['revenue'].sum())": s.find(`revenue ([\d.]+)`, printed),
	})
	frame := s.OK("inspect", A{"expression": "frame"})
	frame.Contains([]string{"data", "result", "v"}, "Berlin", "[100000 rows x 5 columns]")
	s.ends(s.goOn(), 0)
}

func pandasCrash(s *story) {
	printed := s.truth(".venv/bin/python", "sales.py", "crash")
	r := s.start(A{"target": "sales.py", "args": []string{"crash"}})
	r.Stopped("stopped_at_exception", "sales.py:"+s.find(`sales\.py", line (\d+), in main`, printed))
	r.Want("KeyError", "data", "exception", "type").Want(s.find(`(?m)^KeyError: (.*)$`, printed), "data", "exception", "message")
	s.shows(map[string]string{"'costs' in frame": "False", "len(frame)": "100000"})
	s.ends(s.goOn(), 1)
}

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
