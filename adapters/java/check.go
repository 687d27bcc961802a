package java

import (
	"context"
	"errors"
	"fmt"
	"os"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/fault"
)

// Check looks for a JDK; the bridge itself is compiled when it is needed.
func (a *adapter) Check(ctx context.Context) adapters.Readiness {
	j, err := a.javas(ctx, adapters.Request{}, os.Environ())
	if err == nil {
		err = a.Store.Homeless() // the bridge has no place
	}
	if err != nil {
		ready := adapters.Readiness{Problem: err.Error(), Absent: fault.Is(err, fault.AdapterNotFound)}
		var f *fault.Error
		if errors.As(err, &f) {
			ready.Remedy = f.Hint
		}
		return ready
	}
	version := "JDK " + j.program.version
	if j.tools.home != j.program.home {
		version = fmt.Sprintf("Java %s, debugged with JDK %s", j.program.version, j.tools.version)
	}
	return adapters.Readiness{Ready: true, Version: version, Path: j.program.java}
}
