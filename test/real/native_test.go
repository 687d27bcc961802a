//go:build linux

package real

var native = []project{{
	Name: "sqlite", Title: "SQLite 3.46.0, the amalgamation", Language: "C", Small: true,
	Pins:  []pin{{From: crates, Name: "libsqlite3-sys@0.30.1", Sum: "2e99fb7a497b1e3339bc746195567ed8d3e24945ecd636e3619d20b9de9e9149", Into: "crate"}},
	Build: [][]string{{"gcc", "-g", "-O0", "-DSQLITE_THREADSAFE=0", "-DSQLITE_OMIT_LOAD_EXTENSION", "-Icrate/sqlite3", "-o", "shop", "shop.c", "crate/sqlite3/sqlite3.c", "-lm"}},
	Journeys: []journey{
		{"crash", "a null pointer deep in 250,000 lines of C is caught, with the user's frames and the arguments of the callers", sqliteCrash},
		{"big value", "structs that point in a ring, and the database's own of hundreds of fields, are answered with their scalars", sqliteValue},
	},
}, {
	Name: "json", Title: "nlohmann-json 3.11.2", Language: "C++",
	Pins:  []pin{{From: debian, Name: "nlohmann-json3-dev=3.11.2-2", Sum: "ec57940def6b6186c30be0e0ee81d1e58f86d11a54a145b28686a1e3e4aae801", Into: "json"}},
	Build: [][]string{{"g++", "-std=c++17", "-g", "-O0", "-Ijson/usr/include", "-o", "orders", "orders.cpp"}},
	Journeys: []journey{
		{"crash", "an exception that nobody catches stops with its type and its message, and the user's frames have their values", jsonCrash},
	},
}}

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
