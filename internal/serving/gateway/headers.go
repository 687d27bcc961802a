package gateway

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"mime"
	"net/http"
	"strconv"
	"strings"

	"aidb-mcp/internal/mcp/answer"
	"aidb-mcp/internal/mcp/frame"
)

func isJSON(contentType string) bool {
	kind, _, err := mime.ParseMediaType(contentType)
	return err == nil && kind == "application/json"
}

// accepts says whether a client takes a kind of content.
func accepts(r *http.Request, kind string) bool {
	family, _, _ := strings.Cut(kind, "/")
	for _, field := range r.Header.Values("Accept") {
		for part := range strings.SplitSeq(field, ",") {
			name, _, _ := strings.Cut(part, ";")
			if name = strings.ToLower(strings.TrimSpace(name)); name == kind || name == family+"/*" || name == "*/*" {
				return true
			}
		}
	}
	return false
}

// refuse answers with an error that belongs to no request. (A client takes a 404
// with the id of its call for the call's answer, and not for the session's end.)
func refuse(w http.ResponseWriter, status, code int, format string, args ...any) {
	writeMessage(w, status, answer.Error(nil, code, fmt.Sprintf(format, args...), nil))
}

func shorten(text string) string {
	const longest = 100
	if len(text) > longest {
		text = text[:longest] + "…"
	}
	return strings.ToValidUTF8(text, "?")
}

// problem is why a stateless request is not taken.
type problem struct {
	code    int
	message string
}

func mismatch(format string, args ...any) *problem {
	return &problem{codeHeaderMismatch, "header mismatch: " + fmt.Sprintf(format, args...)}
}

// named is where the methods that name something have the name.
var named = map[string]string{"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}

// capabilitiesPath is where each stateless request says what its client can.
var capabilitiesPath = []string{"params", "_meta", "io.modelcontextprotocol/clientCapabilities"}

func isObject(raw json.RawMessage) bool { return len(raw) > 0 && raw[0] == '{' }

// checkHeaders holds the headers of a stateless request against its body: who
// routes by the one and who acts on the other must see the same.
func checkHeaders(r *http.Request, f frame.Frame) *problem {
	revision := answer.Revision(f)
	header := r.Header.Get(revisionHeader)
	for name, values := range r.Header { // of two one reader takes the first and another the last
		if len(values) > 1 && strings.HasPrefix(name, "Mcp-") {
			return mismatch("%s is there twice", shorten(name))
		}
	}
	switch {
	case revision == "":
		return &problem{answer.CodeInvalidParams, `params._meta must have "io.modelcontextprotocol/protocolVersion"`}
	case !isObject(f.Get(capabilitiesPath...)):
		return &problem{answer.CodeInvalidParams, `params._meta must have "io.modelcontextprotocol/clientCapabilities", an object`}
	case header == "":
		return mismatch("%s is missing", revisionHeader)
	case header != revision:
		return mismatch("%s is %s, and the body says %s", revisionHeader, shorten(header), shorten(revision))
	}
	if method := r.Header.Get("Mcp-Method"); method != f.Method() {
		return mismatch("Mcp-Method is %q, and the body says %s", shorten(method), shorten(f.Method()))
	}
	member, has := named[f.Method()]
	if !has {
		return nil
	}
	name, ok := decode(r.Header.Get("Mcp-Name"))
	if !ok {
		return mismatch("Mcp-Name is not valid Base64")
	}
	if want := f.Text("params", member); name != want {
		return mismatch("Mcp-Name is %q, and the body says %s", shorten(name), shorten(want))
	}
	return nil
}

// decode reads a value that a header cannot hold as it is.
func decode(value string) (string, bool) {
	encoded, ok := strings.CutPrefix(value, "=?base64?")
	if !ok {
		return value, true
	}
	if encoded, ok = strings.CutSuffix(encoded, "?="); !ok {
		return value, true // it is a text that begins like one
	}
	decoded, err := base64.StdEncoding.DecodeString(encoded)
	return string(decoded), err == nil
}

// toolHeaders are the parameters of tools that clients repeat in headers.
type toolHeaders struct {
	of map[string][]paramHeader // by tool
}

type paramHeader struct {
	path   []string // below params.arguments
	header string
}

// schema is what is read of a tool's input schema.
type schema struct {
	Header     json.RawMessage   `json:"x-mcp-header"`
	Properties map[string]schema `json:"properties"`
}

func readToolHeaders(tools json.RawMessage) *toolHeaders {
	var list []struct {
		Name        string `json:"name"`
		InputSchema schema `json:"inputSchema"`
	}
	h := &toolHeaders{of: map[string][]paramHeader{}}
	var other *json.UnmarshalTypeError // a property may be just true or false, and the rest is read
	if err := json.Unmarshal(tools, &list); err != nil && !errors.As(err, &other) {
		return h
	}
	for _, tool := range list {
		h.collect(tool.Name, nil, tool.InputSchema.Properties)
	}
	return h
}

func (h *toolHeaders) collect(tool string, above []string, properties map[string]schema) {
	for name, property := range properties {
		path := append(above[:len(above):len(above)], name)
		var header string
		if json.Unmarshal(property.Header, &header) == nil && header != "" {
			h.of[tool] = append(h.of[tool], paramHeader{path, "Mcp-Param-" + header})
		}
		h.collect(tool, path, property.Properties)
	}
}

// check holds the headers of a call against its arguments.
func (h *toolHeaders) check(r *http.Request, f frame.Frame) *problem {
	for _, p := range h.of[f.Text("params", "name")] {
		argument := f.Get(append([]string{"params", "arguments"}, p.path...)...)
		written := r.Header.Get(p.header)
		what := strings.Join(p.path, ".")
		if argument == nil || string(argument) == "null" {
			if written != "" {
				return mismatch("%s is there, and the parameter %s is not", p.header, what)
			}
			continue
		}
		if written == "" {
			return mismatch("%s is missing, and the parameter %s is there", p.header, what)
		}
		value, ok := decode(written)
		if !ok {
			return mismatch("%s is not valid Base64", p.header)
		}
		if !says(value, argument) {
			return mismatch("%s is %q, and the parameter %s is %s", p.header, shorten(value), what, shorten(string(argument)))
		}
	}
	return nil
}

// says reports whether a header's text is a value of JSON: a string, a whole
// number that JavaScript holds exactly, true or false.
func says(text string, value json.RawMessage) bool {
	if value[0] == '"' {
		var s string
		return json.Unmarshal(value, &s) == nil && s == text
	}
	if string(value) == "true" || string(value) == "false" {
		return text == string(value)
	}
	a, okA := wholeNumber(text)
	b, okB := wholeNumber(string(value))
	return okA && okB && a == b
}

func wholeNumber(text string) (float64, bool) {
	const safe = 1<<53 - 1
	n, err := strconv.ParseFloat(text, 64)
	return n, err == nil && n == math.Trunc(n) && math.Abs(n) <= safe
}
