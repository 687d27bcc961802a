//go:build linux && amd64

package native

import (
	"strings"
	"testing"

	"aidb-mcp/internal/recording"
)

// A panic that nobody catches is how a run failed, at the user's line; one that is caught,
// or that ends another thread only, is not.
func TestRecordedPanics(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ source, want string }{
		"uncaught": {"fn half(n: i32) -> i32 {\n    assert!(n % 2 == 0, \"odd {n}\");\n    n / 2\n}\nfn main() { half(3); }", "uncaught failed a::half:2 odd 3"},
		"caught":   {"fn main() { let _ = std::panic::catch_unwind(|| panic!(\"no\")); }", ""},
		"thread":   {"fn main() { let _ = std::thread::spawn(|| panic!(\"no\")).join(); }", ""},
		"exits":    {"fn main() {\n    std::process::exit(3);\n}", "exited failed a::main:2 3"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			underEach(t, "a.rs", c.source, recording.Spec{}, func(t *testing.T, log recording.Log) {
				if got := strings.Join(events(log, recording.Failed), "; "); got != c.want {
					t.Errorf("the failure is %q, want %q", got, c.want)
				}
			})
		})
	}
}

// What a text leaves out is in the hash, whatever order a map of this run has.
func TestRecordedWholeValuesOfRust(t *testing.T) {
	t.Parallel()
	const source = `use std::collections::HashMap;
fn main() {
    for round in 0..3 {
        let list: Vec<u32> = (0..50).map(|i| if i == 40 && round == 1 { 7 } else { i }).collect();
        let map: HashMap<String, Vec<u32>> = (0..20).map(|i| (format!("k{i}"), vec![i + round % 2; 12])).collect();
        let few = vec![1, 2];
        println!("{} {} {}", list.len(), map.len(), few.len());
    }
}`
	w := recording.Spec{Values: []recording.Values{{Line: 7, Expressions: []string{"list", "map", "few"}}}}
	underEach(t, "a.rs", source, w, func(t *testing.T, log recording.Log) {
		var hits [][]recording.Value
		for _, e := range log.Events {
			if e.Kind == recording.Hit {
				hits = append(hits, e.Values)
			}
		}
		if len(hits) != 3 {
			t.Fatalf("%d hits", len(hits))
		}
		for i := range 2 {
			if recording.Compare(hits[0][i], hits[2][i]) != recording.Equal || recording.Compare(hits[0][i], hits[1][i]) != recording.Different {
				t.Errorf("value %d is not compared by all of it: %+v", i, []recording.Value{hits[0][i], hits[1][i], hits[2][i]})
			}
		}
		if few := hits[0][2]; few.Cut || few.Whole() != "" {
			t.Errorf("what is shown whole is %+v", few)
		}
	})
}

// What a call gives in registers is taken from where the compiler has put it, and of an
// enum the variant that is there is told.
func TestRecordedResultsOfRust(t *testing.T) {
	t.Parallel()
	const source = `#[derive(Debug)]
enum Shape { Dot, Line(u32), Box { w: u16, h: u16 } }
fn opt(n: i32) -> Option<i32> { if n > 0 { Some(n) } else { None } }
fn half(n: i32) -> Result<i32, u8> { if n % 2 == 0 { Ok(n / 2) } else { Err(n as u8) } }
fn shape(n: u32) -> Shape { match n { 0 => Shape::Dot, 1 => Shape::Line(7), _ => Shape::Box { w: 2, h: 3 } } }
fn pair(n: i32) -> (i32, f64) { (n, 1.5) }
fn deep(n: i32) -> Option<Result<u8, u8>> { if n > 0 { Some(Err(4)) } else { None } }
fn main() {
    println!("{:?}{:?}{:?}{:?}", opt(3), opt(-1), half(4), half(7));
    println!("{:?}{:?}{:?}", shape(0), shape(1), shape(2));
    println!("{:?}{:?}{:?}", pair(5), deep(1), deep(0));
}`
	w := recording.Spec{Calls: &recording.Calls{Names: []string{"opt", "half", "shape", "pair", "deep"}}}
	underEach(t, "a.rs", source, w, func(t *testing.T, log recording.Log) {
		var got []string
		for _, e := range log.Events {
			if e.Kind == recording.Leave {
				got = append(got, e.Values[0].Text+e.Values[0].Error)
			}
		}
		want := "Some(3); None; Ok(2); Err(7); Dot; Line(7); Box { w: 2, h: 3 }; (5, 1.5); Some(Err(4)); None"
		if strings.Join(got, "; ") != want {
			t.Errorf("the results are %s, want %s", strings.Join(got, "; "), want)
		}
	})
}
