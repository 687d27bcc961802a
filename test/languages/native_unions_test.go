//go:build linux

package languages

import (
	"path/filepath"
	"testing"

	"aidb-mcp/internal/testkit"
)

const unions = `#include <stdio.h>
#include <stdlib.h>
#include <string.h>
typedef union { unsigned w[4]; unsigned char b[16]; char small[5]; } block_t;
typedef struct { int kind; union { int i; char s[8]; int grid[2][3]; } as; union { char anon[3]; short h; }; } value_t;
struct one { int n; char x[1]; };
struct flexible { int n; char x[]; };
int main(void) {
  block_t k; memset(&k, 0, sizeof k); strcpy(k.small, "abc");
  value_t v; memset(&v, 0, sizeof v); v.kind = 2; strcpy(v.as.s, "str"); strcpy(v.anon, "an");
  value_t *p = &v;
  struct one o = {1, {'q'}};
  struct flexible *f = (struct flexible *)malloc(sizeof *f + 8); f->n = 5; strcpy(f->x, "flexy");
  printf("%u %s %s %s %c %s\n", k.w[0], k.small, p->as.s, v.anon, o.x[0], f->x);
  printf("%u\n", k.w[1]);
  return 0;
}
`

// TestNativeUnions: the arrays of a union are as long as they are, though GCC
// gives them no place, and one of no known length is a text to its end.
func TestNativeUnions(t *testing.T) {
	t.Parallel()
	testkit.Adapters(t)
	dir := t.TempDir()
	write(t, filepath.Join(dir, "unions.c"), unions, 0o644)
	write(t, filepath.Join(dir, "unions.cpp"), unions, 0o644)
	for _, file := range []string{"unions.c", "unions.cpp"} {
		for _, debugger := range viewers() {
			t.Run(file+" "+debugger, func(t *testing.T) {
				t.Parallel()
				s := testkit.Start(t, testkit.Options{Dir: dir, Env: withGDB()})
				s.OK("session_start", A{
					"target": file, "adapter_options": A{"debugger": debugger}, "timeout_ms": startLimit,
					"breakpoints": []A{{"file": file, "line": 15}},
				}).Stopped("stopped_at_breakpoint", file+":15")
				for expression, want := range map[string]string{
					"k": `{w:{6513249, 0, 0, 0}, b:{97 'a', 98 'b', 99 'c', 0, 0, 0, 0, 0, 0, 0, 0, 0, ...}, small:"abc"}`, "k.small": `"abc"`, "k.w": "{6513249, 0, 0, 0}",
					"v":    `{kind:2, as:{i:7500915, s:"str", grid:{{7500915, 0, 0}, {0, 0, 0}}}, anon:"an", h:28257}`,
					"v.as": `{i:7500915, s:"str", grid:{{7500915, 0, 0}, {0, 0, 0}}}`, "p->as.s": `"str"`, "v.anon": `"an"`, "v.as.grid[1]": "{0, 0, 0}",
					"o": `{n:1, x:"q"}`, "*f": `{n:5, x:"flexy"}`, "f->x": `"flexy"`,
				} {
					s.OK("inspect", A{"expression": expression}).Want(want, "data", "result", "v")
				}
				s.OK("inspect", A{"expression": "k", "depth": 1}).Want("4", "data", "result", "children", "w", "n")
				s.OK("variable", A{"action": "set", "name": "k.w[1]", "value": "7"})
				s.OK("execute", nil).Contains([]string{"data", "output", "stdout"}, "7\n")
			})
		}
	}
}
