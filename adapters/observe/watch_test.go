//go:build linux && amd64

package observe

import (
	"errors"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"aidb-mcp/internal/recording/live"
)

// counter is a program that writes words; mark is a part of the line that writes written.
func counter(language, mark string) program {
	build := map[string][]string{
		"c":   {"gcc", "-g", "-O0", "-pthread", "-o", "OUT", "FILE"},
		"cpp": {"g++", "-std=c++17", "-g", "-O0", "-pthread", "-o", "OUT", "FILE"},
		"rs":  {"rustc", "-g", "-o", "OUT", "FILE"},
		"go":  {"go", "build", "-o", "OUT", "FILE"},
	}
	return program{source: "counter", language: language, build: build[language], mark: mark}
}

// number is a value of a row as a number.
func number(t *testing.T, v live.Value) int {
	t.Helper()
	n, err := strconv.Atoi(strings.Fields(v.Text + " ")[0])
	if err != nil || v.Missing != "" {
		t.Fatalf("%+v is no number", v)
	}
	return n
}

// begins waits until a program that was just started has set the pointers that lead to a word.
func begins(t *testing.T, pid int, written string) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); ; {
		w, err := findWatch(pid, written)
		if err == nil {
			err = w.image.Close()
		}
		if err == nil {
			return
		}
		if !strings.Contains(err.Error(), "is nil now") || time.Now().After(end) {
			t.Fatal(err)
		}
	}
}

// All writes to a word are seen, each once, with the line, the value before and that after;
// those of processes that it forks are not among them.
func TestWrites(t *testing.T) {
	for _, c := range []struct {
		language, written, mark, function string
		step                              int
	}{
		{"c", "ticks", "/* ticks */", "tick", 1},
		{"c", "head->count", "/* count */", "tick", -3},
		{"c", "made", "/* made */", "calls", 1},
		{"c", "calls::made", "/* made */", "calls", 1},
		{"c", "born", "/* born */", "live", 1},
		{"cpp", "Counter::ticks", "// ticks", "shop::Counter::tick", 1},
		{"cpp", "head->count", "// count", "shop::Counter::tick", 2},
		{"cpp", "born", "// born", "shop::live", 1},
		{"rs", "TABLE.number", "// number", "counter::tick", -1},
		{"rs", "counter::BORN", "// born", "", 1},
		{"go", "Ticks", "// ticks", "main.tick", 1},
		{"go", "main.Head.count", "// count", "main.tick", -3},
		{"go", "Born", "// born", "main.live", 1},
	} {
		t.Run(c.language+" "+c.written, func(t *testing.T) {
			p := counter(c.language, c.mark)
			pid := p.run(t)
			begins(t, pid, c.written)
			r, may := arm(t, pid, live.Spec{Written: c.written})
			if !may {
				return
			}
			list := rows(t, r, 100)
			threads := map[int]bool{}
			for i, row := range list {
				before, after := number(t, row.Values[0]), number(t, row.Values[1])
				if after != before+c.step || i > 0 && before != number(t, list[i-1].Values[1]) || row.At <= 0 {
					t.Errorf("row %d: %+v after %+v", i, row, list[max(i-1, 0)])
				}
				threads[row.Thread] = true
				if c.language == "go" && row.Task == 0 {
					t.Errorf("no goroutine: %+v", row)
				}
				if filepath.Base(row.File) != "counter."+c.language || row.Line != p.line(t) || c.function != "" && row.Function != c.function {
					t.Fatalf("row %d is of line %d: %+v", i, p.line(t), row)
				}
			}
			if strings.HasSuffix(strings.ToLower(c.written), "born") && len(threads) < 50 {
				t.Errorf("only %d threads have written", len(threads))
			}
		})
	}
}

// Threads that are born while the watch is set write once each, too: no row is missing, and
// none is there twice.
func TestWritesWhileThreadsAreBorn(t *testing.T) {
	for _, c := range [][2]string{{"c", "born"}, {"go", "Born"}, {"go", "Ticks"}} {
		t.Run(c[0]+" "+c[1], func(t *testing.T) {
			p := counter(c[0], "born")
			pid := p.run(t)
			for range 15 {
				r, may := arm(t, pid, live.Spec{Written: c[1]})
				if !may {
					return
				}
				list := rows(t, r, 20)
				for i, row := range list[1:] {
					if now, last := number(t, row.Values[1]), number(t, list[i].Values[1]); now != last+1 {
						t.Errorf("%+v comes after %+v", row, list[i])
					}
				}
				if state := r.Close(); state.Dropped != 0 || len(state.Notes) != 0 {
					t.Errorf("writes are said to be lost: %+v", state)
				}
			}
		})
	}
}

// What a store under a mask leaves out, as libc's memset has it on some processors, is not told
// as written.
func TestWritesBesideAMask(t *testing.T) {
	p := counter("c", "/* beside */")
	r, may := arm(t, p.run(t), live.Spec{Written: "pair.beside"})
	if !may {
		return
	}
	written := 0
	for i, row := range rows(t, r, 20) {
		switch changed := row.Values[0].Text != row.Values[1].Text; {
		case changed && row.Line == p.line(t):
			written++
		case changed || !strings.Contains(row.Function, "which may have left these out"):
			t.Errorf("row %d: %+v", i, row)
		}
	}
	if written < 5 {
		t.Errorf("only %d writes are told", written)
	}
}

func TestEndsMasked(t *testing.T) {
	for code, want := range map[string]bool{
		"\x62\xe1\x7f\x29\x7f\x00":                     true,  // vmovdqu8 %ymm16,(%rax){%k1}
		"\x62\x81\x7f\x4a\x7f\x44\x91\x01":             true,  // vmovdqu8 %zmm16,64(%r9,%r10,4){%k2}
		"\x62\xf1\x7e\x4b\x7f\x0d\x34\x12\x00\x00":     true,  // vmovdqu32 %zmm1,0x1234(%rip){%k3}
		"\x62\xc1\xfd\x4f\x29\xad\x07\x00\x00\x00":     true,  // vmovapd %zmm21,7(%r13){%k7}
		"\x62\xe1\xfe\x28\x7f\x44\x17\xff":             false, // vmovdqu64 %ymm16,-32(%rdi,%rdx,1)
		"\xc7\x04\x24\x01\x00\x00\xff":                 false, // movl $..., (%rsp)
		"\x48\x89\x04\xc8":                             false, // mov %rax,(%rax,%rcx,8)
		"\x90\x90\x90\x90\x90\x90\x90\x90\x90\x90\xaa": false, // stosb
	} {
		if endsMasked([]byte(code)) != want {
			t.Errorf("%x: %t", code, !want)
		}
	}
}

// What the processor has told of and no program has noted counts as lost.
func TestWritesThatNobodyNoted(t *testing.T) {
	r, may := arm(t, counter("c", "").run(t), live.Spec{Written: "ticks"})
	if !may {
		return
	}
	rows(t, r, 5)
	r.watch.before -= 3 // as if three had run no program
	if state := r.Close(); state.Dropped != 3 || state.Hits < 8 {
		t.Errorf("it ends as %+v", state)
	}
}

// An element, a byte that a library writes, a number with a fraction, a pointer, a truth value.
func TestWritesOfWords(t *testing.T) {
	for _, c := range []struct{ language, written, mark, text, function string }{
		{"c", "table.kinds[2]", "table.kinds[2]", "", "tick"},
		{"c", "table.city[20]", "/* city */", "'", "rename_city, by libc.so.6"},
		{"c", "small", "small--", "", "tick"},
		{"c", "share", "share =", "", "tick"},
		{"c", "name", "name = ticks", "0x", "tick"},
		{"cpp", "counter.odd", "// odd", "", "shop::Counter::tick"},
		{"go", "Table.kinds[2]", "Table.kinds[2]", "", "main.tick"},
		{"go", "Paid", "Paid = !Paid", "", "main.tick"},
	} {
		t.Run(c.language+" "+c.written, func(t *testing.T) {
			p := counter(c.language, c.mark)
			r, may := arm(t, p.run(t), live.Spec{Written: c.written})
			if !may {
				return
			}
			for i, row := range rows(t, r, 10) {
				if row.Line != p.line(t) || row.Function != c.function || row.Values[0].Text == row.Values[1].Text || !strings.Contains(row.Values[1].Text, c.text) {
					t.Errorf("row %d: %+v", i, row)
				}
			}
		})
	}
}

// What cannot be watched is refused in words that help.
func TestWritesRefused(t *testing.T) {
	for _, c := range []struct{ language, written, want string }{
		{"c", "nix", "no such variable that stays where it is"},
		{"c", "with", "it is a local variable, which lies elsewhere at each call"},
		{"c", "own", "it lies elsewhere in each thread"},
		{"c", "table", "a table of 40 bytes, and the processor watches a word of 1, 2, 4 or 8: name one of its words: .number"},
		{"c", "table.city", "name one of its words: [0] and so on"},
		{"c", "*none", "a pointer on the way is nil now"},
		{"c", "ticks + 1", "calls and computes nothing"},
		{"c", "table.nix", "table has no field nix"},
		{"c", "table.kinds[4]", "has 4 elements"},
		{"cpp", "counter.name", "it is a text, which is a pointer with a length"},
		{"cpp", "counter", "name one of its words: .count, .odd"},
		{"go", "Costs", "it is a map, whose entries lie elsewhere"},
		{"go", "Names", "name one of its words: .array, .len, .cap"},
		{"go", "Names[0]", "what can be watched are its own words: .array, .len, .cap"},
		{"go", "Table.city", "it is a text"},
		{"go", "number", "it is a local variable"},
	} {
		p := counter(c.language, "")
		r, err := Arm(t.Context(), p.run(t), live.Spec{Written: c.written})
		if err == nil {
			r.Close()
			t.Errorf("%s in %s was armed", c.written, c.language)
			continue
		}
		if isRefusedFirst := errors.Is(err, ErrForbidden) && !hasRights(t); !isRefusedFirst && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s in %s: %v", c.written, c.language, err)
		}
	}
}

// The processor has four places; that a watch has gone gives its place back, at once.
func TestWritesFourPlaces(t *testing.T) {
	pid := programs[0].run(t)
	spec := live.Spec{Written: "served"}
	for range 2 {
		var all []*Recorder
		for range 4 {
			r, may := arm(t, pid, spec)
			if !may {
				return
			}
			all = append(all, r)
		}
		if r, err := Arm(t.Context(), pid, spec); !errors.Is(err, ErrTaken) {
			t.Errorf("a fifth gives %v, %v", r, err)
		}
		for _, r := range all {
			rows(t, r, 5)
			if state := r.Close(); state.Hits == 0 || !state.Running {
				t.Errorf("it ends as %+v", state)
			}
		}
	}
}

// A watch that costs too much is taken out, and says so.
func TestHotWritesAreTakenOut(t *testing.T) {
	r, may := arm(t, counter("c", "").run(t), live.Spec{Written: "ticks", Most: 20})
	if !may {
		return
	}
	for end := time.Now().Add(20 * time.Second); ; {
		_, state := r.Read(10)
		if state.Out != "" {
			if !strings.Contains(state.Out, "the watch was taken out") || !strings.Contains(state.Out, "more than the 20 that were allowed") {
				t.Errorf("it says %+v", state)
			}
			return
		}
		if time.Now().After(end) {
			t.Fatalf("the watch is still there: %+v", state)
		}
	}
}
