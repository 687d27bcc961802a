package handlers

import (
	"fmt"
	"strings"
	"testing"

	"aidb-mcp/tools"
)

func TestHolder(t *testing.T) {
	for expression, want := range map[string]string{
		"order.Items[1]": "order.Items", "a.b": "a", "m[k[1]]": "m", "p->next": "", "x": "", "f(a).b": "", "a + b.c": "", "rates[\"high\"]": "rates",
	} {
		if got := holder(expression); got != want {
			t.Errorf("%s is held by %q, not %q", expression, got, want)
		}
	}
}

// What is written in a text of an expression is no part of it.
func TestParts(t *testing.T) {
	for expression, want := range map[string]string{
		`g['b']['c'] + n`: "g n", `rates["high"] * amount`: "rates amount", `f('it\'s', o.total)`: "o.total",
	} {
		var got []string
		for _, step := range partQuestions(&tools.WhyParams{Expression: tools.Expression(expression)}) {
			got = append(got, fmt.Sprint(step.Params[0].Value)) // expression is the first
		}
		if strings.Join(got, " ") != want {
			t.Errorf("the parts of %s are %q, want %s", expression, got, want)
		}
	}
}
