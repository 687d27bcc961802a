package handlers

import (
	"context"
	"fmt"
	"strconv"
	"strings"

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
		return "", missingParam("address", "inspect(memory) needs address, or expression for what it points to",
			`for example {"target":"memory","address":"0xc000012340","length":64} or {"target":"memory","expression":"&buf[0]"}`)
	}
	length := q.Length
	if length == 0 {
		length = memoryLength
	}
	address, data, err := q.s.Stopped().Memory(ctx, at, length)
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
