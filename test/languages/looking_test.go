//go:build linux

package languages

// looking at values.
var looking = []behaviour{
	{
		Name: "locals as real values",
		At:   stopAt{"values", "values-end"}, Looks: true,
		Sentence: "Numbers, texts, lists, maps, objects and null values are shown as the language writes them, whole and unchanged.",
		Run: func(s *subject) {
			s.stop("values", "values-end")
			r := s.OK("inspect", nil)
			for _, name := range []string{"yes", "whole", "huge", "ratio", "name", "lines", "list", "ages", "ada", "nothing"} {
				s.shows(r, name, "data", "locals", s.say(name), "v")
			}
		},
	},
	{
		Name:     "nested values",
		At:       stopAt{"values", "values-end"},
		Sentence: "An object can be opened by its reference or to a depth; an element, a nested field or a map entry by its path.",
		Run: func(s *subject) {
			s.stop("values", "values-end")
			for _, purpose := range []string{"element", "entry", "field", "tag"} {
				s.evaluates(purpose)
			}
			s.OK("inspect", A{"expression": s.say("ada"), "depth": 2}).Contains([]string{"data", "result"}, "Ada", "Paris")
			ref := s.OK("inspect", A{"expression": s.say("ada")}).Int("data", "result", "ref")
			if ref <= 0 {
				s.t.Fatal("no reference to open it by")
			}
			s.OK("inspect", A{"target": "object", "ref": ref}).Contains([]string{"data"}, "Ada", "36")
			s.goOn()
			s.Fail("SESSION_TERMINATED", "inspect", A{"target": "object", "ref": ref})
		},
	},
	{
		Name:     "stale references",
		Engine:   true,
		Sentence: "A reference is refused after the program has gone on; the expression still works.",
		Run: func(s *subject) {
			s.stop("loop", "sum")
			ref := s.OK("inspect", A{"expression": "items"}).Int("data", "result", "ref")
			s.OK("inspect", A{"target": "object", "ref": ref}).Has("9")
			s.OK("step", nil)
			s.Fail("STALE_REFERENCE", "inspect", A{"target": "object", "ref": ref})
			s.OK("inspect", A{"expression": "items"})
		},
	},
	{
		Name:     "evaluate",
		At:       stopAt{"calls", "nested"},
		Sentence: "An expression of the language is evaluated in the current frame or in a caller's.",
		Run: func(s *subject) {
			s.stop("calls", "nested")
			s.evaluates("arithmetic")
			s.OK("run_until", A{"location": s.at("combine")})
			s.OK("inspect", A{"expression": s.say("arithmetic"), "frame": 1}).Want("24", "data", "result", "v")
		},
	},
	{
		Name: "evaluate a call",
		At:   stopAt{"calls", "nested"}, Looks: true,
		Sentence: "An expression can call a function of the program; the stop stays as it was.",
		Run: func(s *subject) {
			s.stop("calls", "nested")
			s.evaluates("call")
			s.evaluates("arithmetic")
			s.OK("inspect", nil).Want("6", "data", "locals", "count", "v")
			s.OK("session", nil).Want(s.at("nested"), "data", "location") // from where the behaviours behind it go on
		},
		Without: without{Looks: true, Run: func(s *subject, _ string) {
			s.stop("calls", "nested")
			s.Fail("EVALUATION_FAILED", "inspect", A{"expression": s.say("call")})
			s.OK("session", nil).Want(s.at("nested"), "data", "location")
		}},
	},
	{
		Name: "evaluation that fails",
		At:   stopAt{"calls", "nested"}, Looks: true,
		Sentence: "A syntax error or an unknown name is reported in words, and the program stays where it was.",
		Run: func(s *subject) {
			s.stop("calls", "nested")
			s.shows(s.Fail("EVALUATION_FAILED", "inspect", A{"expression": s.say("syntax")}), "syntax", "error", "message")
			s.shows(s.Fail("EVALUATION_FAILED", "inspect", A{"expression": s.say("unknown")}), "unknown", "error", "message")
			s.OK("inspect", A{"expression": "count"}).Want("6", "data", "result", "v")
			s.OK("session", nil).Want(s.at("nested"), "data", "location")
		},
	},
	{
		Name:       "set a variable",
		Among:      []string{"go", "python", "java", "ruby", "rust"},
		At:         stopAt{"calls", "after"},
		Sentence:   "A variable can be set; the new value is read back, and the program uses it.",
		Capability: "set_variable",
		Run: func(s *subject) {
			s.stop("calls", "after")
			s.shows(s.OK("variable", set(s)), "set", "data", "result", "v")
			s.OK("inspect", nil).Want("100", "data", "locals", "count", "v")
			s.Fail("VARIABLE_SET_FAILED", "variable", A{"action": "set", "name": "count", "value": s.say("syntax")})
			s.ended(s.goOn(), "0").Want("calls 130 12\n", "data", "output", "stdout")
		},
		Without: refusal("calls", "after", "variable", set),
	},
	{
		Name:       "set a global variable",
		At:         stopAt{"watch", "watch-start"},
		Sentence:   "A global variable can be set; the new value is read back, and the program uses it.",
		Capability: "set_variable",
		Run: func(s *subject) {
			s.stop("watch", "watch-start")
			s.OK("variable", setGlobal(s)).Want("40", "data", "result", "v")
			s.Fail("VARIABLE_SET_FAILED", "variable", A{"action": "set", "name": s.say("watch"), "value": s.say("syntax")})
			s.ended(s.goOn(), "0").Has("counter 41")
		},
		Without: refusal("watch", "watch-start", "variable", setGlobal),
	},
	{
		Name:       "patch",
		At:         stopAt{"calls", "calls-start"},
		Sentence:   "A function can be replaced in the running program, and a call proves it.",
		Capability: "patch",
		Run: func(s *subject) {
			s.stop("calls", "calls-start")
			s.OK("variable", patch(s)).Has("63")
			s.ended(s.goOn(), "0").Want("calls 66 18\n", "data", "output", "stdout")
		},
		Without: refusal("calls", "calls-start", "variable", patch),
	},
	{
		Name: "memory",
		At:   stopAt{"values", "values-end"}, Looks: true,
		Sentence:   "The memory at an address can be read.",
		Capability: "memory",
		Run: func(s *subject) {
			s.stop("values", "values-end")
			s.OK("inspect", memory(s)).Contains([]string{"data", "address"}, "0x")
		},
		Without: refusal("values", "values-end", "inspect", memory),
	},
	{
		Name: "registers",
		At:   stopAt{"calls", "twice"}, Looks: true,
		Sentence:   "The registers of a frame can be read.",
		Capability: "registers",
		Run: func(s *subject) {
			s.stop("calls", "twice")
			s.OK("inspect", registers(s)).Contains([]string{"data", "registers"}, "0x")
		},
		Without: refusal("calls", "twice", "inspect", registers),
	},
	{
		Name: "disassembly",
		At:   stopAt{"calls", "twice"}, Looks: true,
		Sentence:   "The machine instructions around the current line are shown beside their source lines.",
		Capability: "disassembly",
		Run: func(s *subject) {
			s.stop("calls", "twice")
			s.OK("inspect", disassembly(s)).Has(s.File, "0x")
		},
		Without: refusal("calls", "twice", "inspect", disassembly),
	},
}

func set(s *subject) A { return A{"action": "set", "name": "count", "value": s.say("set")} }

func setGlobal(s *subject) A { return A{"action": "set", "name": s.say("watch"), "value": "40"} }

func patch(s *subject) A {
	code := s.say("patch")
	if code == "" {
		code = "twice"
	}
	return A{"action": "patch", "name": s.say("twice"), "code": code, "expression": s.say("call")}
}

func memory(s *subject) A { return A{"target": "memory", "expression": s.say("bytes"), "length": 16} }

func registers(*subject) A { return A{"target": "registers"} }

func disassembly(*subject) A { return A{"target": "disassembly", "count": 8} }
