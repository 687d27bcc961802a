package native

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	godap "github.com/google/go-dap"

	"aidb-mcp/adapters"
)

// ask runs our own command in the debugger (scripts/aidb/debugger/{lldb,gdb}/command.py)
// and reads its answer.
func (d *common) ask(ctx context.Context, c adapters.Caller, answer any, question string, words ...any) error {
	return d.askIn(ctx, c, 0, answer, question, words...)
}

// askIn asks in a frame.
func (d *common) askIn(ctx context.Context, c adapters.Caller, frame int, answer any, question string, words ...any) error {
	command := "aidb " + question
	for _, w := range words {
		command += " " + shellQuote(fmt.Sprint(w))
	}
	var body godap.EvaluateResponseBody
	args := godap.EvaluateArguments{Expression: command, Context: d.commands, FrameId: frame}
	if err := c.Call(ctx, "evaluate", args, &body); err != nil {
		return err
	}
	return readAnswer(body.Result, question, answer)
}

// readAnswer reads what our command has printed, which is a line of its own: lldb-dap repeats
// the command before it, and what commands of the start still print comes around it.
func readAnswer(text, question string, answer any) error {
	reply := struct {
		Answer any    `json:"answer"`
		Error  string `json:"error"`
	}{Answer: answer}
	isAnswer := func(line string) bool {
		return strings.HasPrefix(line, `{"`) && json.Unmarshal([]byte(line), &reply) == nil
	}
	if !slices.ContainsFunc(strings.Split(text, "\n"), isAnswer) {
		return fmt.Errorf("the debugger cannot answer %s: %s", question, strings.TrimSpace(text))
	}
	if reply.Error != "" {
		return errors.New(reply.Error)
	}
	return nil
}

// shellQuote makes one word of a text, as Python's shlex reads it.
func shellQuote(text string) string {
	return `'` + strings.ReplaceAll(text, `'`, `'"'"'`) + `'`
}
