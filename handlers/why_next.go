package handlers

import (
	"fmt"
	"slices"
	"strings"

	"aidb-mcp/internal/text/exprsyntax"
	"aidb-mcp/internal/text/pattern"
	"aidb-mcp/investigate/evidence"
	"aidb-mcp/investigate/origin/flow"
	"aidb-mcp/responses"
	"aidb-mcp/session"
	"aidb-mcp/tools"
)

var wholeNumber = pattern.New(`^-?\d+$`)

// nextQuestions are the questions that go on where the chain ends: at the values that its
// last statement has read, when it was not one of them that was carried on.
func nextQuestions(p *tools.WhyParams, s *session.Session, chain []evidence.Finding[flow.Step]) []responses.NextStep {
	if len(chain) == 0 || len(chain) == p.Steps {
		return nil
	}
	last, _ := chain[len(chain)-1].Get()
	const most = 2
	var next []responses.NextStep
	if first, _ := chain[0].Get(); first.Kind == flow.Unseen && first.Since != "" && first.Function != "" {
		params := append([]any{"what", "lines", "function", first.Function, "expressions", []string{string(p.Expression)}}, startFields(&p.Start)...)
		next = append(next, responses.NewCall("trace", params...).Why("the line after which it is another"))
	}
	for _, o := range last.Operands {
		if o.Value.Place == "" || len(next) == most {
			continue
		}
		params := append(startFields(&p.Start), "expression", o.Name, "location", s.RelAt(last.At))
		if wholeNumber.MatchString(o.Value.Text) {
			params = append(params, "condition", o.Name+" == "+o.Value.Text)
		}
		next = append(next, responses.NewCall("why", params...).Why(fmt.Sprintf("%s went into it", o.Name)))
	}
	return next
}

// partQuestions are the questions about those parts of an expression that is computed which are
// no calls: the longest of them.
func partQuestions(p *tools.WhyParams, parts []exprsyntax.Part) []responses.NextStep {
	asked := strings.TrimSpace(string(p.Expression))
	parts = slices.DeleteFunc(slices.Clone(parts), func(o exprsyntax.Part) bool { return o.Calls || o.Text == asked })
	var steps []responses.NextStep
	for _, part := range parts {
		longer := slices.ContainsFunc(parts, func(o exprsyntax.Part) bool {
			return len(o.Text) > len(part.Text) && strings.HasPrefix(o.Text, part.Text)
		})
		if !longer && len(steps) < 2 {
			steps = append(steps, whyCall(p, part.Text).Why("it is a part of it"))
		}
	}
	return steps
}

// whyCall is the same question of another expression.
func whyCall(p *tools.WhyParams, expression string) responses.Call {
	params := append(startFields(&p.Start), "expression", expression)
	if p.Location != "" {
		params = append(params, "location", p.Location)
	}
	if p.Condition != "" {
		params = append(params, "condition", string(p.Condition))
	}
	if p.Frame > 0 {
		params = append(params, "frame", p.Frame)
	}
	return responses.NewCall("why", params...)
}

// holder is what an expression names a member or an element of; empty when of nothing.
func holder(expression string) string {
	end := len(expression) - 1
	if end > 0 && expression[end] == ']' {
		for depth := 0; end >= 0; end-- {
			switch expression[end] {
			case ']':
				depth++
			case '[':
				depth--
			}
			if depth == 0 {
				break
			}
		}
	} else {
		end = strings.LastIndexByte(expression, '.')
	}
	if end <= 0 || !reference.MatchString(expression[:end]) {
		return ""
	}
	return expression[:end]
}

// reference matches a name with members and plain elements.
var reference = pattern.New(`^[@$]{0,2}[\pL_][\pL\pN_$]*(?:(?:\.|->)#?[\pL_][\pL\pN_$]*|\[[^\]]*\])*$`)

// startFields are the fields of a start as names and values in turn.
func startFields(p *tools.Start) []any {
	var fields []any
	for _, f := range []struct {
		name, value string
	}{{"target", p.Target}, {"test", p.Test}, {"cwd", p.Cwd}, {"mode", p.Mode}, {"language", p.Language}} {
		if f.value != "" {
			fields = append(fields, f.name, f.value)
		}
	}
	if p.Args != nil {
		fields = append(fields, "args", p.Args)
	}
	if p.Env != nil {
		fields = append(fields, "env", p.Env)
	}
	if p.Stdin != nil {
		fields = append(fields, "stdin", *p.Stdin)
	}
	if len(p.More) > 0 {
		fields = append(fields, "start", p.More)
	}
	return fields
}
