package frame

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	for _, tt := range []struct {
		message string
		kind    Kind
		id      string
		method  string
	}{
		{`{"jsonrpc":"2.0","id":1,"method":"a"}`, Request, "1", "a"},
		{`{"jsonrpc":"2.0","id":18446744073709551615,"method":"a"}`, Request, "18446744073709551615", "a"},
		{`{"jsonrpc":"2.0","id":"x\"y","method":"a\u0062"}`, Request, `"x\"y"`, "ab"},
		{`{"jsonrpc":"2.0","id":"a\/\u0062<\u003e","method":"a"}`, Request, `"a/b<>"`, "a"},
		{`{"jsonrpc":"2.0","method":"a"}`, Notification, "", "a"},
		{`{"jsonrpc":"2.0","method":"a","ID":3,"Method":"b"}`, Notification, "", "a"},
		{`{"jsonrpc":"2.0","id":null,"method":"a"}`, Notification, "", "a"},
		{`{"jsonrpc":"2.0","id":"1","result":{}}`, Answer, `"1"`, ""},
		{`{"jsonrpc":"2.0","id":null,"error":{"code":1}}`, Answer, "", ""},
		{" {\"jsonrpc\" : \"2.0\" ,\n \"id\": -1 , \"error\" : { } } ", Answer, "-1", ""},
	} {
		f, err := Parse([]byte(tt.message))
		if err != nil {
			t.Errorf("%s: %v", tt.message, err)
			continue
		}
		if f.Kind() != tt.kind || string(f.ID()) != tt.id || f.Method() != tt.method {
			t.Errorf("%s: %v %s %s", tt.message, f.Kind(), f.ID(), f.Method())
		}
		if bytes.ContainsAny(f.Bytes(), "\r\n") {
			t.Errorf("%q has a line break", f.Bytes())
		}
	}
}

func TestParseRefuses(t *testing.T) {
	for message, want := range map[string]string{
		``:                                       "not JSON",
		`{"jsonrpc":"2.0"`:                       "not JSON",
		`{"jsonrpc":"2.0","id":1}{}`:             "not JSON",
		`[]`:                                     "one message at a time",
		`7`:                                      "neither",
		`{}`:                                     `jsonrpc must be "2.0"`,
		`{"jsonrpc":"2.0"}`:                      "neither",
		`{"jsonrpc":"2.0","id":1}`:               "neither",
		`{"jsonrpc":"2.0","result":{}}`:          "neither",
		`{"jsonrpc":"2.0","id":{},"method":"a"}`: "an id is a string or a number",
		`{"jsonrpc":"2.0","id":true,"method":"a"}`:                                                     "an id is a string or a number",
		`{"jsonrpc":"2.0","id":1,"method":7}`:                                                          "method must be a string",
		`{"jsonrpc":"2.0","id":1,"id":2,"method":"a"}`:                                                 `"id" stands in it twice`,
		`{"jsonrpc":"2.0","id":1,"\u0069d":2,"method":"a"}`:                                            `"id" stands in it twice`,
		`{"jsonrpc":"2.0","id":` + strings.Repeat("7", 2000) + `,"method":"a"}`:                        "an id may have 1024 bytes",
		`{"jsonrpc":"2.0","method":"a","params":{"name":"a","name":"b"}}`:                              `"name" stands in it twice`,
		`{"jsonrpc":"2.0","method":"a","params":{"_meta":{"progressToken":1,"\u0070rogressToken":2}}}`: `"progressToken" stands in it twice`,
	} {
		if _, err := Parse([]byte(message)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", message, err, want)
		}
	}
}

// A message with very many members is read no further than it may go, where we
// look into it, and passes where we do not.
func TestManyMembers(t *testing.T) {
	var many strings.Builder
	for i := range 300_000 {
		fmt.Fprintf(&many, `"k%d":1,`, i)
	}
	for message, refused := range map[string]bool{
		`{` + many.String() + `"jsonrpc":"2.0","id":1,"method":"a"}`:                                true,
		`{"jsonrpc":"2.0","id":1,"method":"a","params":{` + many.String() + `"x":1}}`:               true,
		`{"jsonrpc":"2.0","id":1,"method":"a","params":{"_meta":{` + many.String() + `"x":1}}}`:     true,
		`{"jsonrpc":"2.0","id":1,"method":"a","params":{"arguments":{` + many.String() + `"x":1}}}`: false,
		`{"jsonrpc":"2.0","id":1,"result":{` + many.String() + `"x":1}}`:                            false,
	} {
		f, err := Parse([]byte(message))
		if refused != (err != nil) || refused && !strings.Contains(err.Error(), "10000 members") {
			t.Errorf("%.90s: %v", message, err)
		}
		if !refused && f.Method() == "a" && string(f.Get("params", "arguments", "x")) != "1" {
			t.Errorf("%.90s: the last member is not found", message)
		}
	}
}

// What is read costs a small part of its size beside itself, and what is kept of
// it too.
func TestReadingIsCheap(t *testing.T) {
	const size = 16 << 20
	for what, message := range map[string]string{
		"numbers":       "[" + strings.Repeat("0,", size/2-1) + "0]",
		"arrays":        strings.Repeat("[", size/2) + strings.Repeat("]", size/2),
		"members":       "{" + strings.Repeat(`"a":0,`, size/6-1) + `"a":0}`,
		"empty objects": "[" + strings.Repeat("{},", size/3-1) + "{}]",
		"a method":      `{"jsonrpc":"2.0","id":1,"method":"` + strings.Repeat("x", size-50) + `"}`,
		"a token":       `{"jsonrpc":"2.0","id":1,"method":"a","params":{"_meta":{"progressToken":"` + strings.Repeat("x", size-100) + `"}}}`,
	} {
		text := []byte(message)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if several, ok := Batch(text, 100); ok && len(several) != 101 {
			t.Errorf("%s: %d of a batch", what, len(several))
		}
		if _, err := Parse(text); err == nil {
			t.Errorf("%s is a message", what)
		}
		runtime.ReadMemStats(&after)
		if cost := after.TotalAlloc - before.TotalAlloc; cost > 2<<20 {
			t.Errorf("%s: %d bytes cost %d more", what, len(text), cost)
		}
	}
	f, err := Parse(append([]byte(`{"jsonrpc":"2.0","id":1,"method":"a"}`), bytes.Repeat([]byte(" "), size)...))
	if err != nil || cap(f.Bytes()) > 4<<10 {
		t.Errorf("%v, %d bytes are kept", err, cap(f.Bytes()))
	}
}

func TestGetAndWith(t *testing.T) {
	const message = `{"x":1.10, "params" : {"_meta":{"token":18446744073709551615,"s":"}]\"{["},"list":[{"a":1},"]"]} ,"jsonrpc":"2.0","method":"m","id":7}`
	f, err := Parse([]byte(message))
	if err != nil {
		t.Fatal(err)
	}
	if got := f.Get("params", "_meta", "token"); string(got) != "18446744073709551615" {
		t.Errorf("token %s", got)
	}
	if got := f.Text("params", "_meta", "s"); got != `}]"{[` {
		t.Errorf("text %s", got)
	}
	if f.Get("params", "list", "a") != nil || f.Get("params", "none") != nil || f.Get("x", "y") != nil || f.Text("x") != "" {
		t.Error("found what is not there")
	}
	g := f.With([]byte(`"new"`), "id").With([]byte("3"), "params", "_meta", "token").With([]byte("0"), "params", "none")
	want := strings.NewReplacer(`"id":7`, `"id":"new"`, "18446744073709551615", "3").Replace(message)
	if string(g.Bytes()) != want || string(g.ID()) != `"new"` {
		t.Errorf("%s", g.Bytes())
	}
	if string(f.Bytes()) != message {
		t.Errorf("the frame itself has changed: %s", f.Bytes())
	}
}

func TestBatch(t *testing.T) {
	if several, ok := Batch([]byte(` [{"a":1}, 7] `), 2); !ok || len(several) != 2 || string(several[0]) != `{"a":1}` {
		t.Error(several, ok)
	}
	for _, message := range []string{``, `{}`, `[`, `[1,]`} {
		if _, ok := Batch([]byte(message), 2); ok {
			t.Errorf("%q is a batch", message)
		}
	}
}

func TestReader(t *testing.T) {
	r := NewReader(strings.NewReader("a\r\n\n"+strings.Repeat("x", 200_000)+"\n b \nlast"), 100_000)
	for _, want := range []string{"a", "", "too long", "b", "last"} {
		line, err := r.Next()
		if want == "too long" {
			if !errors.Is(err, ErrTooLong) {
				t.Errorf("%v, want %v", err, ErrTooLong)
			}
			continue
		}
		if string(line) != want || err != nil {
			t.Errorf("%q, %v, want %q", line, err, want)
		}
	}
	if _, err := r.Next(); !errors.Is(err, io.EOF) {
		t.Error(err)
	}
}

// Whatever is a message, its members are those that encoding/json finds.
func FuzzMembers(f *testing.F) {
	f.Add([]byte(`{"jsonrpc":"2.0","id":1,"method":"a","params":{"a":[1,{"b":"\\\""}],"c":null}}`))
	f.Add([]byte(`{"jsonrpc":"2.0","id":1,"result":1e400,"\u0061":{}}`))
	f.Fuzz(func(t *testing.T, message []byte) {
		frame, err := Parse(message)
		if err != nil {
			return
		}
		var want map[string]json.RawMessage
		if err := json.Unmarshal(frame.Bytes(), &want); err != nil {
			t.Fatal(err)
		}
		for _, m := range frame.top {
			if !bytes.Equal(frame.raw[m.from:m.to], want[m.name]) && !strings.ContainsRune(m.name, '\uFFFD') && json.Valid([]byte(`"`+m.name+`"`)) {
				t.Errorf("%q: %s, want %s", m.name, frame.raw[m.from:m.to], want[m.name])
			}
		}
	})
}

// Whatever is an array, its elements are those that encoding/json finds.
func FuzzBatch(f *testing.F) {
	f.Add([]byte(`[{"a":[1,"]"]}, 7 ,"\\\"",[]]`))
	f.Add([]byte(" [ ] "))
	f.Fuzz(func(t *testing.T, message []byte) {
		const most = 100
		several, ok := Batch(message, most)
		var want []json.RawMessage
		isArray := bytes.HasPrefix(bytes.TrimSpace(message), []byte("[")) && json.Unmarshal(message, &want) == nil
		if ok != isArray || len(several) != min(len(want), most+1) {
			t.Fatalf("%t with %d, want %t with %d", ok, len(several), isArray, len(want))
		}
		for i, element := range several {
			if !bytes.Equal(element, want[i]) {
				t.Errorf("element %d: %s, want %s", i, element, want[i])
			}
		}
	})
}

func BenchmarkParse(b *testing.B) {
	message := []byte(`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"inspect","arguments":{"expression":"` + strings.Repeat("x", 500) + `"},"_meta":{"progressToken":1}}}`)
	for b.Loop() {
		if _, err := Parse(message); err != nil {
			b.Fatal(err)
		}
	}
}
