package java

import (
	"context"
	"errors"
	"fmt"
	"os"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/fault"
)

// Check looks for a JDK, and for what the recorder needs; the bridge itself is compiled when it is needed.
func (a *adapter) Check(ctx context.Context) adapters.Readiness {
	j, err := a.javas(ctx, adapters.Request{}, os.Environ())
	if err == nil {
		err = a.Store.Homeless() // the bridge has no place
	}
	if err != nil {
		return adapters.Readiness{Problem: err.Error(), Absent: fault.Is(err, fault.AdapterNotFound), Remedy: remedy(err)}
	}
	version := "JDK " + j.program.version
	if j.tools.home != j.program.home {
		version = fmt.Sprintf("Java %s, debugged with JDK %s", j.program.version, j.tools.version)
	}
	ready := adapters.Readiness{Ready: true, Version: version, Path: j.program.java}
	if _, err := asmVersion(a.Store); err != nil {
		ready.Problem, ready.Remedy = "no run can be recorded: "+err.Error(), remedy(err)
	}
	return ready
}

func remedy(err error) string {
	if f, ok := errors.AsType[*fault.Error](err); ok {
		return f.Hint
	}
	return ""
}
