package native

import (
	"context"
	"errors"
	"os"
	"strings"

	"aidb-mcp/adapters"
)

// Check names the debugger that would be used, and the others that could be.
func (a *adapter) Check(ctx context.Context) adapters.Readiness {
	var found []debugger
	var problems []string
	for _, kind := range kinds {
		d, err := a.find(ctx, kind)
		switch {
		case err == nil:
			found = append(found, d)
		case !errors.Is(err, errNone):
			problems = append(problems, err.Error())
		}
	}
	problem, remedy := tracingRestriction()
	if len(found) == 0 {
		problems = append([]string{"no debugger for C, C++ and Rust was found"}, problems...)
		return adapters.Readiness{Problem: strings.Join(problems, ": "), Remedy: a.remedy("")}
	}
	r := adapters.Readiness{Ready: true, Version: found[0].String(), Path: found[0].path, Problem: problem, Remedy: remedy}
	if len(found) > 1 {
		var others []string
		for _, d := range found[1:] {
			others = append(others, d.String())
		}
		r.Version += "; also " + strings.Join(others, ", ")
	}
	if what, remedy := a.lang.Missing(os.Environ()); what != "" {
		r.Unbuilt, r.Remedy = true, remedy
		r.Problem = what + " was not found: only ready binaries, core files and running programs can be debugged"
	}
	return r
}
