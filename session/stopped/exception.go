package stopped

import (
	"cmp"
	"context"

	godap "github.com/google/go-dap"

	"aidb-mcp/dap"
	"aidb-mcp/session/inspect"
)

// Exception describes why the program stopped, when it is an exception, a
// panic or a signal; else nil.
func (p *Program) Exception(ctx context.Context) (*Exception, error) {
	p, err := p.at(0)
	if err != nil {
		return nil, err
	}
	if !isException(p.event.Reason) {
		return nil, nil
	}
	return p.exceptionOf(ctx, p.askException()), nil
}

func isException(reason string) bool { return reason == "exception" || reason == "signal" }

// askException sends the question, so that it can travel with others; nil
// when the adapter cannot answer it.
func (p *Program) askException() *dap.Pending {
	if !p.session.Protocol().SupportsExceptionInfoRequest || !isException(p.event.Reason) {
		return nil
	}
	return p.connection.Send("exceptionInfo", godap.ExceptionInfoArguments{ThreadId: p.connection.AdapterThread(p.event.ThreadID)})
}

// exceptionOf combines the stop event with the adapter's answer.
func (p *Program) exceptionOf(ctx context.Context, asked *dap.Pending) *Exception {
	e := &Exception{Type: p.event.Description, Message: p.event.Text}
	if e.Type == "" {
		e.Type = p.event.Reason
	}
	if asked == nil {
		return p.withholdSource(p.addDetails(ctx, e, &godap.ExceptionInfoResponseBody{}))
	}
	var body godap.ExceptionInfoResponseBody
	if err := asked.Wait(ctx, &body); err != nil {
		p.facts.Log.Debug("exceptionInfo", "error", err)
		return p.withholdSource(e)
	}
	if p.event.Description == "" && body.ExceptionId != "" {
		e.Type = body.ExceptionId
	}
	return p.withholdSource(p.addDetails(ctx, e, &body))
}

// withholdSource takes the code out of an exception's texts that lies outside of the
// policy's folders: interpreters quote it in their stacks.
func (p *Program) withholdSource(e *Exception) *Exception {
	for x := e; x != nil; x = x.Inner {
		x.Message, x.Stack = p.facts.Withhold(x.Message), p.facts.Withhold(x.Stack)
	}
	return e
}

// addDetails adds the details, those that only the dialect can find included.
func (p *Program) addDetails(ctx context.Context, e *Exception, body *godap.ExceptionInfoResponseBody) *Exception {
	d, can := body.Details, p.facts.Can.Exceptions
	e.Unhandled = body.BreakMode == "unhandled"
	if can.Details != nil {
		found, err := can.Details(ctx, p.connection, p.connection.AdapterThread(p.event.ThreadID), body)
		switch {
		case err != nil:
			p.facts.Log.Debug("exception details", "error", err)
		case found != nil:
			d = found
			e.Type = cmp.Or(d.FullTypeName, d.TypeName, e.Type)
			e.Message = cmp.Or(d.Message, e.Message)
		}
	}
	e.Message = cmp.Or(e.Message, body.Description) // the reader may have taken it back
	if d != nil {
		e.Stack = d.StackTrace
		if e.Message == "" {
			e.Message = d.Message
		}
		e.Inner = inspect.Causes(d.InnerException, maxDepth)
	}
	if can.Origin != nil {
		origin, err := can.Origin(ctx, p.connection, p.connection.AdapterThread(p.event.ThreadID))
		if err != nil {
			p.facts.Log.Debug("the origin of an exception", "error", err)
		}
		e.Origin, e.Unhandled = origin, e.Unhandled || origin.Final
	}
	if can.Sides != nil {
		sides, err := can.Sides(ctx, p.connection, p.connection.AdapterThread(p.event.ThreadID))
		if err != nil {
			p.facts.Log.Debug("sides of an expectation", "error", err)
		}
		e.Sides = sides
	}
	return e
}
