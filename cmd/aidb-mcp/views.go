package main

import (
	"bytes"
	"context"
	"encoding/json"

	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/hub"
	"aidb-mcp/persons/page"
	"aidb-mcp/responses"
)

// views are what clients draw replies with.
type views struct{ doors *doors }

// Page is the page that draws.
func (views) Page() (string, error) { return page.App() }

// viewQuestion is what a view asks.
type viewQuestion struct {
	Session string `json:"session_id"`
	Ref     int    `json:"ref"`
}

// viewAnswer is what it is answered: the values inside of one, or where a person watches.
type viewAnswer struct {
	Values []hub.Value `json:"values,omitempty"`
	Total  int         `json:"total,omitempty"`
	Page   string      `json:"page,omitempty"`
}

// viewed is how many values a view shows inside of one.
const viewed = 100

// Answer answers a view.
func (v views) Answer(ctx context.Context, args json.RawMessage) responses.Reply {
	answer, err := v.answer(ctx, args)
	if err != nil {
		return responses.Fit(responses.Failure(err), viewedBytes, responses.Both)
	}
	return responses.Fit(&responses.Envelope{Success: true, Data: &answer}, viewedBytes, responses.JSON)
}

// viewedBytes bounds what a view is told.
const viewedBytes = 100_000

func (v views) answer(ctx context.Context, args json.RawMessage) (viewAnswer, error) {
	var q viewQuestion
	decoder := json.NewDecoder(bytes.NewReader(args))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&q); err != nil {
		return viewAnswer{}, fault.New(fault.InvalidParam, "reading what a view asks: %w", err)
	}
	s, err := v.doors.desk.Sessions.Get(q.Session)
	if err != nil {
		return viewAnswer{}, err
	}
	if q.Ref != 0 {
		inside, err := v.doors.desk.Inside(ctx, s, q.Ref, viewed)
		return viewAnswer{Values: inside.Values, Total: inside.Total}, err
	}
	link, err := v.doors.Page(ctx, s)
	return viewAnswer{Page: link}, err
}
