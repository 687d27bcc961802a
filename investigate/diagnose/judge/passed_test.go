package judge

import (
	"testing"

	"aidb-mcp/internal/text/exprsyntax"
)

// What a library could not take is named where it is surely that, and only there.
func TestPassed(t *testing.T) {
	text := map[string]string{"text": `'{"number": 1,}'`}
	for _, c := range []struct {
		language exprsyntax.Language
		stop     Stop
		values   map[string]string
		want     string
	}{
		{exprsyntax.Python, Stop{Statement: "number = int(text) + 1", Message: "ValueError: invalid literal for int() with base 10: 'seven'"}, map[string]string{"text": "'seven'"}, "text"},
		{exprsyntax.Python, Stop{Statement: "json.loads(text)", Message: "JSONDecodeError: Expecting property name", Library: true}, map[string]string{"text": text["text"], "json": "<module 'json' from 'x'>"}, "text"},
		{exprsyntax.Python, Stop{Statement: "json.loads(text)", Message: "JSONDecodeError: Expecting property name"}, text, ""},
		{exprsyntax.Python, Stop{Statement: "json.loads(text)", Message: "Expecting property name", Qualified: "json.decoder.JSONDecodeError"}, text, "text"},
		{exprsyntax.Python, Stop{Statement: "lines.append((name, Decimal(price), count))", Message: "[]", Qualified: "decimal.InvalidOperation"}, map[string]string{"name": "'bread'", "price": "'two'", "count": "1"}, "price"},
		{exprsyntax.Python, Stop{Statement: "conn.execute(sql)", Message: "ProgrammingError: it is closed", Library: true}, map[string]string{"sql": "'select 1'", "conn": "<Connection>"}, ""},
		{exprsyntax.Python, Stop{Statement: "copy(source, target)", Message: "FileNotFoundError: [Errno 2] No such file or directory: '/a/b'", Library: true}, map[string]string{"source": "'/a/b'", "target": "'/c'"}, "source"},
		{exprsyntax.Python, Stop{Statement: "copy(source, target)", Message: "OSError: no room", Library: true}, map[string]string{"source": "'/a/b'", "target": "'/c'"}, ""},
		{exprsyntax.Java, Stop{Statement: `if (!seen.contains(name)) throw new IllegalStateException("not seen yet: " + name);`, Type: "IllegalStateException", Message: "not seen yet: carol"}, map[string]string{"seen": "[ann, bob]", "name": `"carol"`}, ""},
		{exprsyntax.JavaScript, Stop{Statement: `if (n > 3) throw new Error(order.customer.name);`, Type: "TypeError", Message: "Cannot read properties of undefined (reading 'name')"}, map[string]string{"n": "4", "order": "{}", "order.customer": "undefined"}, "order.customer"},
		{exprsyntax.Python, Stop{Statement: "raise ValueError(text)", Message: "ValueError: seven"}, map[string]string{"text": "'seven'"}, ""},
		{exprsyntax.JavaScript, Stop{Statement: "const o = JSON.parse(text);", Message: "SyntaxError: Expected double-quoted property name in JSON at position 13"}, text, "text"},
		{exprsyntax.JavaScript, Stop{Statement: "const all = new Array(size);", Message: "RangeError: Invalid array length"}, map[string]string{"size": "-1"}, ""},
		{exprsyntax.Go, Stop{Statement: "re := regexp.MustCompile(expr)", Type: "panic", Message: "regexp: Compile(`a(`): error parsing regexp: missing closing )"}, map[string]string{"expr": `"a("`}, "expr"},
		{exprsyntax.Go, Stop{Statement: `t := template.Must(template.New("x").Parse(text))`, Type: "panic", Message: "template: x:1: unclosed action"}, map[string]string{"text": `"{{.T"`}, ""},
	} {
		parts := valued(c.language, c.stop.Statement, c.values)
		at, why := Culprit(known(c.language, c.stop, c.stop.Statement), parts)
		got := ""
		if at >= 0 {
			got = parts[at].Text
		}
		if got != c.want || at >= 0 && why == "" && got != "order.customer" {
			t.Errorf("%q: %q, %q; want %q", c.stop.Statement, got, why, c.want)
		}
	}
}
