package session

import (
	"cmp"
	"context"
	"strconv"
	"strings"

	"aidb-mcp/adapters"
	"aidb-mcp/session/inspect"
)

// reread reads part of a long text of which only the beginning is at hand.
func (s *Session) reread(ctx context.Context, in origin, v Variable, p Page) (Variable, error) {
	body, err := s.ask(ctx, in, v.Path)
	if err != nil {
		return Variable{}, err
	}
	return s.piece(ctx, in, v, body.Result, p)
}

// piece reads part of a long text, which is whole, or as much of it as the
// adapter gives: by slices in the program where the language has them, else out
// of what the adapter gave.
func (s *Session) piece(ctx context.Context, in origin, v Variable, whole string, p Page) (Variable, error) {
	d, measures := s.dialect().(adapters.TextMeasurer)
	once := strings.Contains(v.Path, "(") && v.Cut <= len(whole) // a call may give something else when it is made again
	measured := false
	if measures && !once {
		var err error
		if measured, err = s.measure(ctx, in, d, &v); err != nil {
			return Variable{}, err
		}
	}
	room := cmp.Or(p.AskedBytes, s.limits.AskedBytes)
	start, count := max(p.Start, 0), cmp.Or(max(p.Count, 0), room)
	start = min(start, v.Cut)
	count = min(count, v.Cut-start)
	expr := s.dialect().Range(v.Path, v.Type, start, count)
	switch {
	case expr == "" && v.Cut > len(whole):
		v.Next = Unreachable
		return v, nil
	case expr == "" || measures && !measured:
		v.Value, v.Next = inspect.Piece(whole, start, count)
		if v.Next == len(whole) && s.reader().MaybeCut(whole) {
			v.Next = Unreachable
		}
		return v, nil
	case measured:
		if v.Next = start + count; start == 0 && v.Next == v.Cut {
			v.Cut, v.Length = 0, 0 // it is whole
		}
	case p.Start <= 0 && p.Count <= 0 && len(whole) >= min(room, v.Cut):
		return v, nil // its beginning is there already
	}
	body, err := s.ask(ctx, in, expr)
	if err != nil {
		return Variable{}, err
	}
	v.Value = body.Result
	return v, nil
}

// measure asks for the length of a text that is not counted in bytes.
func (s *Session) measure(ctx context.Context, in origin, d adapters.TextMeasurer, v *Variable) (bool, error) {
	expr := d.TextLength(v.Path, v.Type)
	if expr == "" {
		return false, nil
	}
	body, err := s.ask(ctx, in, expr)
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
