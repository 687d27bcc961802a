package jsonwords_test

import (
	"encoding/json"
	"strings"
	"testing"

	"aidb-mcp/internal/text/jsonwords"
)

func TestWhy(t *testing.T) {
	type inner struct {
		Line  int      `json:"line"`
		Name  string   `json:"name"`
		Ready *bool    `json:"ready"`
		Tags  []string `json:"tags"`
		Size  uint8    `json:"size"`
		Ratio float64  `json:"ratio"`
	}
	var into struct {
		Body inner `json:"body"`
	}
	for text, want := range map[string]string{
		`{"body":{"line":"7"}}`:   `"body.line" is a text, not a whole number`,
		`{"body":{"line":1.5}}`:   `"body.line" is the number 1.5, not a whole number`,
		`{"body":{"name":[]}}`:    `"body.name" is a list, not a text`,
		`{"body":{"name":7}}`:     `"body.name" is a number, not a text`,
		`{"body":{"ready":{}}}`:   `"body.ready" is an object, not true or false`,
		`{"body":{"tags":true}}`:  `"body.tags" is true or false, not a list`,
		`{"body":{"size":-1}}`:    `"body.size" is the number -1, not a whole number of 0 or more`,
		`{"body":{"ratio":"x"}}`:  `"body.ratio" is a text, not a number`,
		`{"body":7}`:              `"body" is a number, not an object`,
		`[]`:                      `it is a list, not an object`,
		`{"body":`:                `it is no JSON: unexpected end of JSON input (at byte 8)`,
		`{"body":{"line":tru}}`:   `it is no JSON: invalid character '}' in literal true (expecting 'e') (at byte 20)`,
		`{"body":{}} {"body":{}}`: `it is no JSON: invalid character '{' after top-level value (at byte 13)`,
	} {
		if got := jsonwords.Why(json.Unmarshal([]byte(text), &into)); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
	var data []byte
	if got := jsonwords.Why(json.Unmarshal([]byte(`"/dev/zero"`), &data)); got != "where bytes belong stands another text" {
		t.Errorf("bytes that are none: %s", got)
	}
	if got := jsonwords.Why(json.NewDecoder(strings.NewReader("")).Decode(&into)); got != "it ends before the JSON does" {
		t.Errorf("nothing at all: %s", got)
	}
}

func TestTexts(t *testing.T) {
	for document, want := range map[string]string{
		`{"a": ["b", 1, {"c": "d"}], "e": null}`: "a b c d e",
		`"alone"`:                                "alone",
		`{"cut": "off`:                           "cut",
		``:                                       "",
	} {
		if got := strings.Join(jsonwords.Texts([]byte(document)), " "); got != want {
			t.Errorf("%s: %s, want %s", document, got, want)
		}
	}
}
