package responses

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"aidb-mcp/internal/fault"
)

func TestFailure(t *testing.T) {
	wrapped := fmt.Errorf("setting x: %w", fault.New(fault.VariableSet, "x is constant").WithField("name"))
	for _, c := range []struct {
		err           error
		code, message string
	}{
		{wrapped, "AIDB_VARIABLE_SET_FAILED", "x is constant"},
		{fmt.Errorf("waiting: %w", context.Canceled), "AIDB_OPERATION_CANCELLED", "the call was cancelled; the program keeps its state"},
		{context.DeadlineExceeded, "AIDB_ADAPTER_TIMEOUT", "the debug adapter did not answer in time: context deadline exceeded"},
		{errors.New("no idea"), "AIDB_INTERNAL_ERROR", "no idea"},
	} {
		env := Failure(c.err)
		if env.Success || env.Error.Code != c.code || env.Error.Message != c.message || env.Summary == "" {
			t.Errorf("Failure(%v) = %+v, %+v", c.err, env, env.Error)
		}
	}
}

// An answer that cannot be written is an answer all the same.
func TestUnwritableDataIsAnInternalError(t *testing.T) {
	reply := Fit(&Envelope{Success: true, Summary: "fine", Data: func() {}}, 8000, JSON)
	if !reply.IsError || len(reply.JSON) == 0 {
		t.Errorf("got %v %s", reply.IsError, reply.JSON)
	}
}
