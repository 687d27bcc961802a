package launch

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"

	"aidb-mcp/internal/mcp/client"
)

// input is what an entry asks its user for.
type input struct {
	ID          string         `json:"id"`
	Type        string         `json:"type"` // promptString, pickString, command
	Description string         `json:"description"`
	Default     *string        `json:"default"`
	Options     []optionOfPick `json:"options"`
	Command     string         `json:"command"`
	Password    bool           `json:"password"`
}

// optionOfPick is one to choose: a text, or one with a label.
type optionOfPick struct{ Label, Value string }

// UnmarshalJSON takes either form.
func (o *optionOfPick) UnmarshalJSON(b []byte) error {
	if json.Unmarshal(b, &o.Value) == nil {
		o.Label = o.Value
		return nil
	}
	var long struct{ Label, Value string }
	err := json.Unmarshal(b, &long)
	o.Label, o.Value = long.Label, long.Value
	return err
}

// input is the value of an input: what a person says, else its default.
func (v *variables) input(id string) (string, error) {
	if value, known := v.inputs[id]; known {
		return value, nil
	}
	for _, in := range v.scope.inputs {
		if in.ID != id {
			continue
		}
		value, err := v.ask(in)
		if err == nil {
			v.inputs[id] = value
		}
		return value, err
	}
	return "", v.invalid("uses ${input:%s}, and there is no input %q beside it", id, id)
}

func (v *variables) ask(in input) (string, error) {
	if in.Type == "command" {
		return "", v.command(in.Command)
	}
	if q, asks := v.question(in); asks && v.o.Ask != nil {
		said, err := v.o.Ask(q)
		switch {
		case err == nil:
			return v.answer(in, said)
		case !errors.Is(err, ErrUnasked):
			return "", err
		}
	}
	switch {
	case in.Default != nil:
		return v.expand(*in.Default)
	case in.Type == "pickString" && len(in.Options) > 0:
		return v.expand(in.Options[0].Value)
	}
	return "", v.invalid("asks its user for %s (${input:%s}), which has no default", cmp.Or(in.Description, in.ID), in.ID)
}

// question is what a person is asked for an input. Secrets are not asked for: what
// is asked passes through the client.
func (v *variables) question(in input) (q client.Question, asks bool) {
	q = client.Question{Key: "input " + in.ID, Message: fmt.Sprintf("aidb: %s asks for %s", v.entry, cmp.Or(in.Description, in.ID))}
	switch in.Type {
	case "pickString":
		for _, o := range in.Options {
			q.Choices = append(q.Choices, o.Label)
		}
		return q, len(q.Choices) > 1
	case "promptString":
		if q.Text = true; in.Default != nil {
			q.Message += fmt.Sprintf(" (usually %q)", *in.Default)
		}
		return q, !in.Password
	}
	return q, false
}

// answer is the value that an answer stands for.
func (v *variables) answer(in input, said string) (string, error) {
	for _, o := range in.Options {
		if o.Label == said {
			return v.expand(o.Value)
		}
	}
	return said, nil
}
