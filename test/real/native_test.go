//go:build linux

package real

import "aidb-mcp/internal/testkit/registry"

var native = []project{{
	Name: "sqlite", Title: "SQLite 3.46.0, the amalgamation", Language: "C", Small: true,
	Pins:  []registry.Pin{{From: registry.Crates, Name: "libsqlite3-sys@0.30.1", Sum: "2e99fb7a497b1e3339bc746195567ed8d3e24945ecd636e3619d20b9de9e9149", Into: "crate"}},
	Build: [][]string{{"gcc", "-g", "-O0", "-DSQLITE_THREADSAFE=0", "-DSQLITE_OMIT_LOAD_EXTENSION", "-Icrate/sqlite3", "-o", "shop", "shop.c", "crate/sqlite3/sqlite3.c", "-lm"}},
	Again: []string{"diagnose"},
	Journeys: []journey{
		{"crash", "a null pointer deep in 250,000 lines of C is caught, with the user's frames and the arguments of the callers", sqliteCrash},
		{"big value", "cyclic structs, and structs with hundreds of fields, give a small reply with their scalar fields", sqliteValue},
		{"trace", "a table of one line has the values of the report that the shop prints", sqliteRows},
		{"why", "why follows a sum from the shop's struct into the database function that returned it", sqliteWhence},
		{"diagnose", "diagnose names the null pointer in the database, and the shop's call that passed it", sqliteDiagnosis},
	},
}, {
	Name: "json", Title: "nlohmann-json 3.11.2", Language: "C++",
	Pins:  []registry.Pin{{From: registry.Debian, Name: "nlohmann-json3-dev=3.11.2-2", Sum: "ec57940def6b6186c30be0e0ee81d1e58f86d11a54a145b28686a1e3e4aae801", Into: "json"}},
	Build: [][]string{{"g++", "-std=c++17", "-g", "-O0", "-Ijson/usr/include", "-o", "orders", "orders.cpp"}},
	Journeys: []journey{
		{"crash", "an exception that nobody catches stops with its type and message, and your frames have their values", jsonCrash},
		{"deep value", "a document's unions, maps and vectors are read by key and index, with the values that the program prints", jsonValue},
		{"diagnose", "diagnose shows the line of the program when a header-only library throws", jsonDiagnosis},
	},
}, {
	Name: "googletest", Title: "GoogleTest 1.12.1", Language: "C++",
	Pins:  []registry.Pin{{From: registry.Debian, Name: "googletest=1.12.1-0.2", Sum: "927be72067517da503b6538026d451455c9e860f5dbfe237f792543db7d5a928", Into: "package"}},
	Edits: []edit{{google + "samples/sample1.cc", "for (int i = 1; i <= n; i++)", "for (int i = 1; i < n; i++)"}},
	Build: [][]string{{
		"g++", "-std=c++14", "-g", "-O0", "-pthread", "-I" + google + "include", "-I" + google, "-o", "samples",
		google + "src/gtest-all.cc", google + "src/gtest_main.cc", google + "samples/sample1.cc", google + "samples/sample1_unittest.cc", google + "samples/sample6_unittest.cc",
	}},
	Journeys: []journey{
		{"failing test", "a failing test stops at the line that the framework prints, with expected and actual value", googleFailing},
		{"into the code", "a breakpoint in the tested function, with a condition, shows the value that lacks one factor", googleFactorial},
		{"typed test", "a typed test runs by its plain name for all its types; for a name that does not exist, similar names are listed", googleTyped},
		{"trace", "a table shows all calls of the tested function in a failing test, with the wrong result", googleRows},
		{"why", "why shows that the last write of a wrong product used the factor before the missing one", googleWhence},
		{"diagnose", "diagnose shows the value of the call under test, on the right side of the comparison", googleDiagnosis},
	},
}}

func jsonValue(s *story) {
	printed := s.truth("./orders")
	s.start(A{"target": "orders", "breakpoints": []A{{"file": "orders.cpp", "statement": "sums[line.item] +=", "condition": `line.item == "milk"`}}})
	first := `(*(*document.m_value.object)["orders"].m_value.array)[0]`
	line := `(*(*` + first + `.m_value.object)["lines"].m_value.array)[1]`
	price, count := `(*`+line+`.m_value.object)["price"].m_value.number_float`, `(*`+line+`.m_value.object)["count"].m_value.number_integer`
	sum := s.find(`milk (\S+)`, printed)
	s.shows(map[string]string{
		first + ".m_type": "object", "*(*" + first + `.m_value.object)["customer"].m_value.string`: `"` + s.find(`first for (\w+),`, printed) + `"`,
		"*(*" + first + `.m_value.object)["note"].m_value.string`: `"` + s.find(`note (\w+)`, printed) + `"`,
		price + " * " + count: sum, "line.price * line.count": sum, "document.m_value.object->size()": "1",
	})
	s.ends(s.goOn(), 0)
}

// google is where the package has the framework's sources, and its own samples.
const google = "package/usr/src/googletest/googletest/"

func googleFailing(s *story) {
	printed := s.truth("./samples", "--gtest_filter=FactorialTest.Positive")
	r := s.start(A{"target": "samples", "mode": "test", "language": "cpp", "test": "FactorialTest.Positive"})
	r.Want("stopped_at_exception", "data", "execution_state", "status").Want("test failure", "data", "exception", "type")
	r.Contains([]string{"data", "location"}, "sample1_unittest.cc:"+s.find(`sample1_unittest\.cc:(\d+): Failure`, printed))
	r.Contains([]string{"data", "exception", "message"}, "Factorial(2)", "Which is: "+s.find(`Which is: (\d+)`, printed))
}

func googleFactorial(s *story) {
	r := s.start(A{
		"target": "samples", "mode": "test", "language": "cpp", "test": "FactorialTest.Positive",
		"breakpoints": []A{{"file": google + "samples/sample1.cc", "statement": "return result;", "condition": "n == 8"}},
	})
	for r.Status() == "stopped_at_exception" { // at the assertions that fail before
		r = s.goOn()
	}
	r.Contains([]string{"data", "location"}, "samples/sample1.cc:")
	printed := s.truth("./samples", "--gtest_filter=FactorialTest.Positive")
	s.shows(map[string]string{"n": "8", "result": s.find(`Factorial\(8\)\n +Which is: (\d+)`, printed), "result * n": s.find(`(\d+)\n +Factorial\(8\)`, printed)})
}

func googleTyped(s *story) {
	s.Fail("VALIDATION_INVALID_PARAM", "session_start", A{"target": "samples", "mode": "test", "language": "cpp", "test": "PrimeTableTest.ReturnsTrueForPrime", "timeout_ms": waitLimit}).Has("ReturnsTrueForPrimes")
	printed := s.truth("./samples", "--gtest_filter=PrimeTableTest/*.ReturnsTrueForPrimes")
	r := s.start(A{"target": "samples", "mode": "test", "language": "cpp", "test": "PrimeTableTest.ReturnsTrueForPrimes"})
	r.Contains([]string{"data", "output", "stdout"}, s.find(`(PASSED  \] \d+ tests)`, printed))
	s.ends(r, 0)
}

func jsonCrash(s *story) {
	printed := s.truth("./orders", "crash")
	r := s.start(A{"target": "orders", "args": []string{"crash"}})
	r.Want("stopped_at_exception", "data", "execution_state", "status")
	r.Contains([]string{"data", "exception"}, "type_error", s.find(`what\(\):  (.*)`, printed))
	frame := s.frame("orders.cpp:")
	s.OK("inspect", A{"expression": "order.customer", "frame": frame}).Want(`"Eve"`, "data", "result", "v")
}

func sqliteCrash(s *story) {
	if !contains(s.truth("sh", "-c", "./shop crash; echo $?"), "139") {
		s.t.Fatal("the program does not crash by itself")
	}
	r := s.start(A{"target": "shop", "args": []string{"crash"}})
	r.Want("SIGSEGV", "data", "exception", "type").Want("sqlite3VdbeRealValue", "data", "function")
	r.Contains([]string{"data", "stack"}, "count_order "+s.at("shop.c", "c->total +="), "sqlite3_exec", "main "+s.at("shop.c", "sqlite3_exec(db, \"SELECT customer"))
	s.OK("inspect", A{"expression": "c->orders", "frame": 2}).Want("1", "data", "result", "v")
	s.OK("inspect", A{"target": "locals", "frame": 3}).Contains([]string{"data", "locals", "zSql", "v"}, "SELECT customer FROM orders LIMIT 3")
}

func sqliteValue(s *story) {
	sums := s.truth("./shop", "sums")
	r := s.start(A{"target": "shop", "args": []string{"sums"}, "breakpoints": []A{{"file": "shop.c", "statement": "row++;", "condition": "row == 4"}}})
	r.Stopped("stopped_at_breakpoint", s.at("shop.c", "row++"))
	total := s.find(`customer 4: ([\d.]+)`, sums)
	s.OK("inspect", A{"expression": "*c"}).Contains([]string{"data", "result"}, "customer 4", s.find(`(\d+)\.`, total))
	s.shows(map[string]string{"row": "4", "c->orders": s.find(`customer 4: .* in (\d+)`, sums), "ring[1].name": `"customer 1"`, "c->next->name": `"customer 0"`})
	r = s.OK("inspect", A{"expression": "*db"}) // 82 fields, of which a page is shown
	r.Want("1000", "data", "result", "children", "lastRowid", "v").Want("25", "omitted", "0", "shown")
	s.shows(map[string]string{"db->aDb->zDbSName": `"main"`, "db->nTotalChange": "1000"})
	s.ends(s.goOn(), 0)
}
