//go:build linux

package test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"aidb-mcp/internal/testkit"
)

// value asks for one expression and returns its reply.
type value struct {
	V        string
	T        string
	Ref, N   int
	Len      int
	Children map[string]value
}

func TestBigValues(t *testing.T) {
	t.Parallel()
	s, _ := testkit.OpenAt(t, "values", "big")
	stop := s.OK("inspect", nil)
	if len(stop.Text) > 8000 {
		t.Errorf("locals take %d bytes", len(stop.Text))
	}
	stop.Has("million", "1000000").Want("1000000", "data", "locals", "million", "n")
	if stop.At("data", "locals", "text", "len") != "1000000" {
		t.Errorf("a cut string does not tell its length:\n%s", stop)
	}
	stop.Want("10000", "data", "locals", "many", "n")
	stop.Contains([]string{"data", "locals", "lines", "v"}, `\"quoted\"`, "ünïcode 🙂")

	s.OK("inspect", A{"expression": "million[999999]"}).Want("999998000001", "data", "result", "v")
	r := s.OK("inspect", A{"expression": "million", "start": 500_000, "count": 3})
	r.Has("250000000000", "250001000001", "250002000004").Lacks("250003000009")
	s.OK("inspect", A{"expression": `many["key-09999"]`}).Want("9999", "data", "result", "v")
	s.OK("inspect", A{"expression": "text[999990:1000000]"}).Contains([]string{"data", "result", "v"}, "0123456789")
	r = s.OK("inspect", A{"expression": "len(text)"}).Want("1000000", "data", "result", "v")
	s.OK("inspect", A{"expression": "bytes"}).Has(`114,97,119`)
	s.OK("inspect", A{"expression": "string(bytes)"}).Has(`raw `)
	s.OK("inspect", A{"expression": "many", "count": 100, "max_bytes": 4000}).Has("omitted")
	_ = r
}

// Whatever a limit cut is named with the call that gets the rest, and that call does.
func TestOmittedCallsWork(t *testing.T) {
	t.Parallel()
	s, _ := testkit.OpenAt(t, "values", "big")
	for _, call := range []A{
		{"expression": "million"}, {"expression": "many"}, {"expression": "text"},
		{"target": "locals", "depth": 1, "max_bytes": 1000}, {"target": "globals"}, {"target": "modules"},
		{"target": "disassembly", "count": 200}, {"target": "registers", "max_bytes": 1000},
	} {
		r := s.OK("inspect", call)
		if n := len(r.Text); n > max(8000, 0) {
			t.Errorf("%v: %d bytes", call, n)
		}
		var omitted []struct {
			What         string
			Shown, Total int
			Get          *struct {
				Tool   string
				Params map[string]any
			}
		}
		r.Decode(&omitted, "omitted")
		for _, o := range omitted {
			if o.Get == nil {
				t.Errorf("%v: no call gets the rest of %s:\n%s", call, o.What, r)
				continue
			}
			rest := s.OK(o.Get.Tool, o.Get.Params)
			if rest.Text == r.Text {
				t.Errorf("%v: the call for the rest of %s says the same again:\n%s", call, o.What, rest)
			}
		}
	}
	s.OK("inspect", A{"expression": "million"}).Has(`"omitted"`)
}

// Paging through a list by following "omitted" meets every element once.
func TestPagingMeetsEverything(t *testing.T) {
	t.Parallel()
	s, _ := testkit.OpenAt(t, "values", "shapes")
	s.OK("inspect", A{"expression": "grid", "depth": 2}).Has("1", "6")
	seen := map[string]bool{}
	params := map[string]any{"expression": "runtime.buildVersion"}
	s.OK("inspect", params)
	params = map[string]any{"target": "stack"}
	s.OK("inspect", params).Has("main.shapes", "main.main")

	deep, _ := testkit.OpenAt(t, "deep", "bottom")
	params = map[string]any{"target": "stack", "count": 100}
	for page := 0; page < 12 && params != nil; page++ {
		r := deep.OK("inspect", params)
		var frames []string
		r.Decode(&frames, "data", "stack")
		for i := range frames {
			seen[fmt.Sprint(r.Int("data", "first_frame")+i)] = true
		}
		var omitted []struct {
			Get *struct{ Params map[string]any }
		}
		r.Decode(&omitted, "omitted")
		params = nil
		if len(omitted) > 0 && omitted[0].Get != nil {
			params = omitted[0].Get.Params
		}
	}
	if len(seen) < 500 {
		t.Errorf("paging through the stack met only %d frames", len(seen))
	}
}

func TestDeepRecursion(t *testing.T) {
	t.Parallel()
	p := testkit.NewProgram(t, "deep")
	s := testkit.Start(t, testkit.Options{Dir: p.Dir, Args: []string{"--request-timeout", "2m"}}) // Delve reads 9,000 frames at once, which takes long on a full machine
	r := s.OK("session_start", A{"target": ".", "breakpoints": p.BreakAt("bottom")})
	r.Stopped("stopped_at_breakpoint", p.At("main.go", "bottom"))
	if len(r.Text) > 3000 {
		t.Errorf("the stop of a deep stack takes %d bytes:\n%s", len(r.Text), r)
	}
	r.Has("omitted")
	s.OK("inspect", A{"expression": "depth", "frame": 9000}).Want("9000", "data", "result", "v")
	s.Fail("INVALID_FRAME", "inspect", A{"expression": "depth", "frame": 20000}).Has("20000")
	s.OK("step", A{"action": "out"}).Want("main.descend", "data", "function")
}

func TestShapes(t *testing.T) {
	t.Parallel()
	s, _ := testkit.OpenAt(t, "values", "shapes")
	var locals map[string]value
	r := s.OK("inspect", A{"target": "locals", "max_bytes": 40000})
	r.Decode(&locals, "data", "locals")
	for name, want := range map[string][2]string{ // part of the value, part of the type
		"cyclic":    {"", "*main.tree"},
		"nested":    {"level 12", "*main.level"},
		"list":      {"len: 4", "[]main.shape"},
		"anything":  {"three", ""},
		"numbers":   {"1.5", "main.stack[float64]"},
		"words":     {"", "map[string]main.stack[string]"},
		"messages":  {"2/4", "chan string"},
		"nilCircle": {"nil", "*main.circle"},
		"empty":     {"nil", "main.shape"},
		"add":       {"main.shapes.func1", "func(int) int"},
		"when":      {"2026-02-03T04:05:06", "time.Time"},
		"wait":      {"90000000000", "time.Duration"},
		"err":       {"outer", "error"},
		"state":     {"on (1)", "main.mode"},
		"huge":      {"18446744073709551615", "uint64"},
		"small":     {"-9223372036854775808", "int64"},
		"ratio":     {"Inf", "float64"},
		"symbol":    {"252", "int32"},
		"point":     {"1", "complex128"},
		"version":   {"user data", "string"},
		"success":   {"false", "bool"},
	} {
		got, ok := locals[name]
		if !ok {
			t.Errorf("no local %s", name)
			continue
		}
		if !strings.Contains(got.V, want[0]) || !strings.Contains(got.T, want[1]) {
			t.Errorf("%s is %q (%s), want %q (%s)", name, got.V, got.T, want[0], want[1])
		}
	}
	s.OK("inspect", A{"expression": "cyclic.Left.Parent.Left.Value"}).Want("7", "data", "result", "v")
	s.OK("inspect", A{"expression": "nested", "depth": 3}).Has("level 12", "level 11")
	s.OK("inspect", A{"expression": "nested.Next.Next.Next.Name"}).Has("level 9")
	s.OK("inspect", A{"expression": "list[0].Side"}).Has("3")
	s.OK("inspect", A{"expression": "list[1]", "depth": 2}).Has("Radius")
	s.OK("inspect", A{"expression": "anything", "depth": 2}).Has("three", "Value")
	s.OK("inspect", A{"expression": `words["a"].Items[1]`}).Want(`"y"`, "data", "result", "v")
	s.OK("inspect", A{"expression": "grid[1][2]"}).Want("6", "data", "result", "v")
	s.OK("inspect", A{"target": "globals"}).Want("42", "data", "globals", "total", "v")
}

// A reference opens a value further, and is refused once the program has resumed.
func TestReferences(t *testing.T) {
	t.Parallel()
	s, _ := testkit.OpenAt(t, "values", "shapes")
	ref := s.OK("inspect", A{"expression": "cyclic"}).Int("data", "result", "ref")
	if ref <= 0 {
		t.Fatal("no reference")
	}
	s.OK("inspect", A{"target": "object", "ref": ref}).Has("Left", "Parent")
	s.OK("inspect", A{"ref": fmt.Sprint(ref)}).Has("Left", "Parent") // the target is plain
	s.OK("step", nil)
	s.Fail("STALE_REFERENCE", "inspect", A{"target": "object", "ref": ref}).Has("expression")
	s.Fail("STALE_REFERENCE", "inspect", A{"target": "object", "ref": 987654})
	s.OK("inspect", A{"expression": "cyclic"}).Has("Left")
}

func TestSetVariable(t *testing.T) {
	t.Parallel()
	s, p := testkit.OpenAt(t, "calls", "nested")
	s.OK("variable", A{"action": "set", "name": "count", "value": "100"}).Want("100", "data", "result", "v").Want("6", "data", "was")
	s.OK("variable", A{"action": "write", "name": "p.X", "value": "-5"}).Want("-5", "data", "result", "v")
	s.OK("variable", A{"action": "set", "name": "name", "value": `"changed"`}).Want(`"changed"`, "data", "result", "v")
	s.OK("variable", A{"expression": "name"}).Want(`"changed"`, "data", "result", "v")
	s.OK("variable", A{"action": "set", "name": "count", "value": "9007199254740993"}).Want("9007199254740993", "data", "result", "v")
	s.OK("variable", A{"action": "set", "name": "count", "value": 9007199254740993}).Want("9007199254740993", "data", "result", "v")
	s.OK("variable", A{"action": "set", "name": "count", "value": "100"})
	s.Fail("VARIABLE_SET_FAILED", "variable", A{"action": "set", "name": "count", "value": `"text"`})
	if r := s.Call("variable", A{"action": "set", "name": "nosuch", "value": "1"}).Has("nosuch"); !r.IsError {
		t.Errorf("setting nothing succeeded:\n%s", r)
	}
	s.OK("execute", nil).Has(" 100 197 {5 2}")
	_ = p
}

func TestMemoryRegistersDisassembly(t *testing.T) {
	t.Parallel()
	s, _ := testkit.OpenAt(t, "values", "big")
	registers := s.OK("inspect", A{"target": "registers"}).Has("0x")
	var regs map[string]value
	registers.Decode(&regs, "data", "registers")
	pc := ""
	for name, v := range regs {
		if n := strings.ToLower(name); n == "rip" || n == "pc" {
			pc = v.V
		}
	}
	if pc == "" {
		t.Fatalf("no program counter:\n%s", registers)
	}
	s.OK("inspect", A{"target": "disassembly"}).Has("MOV", "main.go")
	s.OK("inspect", A{"target": "disassembly", "address": strings.Fields(pc)[0], "count": 4})
	s.OK("inspect", A{"target": "disassembly", "location": "main.main", "count": 5}).Has("main.go")
	memory := s.OK("inspect", A{"target": "memory", "expression": "bytes", "length": 16}).Has("72 61 77 20 00 01 ff")
	address := memory.At("data", "address")
	if !strings.HasPrefix(address, "0x") {
		t.Errorf("an address is %q, want a string of hex digits", address)
	}
	s.OK("inspect", A{"target": "memory", "address": address, "length": 4}).Has("72 61 77 20")
	s.Call("inspect", A{"target": "memory", "address": "0x10", "length": 4}).Has("0x10")
	s.OK("inspect", A{"target": "modules"}).Has("values")
	s.OK("inspect", A{"target": "source", "location": "main.go:1"}).Has("package main")
	s.OK("inspect", A{"target": "all"}).Has("million", "main.big")
}

// 64-bit numbers pass unharmed on the wire, both ways.
func TestNumbersKeepTheirDigits(t *testing.T) {
	t.Parallel()
	s, _ := testkit.OpenAt(t, "values", "shapes")
	s.OK("inspect", A{"expression": "huge"}).Want("18446744073709551615", "data", "result", "v")
	s.OK("inspect", A{"expression": "huge - 1"}).Want("18446744073709551614", "data", "result", "v")
	s.OK("inspect", A{"expression": "small"}).Want("-9223372036854775808", "data", "result", "v")
	const large = "9007199254740993" // 2^53 + 1
	r := s.Call("inspect", A{"target": "stack", "thread_id": json.RawMessage(large)})
	r.Has(large)
	s.Call("inspect", A{"target": "stack", "thread_id": large}).Has(large)
}
