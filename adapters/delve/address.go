package delve

import (
	"context"
	"path/filepath"
	"strings"

	"aidb-mcp/adapters"
	"aidb-mcp/adapters/delve/pprof"
	"aidb-mcp/adapters/observe/attach"
	"aidb-mcp/adapters/prepare"
	"aidb-mcp/internal/profiling"
)

// noDebugger is what a session by the address of pprof refuses.
const noDebugger = "this session asks the program for its profiles (pprof), and has no debugger: profile says where its time goes, what grows and where goroutines stand, inspect(waits) and inspect(threads) what each goroutine waits for. " +
	"On the program's own machine session_start(attach) with its pid debugs it, and with observe records in it"

// planAddress plans a session with a program that serves its profiles.
func planAddress(ctx context.Context, r adapters.Request) (*adapters.Plan, error) {
	program, err := pprof.Open(ctx, r, renaming(r))
	if err != nil {
		return nil, err
	}
	plan := attach.PlanFar(program.String(), noDebugger)
	plan.Dialect, plan.Modules = &dialect{joined: true}, []string{r.Workspace}
	plan.Capabilities.Threads = adapters.Threads{Digest: program.Digest, DigestsRunning: true, Blocked: program.Blocked}
	plan.Capabilities.Profiling = adapters.Profiling{Take: program.Take, Standing: []profiling.What{profiling.Memory, profiling.Waits}}
	return plan, nil
}

// renaming says what the files of a program are called here: by the path mappings of a request,
// and where the compiler has put the module's name in the place of its folder (-trimpath), by that.
func renaming(r adapters.Request) func(string) string {
	type rule struct{ from, to string }
	var rules []rule
	for _, m := range r.PathMappings {
		rules = append(rules, rule{m.Remote, prepare.Physical(prepare.Locate(r, m.Local))})
	}
	for _, dir := range append([]string{r.Workspace}, r.SourcePaths...) {
		if root := moduleRoot(prepare.Locate(r, dir)); root != "" && modulePath(root) != "" {
			rules = append(rules, rule{modulePath(root), prepare.Physical(root)})
		}
	}
	return func(file string) string {
		for _, x := range rules {
			rest, is := strings.CutPrefix(file, strings.TrimRight(x.from, "/"))
			if here := filepath.Join(x.to, filepath.FromSlash(rest)); is && strings.HasPrefix(rest, "/") && prepare.IsFile(here) {
				return here
			}
		}
		return file
	}
}
