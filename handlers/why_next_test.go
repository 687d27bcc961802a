package handlers

import (
	"fmt"
	"strings"
	"testing"

	"aidb-mcp/internal/text/exprsyntax"
	"aidb-mcp/tools"
)

func TestHolder(t *testing.T) {
	for expression, want := range map[string]string{
		"order.Items[1]": "order.Items", "a.b": "a", "m[k[1]]": "m", "p->next": "", "x": "", "f(a).b": "", "a + b.c": "", "rates[\"high\"]": "rates", "@rows[key]": "@rows", "this.#rows[0]": "this.#rows",
	} {
		if got := holder(expression); got != want {
			t.Errorf("%s is held by %q, not %q", expression, got, want)
		}
	}
}

// Neither what is written in a text is a part of an expression, nor a type, nor what calls.
func TestParts(t *testing.T) {
	for _, c := range []struct {
		language         exprsyntax.Language
		expression, want string
	}{
		{exprsyntax.Python, `g['b']['c'] + n`, "g['b']['c'] n"},
		{exprsyntax.Python, `rates["high"] * amount`, `rates["high"] amount`},
		{exprsyntax.JavaScript, `f('it\'s', o.total)`, "o.total"},
		{exprsyntax.Go, `x.(int)`, "x"},
		{exprsyntax.Go, `x.(*shop.Cart).items`, "x.(*shop.Cart)"},
		{exprsyntax.C, `(int)ratio + count`, "ratio count"},
		{exprsyntax.Rust, `total as u32`, "total"},
	} {
		var got []string
		for _, step := range partQuestions(&tools.WhyParams{Expression: tools.Expression(c.expression)}, c.language.Parts(c.expression)) {
			got = append(got, fmt.Sprint(step.Params[0].Value)) // expression is the first
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("the parts of %s are %q, want %s", c.expression, got, c.want)
		}
	}
}
