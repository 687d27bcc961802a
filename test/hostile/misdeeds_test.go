package hostile

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"aidb-mcp/internal/testkit"
)

// misdeed is what an adapter does in place of the answer to one command.
type misdeed struct {
	name string
	at   string
	act  func(*adapter, *request)
}

// commands are all that the engine sends on the tour.
var commands = []string{
	"initialize", "launch", "setBreakpoints", "setFunctionBreakpoints", "setExceptionBreakpoints", "configurationDone",
	"threads", "stackTrace", "scopes", "variables", "evaluate", "setVariable", "setExpression", "exceptionInfo",
	"readMemory", "disassemble", "modules", "dataBreakpointInfo", "setDataBreakpoints", "gotoTargets", "goto",
	"continue", "next", "stepIn", "stepOut", "pause", "disconnect",
}

// lie is a body in place of the true one.
func lie(name string, of func(body any) any) misdeed {
	return misdeed{name: name, act: func(a *adapter, r *request) {
		if r.command == "launch" {
			a.event("initialized", nil)
		}
		a.reply(r, of(r.body))
		a.follow(r)
	}}
}

// each changes every leaf of a value.
func each(change func(leaf any) any) func(any) any {
	var walk func(any) any
	walk = func(v any) any {
		switch v := v.(type) {
		case O:
			out := O{}
			for key, member := range v {
				out[key] = walk(member)
			}
			return out
		case L:
			out := make(L, len(v))
			for i, element := range v {
				out[i] = walk(element)
			}
			return out
		}
		return change(v)
	}
	return walk
}

// ofKind changes the leaves of one type.
func ofKind[T any](with any) func(any) any {
	return each(func(leaf any) any {
		if _, ok := leaf.(T); ok {
			return with
		}
		return leaf
	})
}

// lists changes every list.
func lists(change func(L) any) func(any) any {
	var walk func(any) any
	walk = func(v any) any {
		switch v := v.(type) {
		case O:
			out := maps.Clone(v)
			for key, member := range v {
				out[key] = walk(member)
			}
			return out
		case L:
			return change(v)
		}
		return v
	}
	return walk
}

func instead(of any) func(any) any { return func(any) any { return of } }

// escapes move the cursor, name the window, hide text and turn it round.
const escapes = "\x1b[31mred\x1b[0m\x1b]0;title\x07\x1b[2J\u009b31m\u202eevil\u2066\u0000\u0007\u2028end\r\x7f"

// lies are wrong bodies.
var lies = []misdeed{
	lie("no body", instead(nil)),
	lie("a list", instead(L{1, "x", nil})),
	lie("an empty list", instead(L{})),
	lie("a text", instead("sorry")),
	lie("a number", instead(-7)),
	lie("true", instead(true)),
	lie("an empty object", instead(O{})),
	lie("nulls", each(instead(nil))),
	lie("texts for numbers", ofKind[int]("12")),
	lie("numbers for texts", ofKind[string](12)),
	lie("objects for leaves", each(instead(O{"a": 1}))),
	lie("negative numbers", ofKind[int](-1)),
	lie("zeroes", ofKind[int](0)),
	lie("huge numbers", ofKind[int](json.RawMessage("1e300"))),
	lie("large numbers", ofKind[int](int64(1)<<62)),
	lie("numbers of 31 bits", ofKind[int](1<<31-1)),
	lie("fractions", ofKind[int](1.5)),
	lie("empty texts", ofKind[string]("")),
	lie("escape sequences", ofKind[string](escapes)),
	lie("devices", ofKind[string]("/dev/zero")),
	lie("long texts", ofKind[string](strings.Repeat("long ", testkit.Rounds(1000, 4000)))),
	lie("false", ofKind[bool](false)),
	lie("words for truth", ofKind[bool]("yes")),
	lie("empty lists", lists(func(L) any { return L{} })),
	lie("lists of null", lists(func(L) any { return L{nil} })),
	lie("objects for lists", lists(func(l L) any { return O{"0": l} })),
	lie("lists too long", lists(func(l L) any { return slices.Repeat(l, testkit.Rounds(100, 500)) })),
	lie("lists too short", lists(func(l L) any { return l[:min(1, len(l))] })),
}

// refuses fails the request with this envelope.
func refuses(name string, with O) misdeed {
	return misdeed{name: name, act: func(a *adapter, r *request) {
		m := O{"type": "response", "request_seq": r.seq, "command": r.command, "success": false}
		maps.Copy(m, with)
		a.send(m)
	}}
}

// before does something and then answers honestly. It does so a few times only:
// where a question follows from what it does, time would never pass.
func before(name string, act func(*adapter, *request)) misdeed {
	const times = 5
	return misdeed{name: name, act: func(a *adapter, r *request) {
		if a.done++; a.done <= times {
			act(a, r)
		}
		a.honest(r)
	}}
}

// raw writes bytes and then answers honestly.
func raw(name, text string) misdeed {
	return before(name, func(a *adapter, _ *request) { a.write([]byte(text)) })
}

// manners are wrong ways to answer.
var manners = []misdeed{
	refuses("refused without a word", nil),
	refuses("refused with null", O{"message": nil, "body": nil}),
	refuses("refused with a number", O{"message": 7, "body": O{"error": 7}}),
	refuses("refused with lists", O{"message": L{}, "body": L{O{"error": O{}}}}),
	refuses("refused with an odd format", O{"body": O{"error": O{"id": "x", "format": "{a} {b} %s %d", "variables": O{"a": O{}}}}}),
	refuses("refused with escape sequences", O{"message": escapes, "body": O{"error": O{"format": escapes}}}),
	refuses("refused at length", O{"message": strings.Repeat("no ", 5000)}),
	refuses("success is a text", O{"success": "true"}),
	{name: "never answers", act: func(*adapter, *request) {}},
	{name: "answers twice", act: func(a *adapter, r *request) { a.honest(r); a.reply(r, L{}) }},
	{name: "answers with another command", act: func(a *adapter, r *request) {
		a.send(O{"type": "response", "request_seq": r.seq, "command": "sing", "success": true, "body": r.body})
		a.follow(r)
	}},
	{name: "the number is a text", act: func(a *adapter, r *request) {
		a.send(O{"type": "response", "request_seq": "one", "command": r.command, "success": true})
	}},
	{name: "all messages have number 0", act: func(a *adapter, r *request) {
		a.send(O{"seq": 0, "type": "response", "request_seq": r.seq, "command": r.command, "success": true, "body": r.body})
		a.follow(r)
	}},
	{name: "an envelope of lists", act: func(a *adapter, r *request) { a.send(L{O{"type": "response", "request_seq": r.seq}}) }},
	before("answers to nothing", func(a *adapter, _ *request) {
		a.send(O{"type": "response", "request_seq": 999_999, "success": true})
		a.send(O{"type": "response", "request_seq": -1, "success": true})
		a.send(O{"type": "response", "success": false})
	}),
	{name: "dies", act: func(a *adapter, _ *request) { a.out.Close() }},
	{name: "half a message", act: func(a *adapter, _ *request) { a.write([]byte("Content-Length: 5000\r\n\r\n{\"seq\":1,")) }},
	{name: "half a message, then dies", act: func(a *adapter, _ *request) {
		a.write([]byte("Content-Length: 5000\r\n\r\n{\"seq\":1,"))
		a.out.Close()
	}},
	{name: "too little announced", act: func(a *adapter, _ *request) {
		a.write([]byte("Content-Length: 3\r\n\r\n{\"seq\":1,\"type\":\"event\"}"))
	}},
	{name: "a gigabyte announced", act: func(a *adapter, _ *request) { a.write([]byte("Content-Length: 1073741824\r\n\r\n{}")) }},
	raw("garbage", "Segmentation fault\x00\xff\xfe\r\n\r\n"),
	raw("a header without a number", "Content-Length: many\r\n\r\n"),
	raw("a negative length", "Content-Length: -5\r\n\r\n{}"),
	raw("a length that overflows", "Content-Length: 99999999999999999999999\r\n\r\n{}"),
	raw("a huge header", "Content-Length: 2\r\nX: "+strings.Repeat("x", 200_000)+"\r\n\r\n{}"),
	raw("a body that is no JSON", "Content-Length: 5\r\n\r\n{{{{{"),
	raw("deep JSON", "Content-Length: 20000\r\n\r\n"+strings.Repeat("[", 20_000)),
}
