package stopped

import (
	"cmp"
	"context"
	"strconv"
	"strings"

	godap "github.com/google/go-dap"

	"aidb-mcp/dap"
	"aidb-mcp/session/inspect"
)

// readPart reads part of a long text of which only the beginning is at hand.
func (p *Program) readPart(ctx context.Context, in origin, v Variable, page Page) (Variable, error) {
	body, err := p.ask(ctx, in, v.Path)
	if err != nil {
		return Variable{}, err
	}
	return p.readPiece(ctx, in, v, body.Result, page)
}

// readPiece reads part of a long text, which is whole, or as much of it as the
// adapter gives: by slices in the program where the language has them, else out
// of what the adapter gave.
func (p *Program) readPiece(ctx context.Context, in origin, v Variable, whole string, page Page) (Variable, error) {
	measures := p.facts.Can.Values.TextLength != nil
	once := strings.Contains(v.Path, "(") && v.Cut <= len(whole) // a call may give something else when it is made again
	measured := false
	if measures && !once {
		var err error
		if measured, err = p.measureLength(ctx, in, &v); err != nil {
			return Variable{}, err
		}
	}
	room := cmp.Or(page.AskedBytes, p.facts.Limits.AskedBytes)
	start, count := max(page.Start, 0), cmp.Or(max(page.Count, 0), room)
	start, units := min(start, v.Cut), v.Cut
	count = min(count, v.Cut-start)
	tight := page.Count <= 0 || page.Count >= room // and not a number of somebody's choice
	expr := p.facts.Dialect.Range(v.Path, v.Type, start, count)
	switch {
	case expr == "" && v.Cut > len(whole):
		v.Next = inspect.Unreachable
		return v, nil
	case expr == "" || measures && !measured:
		v.Value, v.Next = inspect.Piece(whole, start, count)
		if v.Next == len(whole) && p.reader().MaybeCut(whole) {
			v.Next = inspect.Unreachable
		}
		return v, nil
	case measured:
		if v.Next = start + count; start == 0 && v.Next == v.Cut {
			v.Cut, v.Length = 0, 0 // it is whole
		}
	case page.Start <= 0 && page.Count <= 0 && len(whole) >= min(room, v.Cut):
		return v, nil // its beginning is there already
	}
	body, err := p.ask(ctx, in, expr)
	for tries := 0; err == nil && measured && tight && len(body.Result) > room+room/4 && count > 1 && tries < mostFits; tries++ {
		count = max(1, count*room/len(body.Result))
		v.Next = start + count
		body, err = p.ask(ctx, in, p.facts.Dialect.Range(v.Path, v.Type, start, count))
	}
	if err != nil {
		return Variable{}, err
	}
	if v.Next > 0 && v.Next < units {
		v.Cut, v.Length = units, units
	}
	v.Value = body.Result
	return v, nil
}

// mostFits is how often a piece of a text is asked for again because what is
// shown of it, with its escapes, is longer than there is room for.
const mostFits = 3

// measureLength asks for the length of a text that is not counted in bytes.
func (p *Program) measureLength(ctx context.Context, in origin, v *Variable) (bool, error) {
	expr := p.facts.Can.Values.TextLength(v.Path, v.Type)
	if expr == "" {
		return false, nil
	}
	body, err := p.ask(ctx, in, expr)
	if err != nil {
		return false, err
	}
	n, err := strconv.Atoi(body.Result)
	if err != nil {
		return false, nil
	}
	v.Cut, v.Length, v.Characters = n, n, true
	return true, nil
}

// mostMeasured is how many texts of one list are measured, in one round trip.
const mostMeasured = 30

// measureLengths asks for those of texts that are longer than what is shown of them and came
// without their length. One that cannot be measured stays open.
func (p *Program) measureLengths(ctx context.Context, in origin, vars []Variable) {
	can := p.facts.Can.Values
	if can.TextLength == nil {
		return
	}
	asked := make(map[int]*dap.Pending)
	for i, v := range vars {
		if v.Cut == 0 || v.Length > 0 || v.Path == "" || len(asked) == mostMeasured {
			continue
		}
		expr := can.TextLength(v.Path, v.Type)
		if expr == "" {
			continue
		}
		text, kind, err := expressionIn(ctx, in.program.connection, can, in.frame, expr)
		if err != nil {
			continue
		}
		asked[i] = in.program.connection.Send("evaluate", evaluateArguments{Expression: text, FrameID: in.frame, Context: kind})
	}
	for i, pending := range asked {
		var body godap.EvaluateResponseBody
		if err := pending.Wait(ctx, &body); err != nil {
			p.facts.Log.Debug("length of a text", "path", vars[i].Path, "error", err)
			continue
		}
		if n, err := strconv.Atoi(body.Result); err == nil && failedResult(can, vars[i].Path, body) == nil {
			vars[i].Cut, vars[i].Length, vars[i].Characters = n, n, true
		}
	}
}
