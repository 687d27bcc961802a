package inspect

import "strings"

// IsNamed says whether a frame's function is the one asked for, by its full
// name or the end of it after a dot.
func IsNamed(function, wanted string) bool {
	function, wanted = bareName(function), bareName(wanted)
	return function == wanted || strings.HasSuffix(function, "."+wanted) || strings.HasSuffix(function, "::"+wanted) || strings.HasSuffix(function, "#"+wanted)
}

func bareName(name string) string {
	name, _, _ = strings.Cut(strings.TrimSpace(name), "(")
	if name == "" {
		return name
	}
	return strings.TrimSpace(name)
}
