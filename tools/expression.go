package tools

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
)

// Expression is an expression of the program's language in the frame that
// stops, or "@1 expr" in that of the caller, "@2 expr" in that of its caller. It
// may be given as {"expression": "expr", "frame": 1} too.
type Expression string

var expressionType = reflect.TypeFor[Expression]()

// framedExpression is the long form of an Expression.
type framedExpression struct {
	Expression string `json:"expression"`
	Frame      int    `json:"frame"`
}

const wantExpression = `a text, or {"expression", "frame"}`

// expression decodes either form.
func (d decoder) expression(v value, into reflect.Value) error {
	if len(v.raw) == 0 || v.raw[0] != '{' {
		return d.plain(v, into)
	}
	var e framedExpression
	strict := json.NewDecoder(bytes.NewReader(v.raw))
	strict.DisallowUnknownFields()
	if strict.Decode(&e) != nil || e.Expression == "" || e.Frame < 0 || e.Frame > 99 {
		return wrongValueError(v, wantExpression, `{"expression": "order.id", "frame": 1}`)
	}
	text := e.Expression
	if e.Frame > 0 {
		text = fmt.Sprintf("@%d %s", e.Frame, text)
	}
	into.SetString(text)
	return nil
}

// Texts are expressions as the session reads them.
func Texts(list []Expression) []string {
	texts := make([]string, len(list))
	for i, e := range list {
		texts[i] = string(e)
	}
	return texts
}
