package handlers

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"aidb-mcp/internal/fault"
	"aidb-mcp/responses"
)

// Bytes of memory in one answer and in one row of it.
const (
	memoryLength = 128
	memoryRow    = 16
)

// memory shows bytes as hex and text, sixteen a row.
func (q *question) memory(ctx context.Context) (string, error) {
	at := q.Address
	if at == "" {
		at = q.Expression
	}
	if at == "" {
		return "", missing("address", "inspect(memory) needs address, or expression for what it points to",
			`for example {"target":"memory","address":"0xc000012340","length":64} or {"target":"memory","expression":"&buf[0]"}`)
	}
	length := q.Length
	if length == 0 {
		length = memoryLength
	}
	address, data, err := q.s.Memory(ctx, at, length)
	if err != nil {
		return "", err
	}
	base, err := strconv.ParseUint(strings.TrimPrefix(address, "0x"), 16, 64)
	if err != nil {
		return "", fmt.Errorf("read the address %q of memory: %w", address, err)
	}
	q.data.Address = hex(base)
	q.data.Memory = responses.NewList(dump(base, data), responses.Page{What: "rows of 16 bytes", More: func(row int) responses.Call {
		return q.call("inspect", "target", "memory", "address", hex(base+uint64(row*memoryRow)), "length", len(data)-row*memoryRow)
	}})
	said := fmt.Sprintf("%s at %s", responses.Plural(len(data), "byte"), q.data.Address)
	if len(data) < length {
		said += fmt.Sprintf(", of %d asked for: the rest cannot be read", length)
	}
	return said, nil
}

func hex(address uint64) string { return "0x" + strconv.FormatUint(address, 16) }

// dump is "0xc000012340  68 65 6c 6c 6f  hello", one line for each sixteen bytes.
func dump(base uint64, data []byte) []string {
	rows := []string{}
	for i := 0; i < len(data); i += memoryRow {
		row := data[i:min(len(data), i+memoryRow)]
		rows = append(rows, fmt.Sprintf("%s  %-*s  %s", hex(base+uint64(i)), 3*memoryRow-1, fmt.Sprintf("% x", row), printable(row)))
	}
	return rows
}

func printable(row []byte) string {
	text := make([]byte, len(row))
	for i, b := range row {
		if text[i] = b; b < ' ' || b > '~' {
			text[i] = '.'
		}
	}
	return string(text)
}

// streams are what output is kept of.
var streams = []string{"stdout", "stderr", "log"}

// output shows lines of what the program has printed: the last ones, or those
// from start on. expression picks one of the streams.
func (q *question) output() (string, error) {
	var said []string
	for _, name := range streams {
		if q.Expression != "" && q.Expression != name {
			continue
		}
		total, lost := q.stream(name)
		if name == "log" && total == 0 && q.Expression == "" {
			continue // most programs run without logpoints
		}
		said = append(said, fmt.Sprintf("%s of %s", responses.Plural(total, "line"), name))
		q.data.Lost += lost
	}
	if said == nil {
		return "", fault.New(fault.InvalidParam, "there is no stream %q", q.Expression).
			WithField("expression").WithHint("it is stdout, stderr or log (of logpoints), or left out for all")
	}
	return strings.Join(said, ", ") + q.matching(), nil
}

// stream shows one stream; the lines before those shown are named as omitted.
func (q *question) stream(name string) (total, lost int) {
	count := q.Count
	if count == 0 {
		count = linePage
	}
	start := q.Start
	if start == 0 && q.Count == 0 {
		start = -count
	}
	lines, total, lost := q.s.ReadOutput(name, start, count, q.Filter)
	if start < 0 {
		start = max(0, total+start)
	}
	page := func(from, count int) responses.Call {
		return q.call("inspect", "target", "output", "expression", name).With("filter", q.Filter).
			With("start", from).With("count", count)
	}
	list := responses.NewList(lines, responses.Page{What: name + " lines", Start: start, Total: total, More: func(from int) responses.Call { return page(from, count) }})
	if start > 0 {
		earlier := page(max(0, start-count), min(count, start))
		q.omitted = append(q.omitted, responses.Omission{What: "earlier " + name + " lines", Total: start, Get: &earlier})
	}
	if len(lines) == 0 {
		return total, lost
	}
	switch name {
	case "stdout":
		q.data.Stdout = list
	case "stderr":
		q.data.Stderr = list
	case "log":
		q.data.Log = list
	}
	return total, lost
}
