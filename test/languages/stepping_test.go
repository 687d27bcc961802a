//go:build linux

package languages

// stepping through the program.
var stepping = []behaviour{
	{
		Name:     "step over",
		At:       stopAt{"calls", "calls-start"},
		Sentence: "A step goes to the next line, over the calls in this line, and shows what changed.",
		Run: func(s *subject) {
			s.stop("calls", "calls-start")
			s.OK("step", nil).Stopped("stopped_after_step", s.at("call"))
			s.OK("step", nil).Stopped("stopped_after_step", s.at("nested"))
			s.OK("step", nil).Stopped("stopped_after_step", s.at("after"))
			r := s.OK("step", nil).Stopped("stopped_after_step", s.at("calls-end"))
			r.Want("6", "data", "changed_variables", "count", "old").Want("36", "data", "changed_variables", "count", "new")
		},
	},
	{
		Name:     "step into",
		At:       stopAt{"calls", "call"},
		Sentence: "A step into a call stops in the called function.",
		Run: func(s *subject) {
			s.stop("calls", "call")
			r := s.OK("step", A{"action": "into"}).Want("stopped_after_step", "data", "execution_state", "status")
			s.shows(r, "twice", "data", "function")
			if n := s.value("n"); n != "6" {
				s.t.Errorf("n is %s", n)
			}
		},
	},
	{
		Name:     "step out",
		Engine:   true, // the others say so of "return value", whether there is one or not
		At:       stopAt{"calls", "twice"},
		Sentence: "A step out stops in the caller, after the call.",
		Run: func(s *subject) {
			s.stop("calls", "twice")
			r := s.OK("step", A{"action": "out"}).Want("stopped_after_step", "data", "execution_state", "status")
			s.shows(r, "part", "data", "function")
			s.standsAt(r, "reached")
		},
	},
	{
		Name:       "return value",
		At:         stopAt{"calls", "twice"},
		Sentence:   "A step out shows what the function returned.",
		Capability: "return_values",
		Run: func(s *subject) {
			s.stop("calls", "twice")
			r := s.OK("step", A{"action": "out"}).Want("stopped_after_step", "data", "execution_state", "status")
			s.shows(r, "part", "data", "function")
			s.standsAt(r, "reached")
			var returned map[string]struct{ V string }
			r.Decode(&returned, "data", "return_value")
			for _, v := range returned {
				if len(returned) == 1 && s.shown("return").MatchString(v.V) {
					return
				}
			}
			s.t.Errorf("return_value is %q, want %s, in\n%s", r.At("data", "return_value"), s.shown("return"), r)
		},
		Without: without{Run: func(s *subject, _ string) {
			s.stop("calls", "twice")
			r := s.OK("step", A{"action": "out"}).Want("stopped_after_step", "data", "execution_state", "status").Want("", "data", "return_value")
			s.shows(r, "part", "data", "function")
			s.standsAt(r, "reached")
			s.OK("config", A{"action": "capabilities"}).Contains([]string{"data", "capabilities", "return_values"}, "impossible")
		}},
	},
	{
		Name:     "several steps",
		Engine:   true,
		At:       stopAt{"calls", "calls-start"},
		Sentence: "count takes several steps in one call; a breakpoint ends the count early.",
		Run: func(s *subject) {
			s.stop("calls", "calls-start")
			s.OK("step", A{"count": 2}).Stopped("stopped_after_step", s.at("nested"))
			s.OK("breakpoint", A{"location": s.at("combine-return")})
			s.OK("step", A{"count": 20}).Stopped("stopped_at_breakpoint", s.at("combine-return")).Has("breakpoint")
		},
	},
	{
		Name:     "interrupted step",
		Engine:   true,
		At:       stopAt{"calls", "call"},
		Sentence: "If a breakpoint stops a step over a call, the next step still works.",
		Run: func(s *subject) {
			s.stop("calls", "call")
			s.OK("breakpoint", A{"location": s.at("twice")})
			s.OK("step", nil).Stopped("stopped_at_breakpoint", s.at("twice"))
			s.OK("step", nil).Stopped("stopped_after_step", s.at("twice-return"))
			s.OK("breakpoint", A{"action": "clear_all"})
			s.ended(s.goOn(), "0").Has("calls 36 12")
		},
	},
	{
		Name:       "step into one of several calls",
		At:         stopAt{"calls", "nested"},
		Sentence:   "into_function steps into one named call of a line with several calls.",
		Capability: "step_into_function",
		Run: func(s *subject) {
			s.stop("calls", "nested")
			r := s.OK("step", A{"action": "into", "into_function": s.say("function")})
			s.shows(s.status(r, "stopped_after_step"), "function", "data", "function")
			if a, b := s.value("a"), s.value("b"); a != "24" || b != "6" {
				s.t.Errorf("combine(%s, %s), want (24, 6)", a, b)
			}
		},
		Without: refusal("calls", "nested", "step", func(s *subject) A {
			return A{"action": "into", "into_function": s.say("function")}
		}),
	},
	{
		Name:       "step by instruction",
		At:         stopAt{"calls", "twice"},
		Sentence:   "With granularity instruction, a step goes one machine instruction further.",
		Capability: "step_instruction",
		Run: func(s *subject) {
			s.stop("calls", "twice")
			before := s.OK("inspect", A{"target": "registers"}).At("data", "registers")
			r := s.OK("step", instruction(s))
			s.shows(s.status(r, "stopped_after_step"), "twice", "data", "function")
			if after := s.OK("inspect", A{"target": "registers"}).At("data", "registers"); after == before {
				s.t.Errorf("no register has changed:\n%s", r)
			}
		},
		Without: refusal("calls", "twice", "step", instruction),
	},
	{
		Name:       "run until",
		Engine:     true,
		Sentence:   "run_until goes to a line, a function or one of several places. It changes no breakpoints and leaves none behind.",
		Capability: "run_until",
		Run: func(s *subject) {
			s.stop("loop", "loop-start")
			s.OK("run_until", A{"location": s.at("sum"), "condition": s.say("condition")}).Stopped("stopped_at_breakpoint", s.at("sum"))
			if i := s.value("i"); i != "7" {
				s.t.Errorf("i is %s, want 7", i)
			}
			s.OK("run_until", A{"location": s.at("bottom"), "alternative_locations": []string{s.at("loop-end")}}).
				Stopped("stopped_at_breakpoint", s.at("loop-end"))
			s.OK("breakpoint", A{"action": "list"}).Want("", "data", "breakpoints", "1").Want("true", "data", "breakpoints", "0", "verified")
			s.ended(s.goOn(), "0")
		},
	},
	{
		Name:       "jump",
		At:         stopAt{"calls", "nested"},
		Sentence:   "execute(jump) continues at another line of the function without running the lines between.",
		Capability: "jump",
		Run: func(s *subject) {
			s.stop("calls", "nested")
			s.OK("execute", jump(s)).Want(s.at("calls-end"), "data", "location")
			s.ended(s.goOn(), "0").Want("calls 6 12\n", "data", "output", "stdout")
		},
		Without: refusal("calls", "nested", "execute", jump),
	},
	{
		Name:       "step back",
		At:         stopAt{"calls", "nested"},
		Sentence:   "A step back undoes a step.",
		Capability: "step_back",
		Run: func(s *subject) {
			s.stop("calls", "call")
			s.OK("step", nil).Stopped("stopped_after_step", s.at("nested"))
			s.OK("step", back(s)).Stopped("stopped_after_step", s.at("call"))
		},
		Without: refusal("calls", "nested", "step", back),
	},
}

func instruction(*subject) A { return A{"granularity": "instruction"} }

func jump(s *subject) A { return A{"action": "jump", "jump_target": s.at("calls-end")} }

func back(*subject) A { return A{"action": "back"} }
