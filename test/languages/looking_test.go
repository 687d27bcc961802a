//go:build linux

package languages

// looking at values.
var looking = []behaviour{
	{
		Name:     "locals as real values",
		Sentence: "Locals show numbers, text, lists, maps, objects and nothing as the language writes them, whole and unharmed.",
		Run: func(s *subject) {
			s.stop("values", "values-end")
			r := s.OK("inspect", nil)
			for _, name := range []string{"yes", "whole", "huge", "ratio", "name", "lines", "list", "ages", "ada", "nothing"} {
				s.shows(r, name, "data", "locals", s.say(name), "v")
			}
		},
	},
	{
		Name:     "evaluate",
		Sentence: "Arithmetic, an element, a field of a field and the entry of a map are evaluated.",
		Run: func(s *subject) {
			s.stop("values", "values-end")
			for _, purpose := range []string{"element", "entry", "field", "tag"} {
				s.evaluates(purpose)
			}
		},
	},
}
