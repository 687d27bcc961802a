//go:build linux

package test

import (
	"testing"

	"aidb-mcp/internal/testkit"
)

// The entries of a map stand in one order, whoever has read them: the debugger, or the
// recorder of a second run.
func TestAMapHasOneOrder(t *testing.T) {
	t.Parallel()
	p := testkit.NewProgram(t, "")
	p.Write("main.go", `package main

func look(menu map[string]int, byNumber map[int]string) int {
	return len(menu) + len(byNumber)
}

func main() {
	println(look(map[string]int{"tea": 3, "coffee": 4, "cake": 5, "a": 1, "zz": 9}, map[int]string{10: "ten", 9: "nine", -1: "m", 100: "h"}))
}
`)
	const menu, byNumber = `["a": 1, "cake": 5, "coffee": 4, "tea": 3, "zz": 9]`, `[-1: "m", 9: "nine", 10: "ten", 100: "h"]`
	s := testkit.Start(t, testkit.Options{Dir: p.Dir})
	r := s.OK("session_start", A{"target": "main.go", "breakpoints": []A{{"file": "main.go", "line": 4}}})
	r.Want(menu, "data", "locals", "menu", "v").Want(byNumber, "data", "locals", "byNumber", "v")
	for range 2 {
		r := s.OK("trace", A{"target": "main.go", "what": "values", "location": "main.go:4", "expressions": []string{"menu", "byNumber"}})
		r.Want(menu, "data", "rows", "0", "1").Want(byNumber, "data", "rows", "0", "2")
	}
	s.OK("inspect", A{"expression": "menu", "depth": 1}).Has(`"children":{"\"a\"":`)
}
