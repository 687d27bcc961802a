package handlers

import (
	"context"
	"fmt"
	"strings"

	"aidb-mcp/internal/text/brief"
	"aidb-mcp/responses"
	"aidb-mcp/session"
)

// Pages of stacks and threads.
const (
	stackPage    = 10
	maxStackPage = 100
	threadPage   = 10
	threadFrames = 5
)

// frames shows a page of a stack, one frame a line, so that the place of a
// frame in it is its number.
func (q *question) frames(ctx context.Context) (string, error) {
	start, count := max(0, q.Start), q.Count
	if count == 0 {
		count = stackPage
	}
	if q.Filter != "" {
		count = maxStackPage
	}
	frames, total, err := q.s.Stopped().Stack(ctx, q.ThreadID, start, min(count, maxStackPage))
	if err != nil {
		return "", err
	}
	lines := responses.FrameLines(q.show.frames(frames))
	if q.Filter != "" {
		lines = numberMatches(lines, start, q.Filter)
	}
	open := total == 0 && len(frames) > 0
	total = max(total, start+len(frames))
	q.data.Stack = responses.NewList(lines, responses.Page{What: "stack frames", Start: start, Total: total, Open: open, More: q.more})
	q.data.First = start
	if q.Filter != "" {
		q.data.First, q.data.Stack.Page = 0, responses.Page{}
		return fmt.Sprintf("%s matching %q", responses.Plural(len(lines), "frame"), q.Filter), nil
	}
	if open {
		return fmt.Sprintf("more than %d frames", total), nil
	}
	return responses.Plural(total, "frame"), nil
}

// numberMatches keeps the lines that contain the text and puts their numbers before them.
func numberMatches(lines []string, first int, text string) []string {
	kept := []string{}
	for i, line := range lines {
		if strings.Contains(line, text) {
			kept = append(kept, fmt.Sprintf("#%d %s", first+i, line))
		}
	}
	return kept
}

// threads shows what all threads do, those with the same stack as one row.
func (q *question) threads(ctx context.Context) (string, error) {
	all, err := q.s.Threads(ctx, q.Filter, threadFrames)
	if err != nil {
		return "", err
	}
	start, count := min(max(0, q.Start), len(all.Groups)), q.Count
	if count == 0 {
		count = threadPage
	}
	page := all.Groups[start:min(len(all.Groups), start+count)]
	rows := make([]responses.Thread, len(page))
	for i, g := range page {
		rows[i] = q.thread(g)
	}
	q.data.Threads = responses.NewList(rows, responses.Page{What: "groups of threads", Start: start, Total: len(all.Groups), More: q.more})
	q.data.System = all.System
	shown := 0
	for _, g := range all.Groups {
		shown += g.Count
	}
	q.data.Total = shown
	said := responses.Plural(shown, "thread") + q.matchingText()
	if len(all.Groups) != shown {
		said += fmt.Sprintf(" in %s of equal stacks", responses.Plural(len(all.Groups), "group"))
	}
	if all.System > 0 {
		said += fmt.Sprintf(", %d more of the runtime", all.System)
	}
	return said, nil
}

func (q *question) thread(g session.ThreadGroup) responses.Thread {
	row := responses.Thread{
		Current: g.Current, Name: g.Name, Waiting: g.Waiting, Object: g.Object, Tasks: g.Tasks, Labels: g.Labels,
	}
	if len(g.Frames) > 0 && g.Name == g.Frames[0].Function {
		row.Name = "" // the stack says so
	}
	for i, id := range g.IDs {
		if i == 0 {
			row.ID = responses.ID(id)
		} else {
			row.Others = append(row.Others, responses.ID(id))
		}
	}
	if g.Count > 1 {
		row.Count = g.Count
	}
	if g.Since > 0 {
		row.Waited = brief.Duration(g.Since)
	}
	row.Stack = q.stack(g.Frames, len(g.Frames), int(row.ID))
	return row
}
