//go:build ignore

// Say what came of the tests, from the files of events that gotestsum kept, each of
// one part of them: what failed, what failed first and passed then, and where the time
// went. It fails where a test that was run again could hide a fault: a data race, and a
// package that fails though none of its tests does.
package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// event is a line of go test -json.
type event struct {
	Action, Package, Test, Output string
	Elapsed                       float64
}

// name is one test, or a whole package.
type name struct{ Package, Test string }

func (n name) String() string {
	return strings.TrimSuffix(strings.TrimPrefix(n.Package, "aidb-mcp/")+" "+n.Test, " ")
}

// outcome is what became of a test in each of its runs.
type outcome struct {
	runs []string // pass, fail or skip
	took float64  // the first one, in seconds
}

func (o *outcome) failed() bool { return slices.Contains(o.runs, "fail") }
func (o *outcome) last() string { return o.runs[len(o.runs)-1] }

// results are those of all tests, and what no run of a test again may hide.
type results struct {
	outcomes map[name]*outcome
	parents  map[name]bool     // tests with tests in them
	blamed   map[name]bool     // those that fail because one in them does
	said     map[string]string // by packages, outside their tests
	computed map[string]spent  // by packages that tell it
	faults   []string
}

// spent is processor time, in seconds: all of it, and what of it is the system's.
type spent struct{ all, system float64 }

func main() {
	all := results{
		outcomes: map[name]*outcome{}, parents: map[name]bool{}, blamed: map[name]bool{},
		said: map[string]string{}, computed: map[string]spent{},
	}
	for _, file := range os.Args[1:] {
		began := len(all.outcomes)
		if err := all.read(file); err != nil {
			fmt.Fprintln(os.Stderr, "report on the tests:", err)
			os.Exit(1)
		}
		if len(all.outcomes) == began {
			all.faults = append(all.faults, filepath.Base(file)+" has no test in it")
		}
	}
	heading("where the time goes: packages", all.slowest(func(n name) bool { return n.Test == "" }, 20))
	heading("where the processor's time goes: packages that drive the server", all.dearest(20))
	heading("where the time goes: tests", all.slowest(func(n name) bool { return n.Test != "" && !all.parents[n] }, 20))
	heading("failed first, passed then: a fault to be found", all.those(func(o *outcome) bool { return o.failed() && o.last() != "fail" }))
	failed := all.those(func(o *outcome) bool { return o.last() == "fail" })
	heading("failed", failed)
	heading("not to be passed over, though a test that is run again may pass", all.faults)
	if len(failed)+len(all.faults) > 0 {
		os.Exit(1)
	}
}

// heading prints lines below a heading, and nothing where there are none.
func heading(text string, lines []string) {
	if len(lines) == 0 {
		return
	}
	fmt.Printf("\n== %s\n", text)
	for _, line := range lines {
		fmt.Println(line)
	}
}

// read takes the events of one part.
func (r *results) read(file string) error {
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	for lines := bufio.NewReader(f); ; {
		line, err := lines.ReadBytes('\n')
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		var e event
		if err := json.Unmarshal(line, &e); err != nil {
			return fmt.Errorf("%s: %w in %q", file, err, line)
		}
		r.add(e)
	}
}

func (r *results) add(e event) {
	n := name{e.Package, e.Test}
	switch e.Action {
	case "output":
		if e.Test == "" {
			r.said[e.Package] += "  " + e.Output
		}
		var s spent
		if n, _ := fmt.Sscanf(e.Output, "processor time: %f s, %f s", &s.all, &s.system); n == 2 {
			before := r.computed[e.Package] // of a run before this one
			r.computed[e.Package] = spent{before.all + s.all, before.system + s.system}
		}
		// That of the server in the output of a package, that of a test in its own.
		if strings.HasPrefix(e.Output, "WARNING: DATA RACE") {
			r.faults = append(r.faults, "a data race: "+n.String())
		}
	case "pass", "fail", "skip":
		if e.Test == "" && e.Action == "fail" && r.outcomes[n] == nil && !r.anyFailed(e.Package) {
			r.faults = append(r.faults, fmt.Sprintf("fails, though none of its tests does: %v\n%s", n, strings.TrimRight(r.said[e.Package], "\n")))
		}
		o := r.outcomes[n]
		if o == nil {
			o = &outcome{took: e.Elapsed}
			r.outcomes[n] = o
		}
		o.runs = append(o.runs, e.Action)
		for i, c := range e.Test {
			if c == '/' {
				parent := name{e.Package, e.Test[:i]}
				r.parents[parent] = true
				r.blamed[parent] = r.blamed[parent] || e.Action == "fail"
			}
		}
	}
}

// anyFailed says that a test of the package has failed.
func (r *results) anyFailed(pkg string) bool {
	for n, o := range r.outcomes {
		if n.Package == pkg && n.Test != "" && o.failed() {
			return true
		}
	}
	return false
}

// those are the tests of which that is true for a reason of their own.
func (r *results) those(is func(*outcome) bool) []string {
	var list []string
	for n, o := range r.outcomes {
		if n.Test != "" && !r.blamed[n] && is(o) {
			list = append(list, fmt.Sprintf("%v: %s", n, strings.Join(o.runs, ", ")))
		}
	}
	slices.Sort(list)
	return list
}

// slowest are the first of those that took longest.
func (r *results) slowest(is func(name) bool, count int) []string {
	names := slices.DeleteFunc(slices.Collect(maps.Keys(r.outcomes)), func(n name) bool { return !is(n) || r.outcomes[n].took < 1 })
	slices.SortFunc(names, func(a, b name) int {
		return cmp.Or(cmp.Compare(r.outcomes[b].took, r.outcomes[a].took), strings.Compare(a.String(), b.String()))
	})
	var list []string
	for _, n := range names[:min(count, len(names))] {
		took := time.Duration(r.outcomes[n].took * float64(time.Second)).Round(100 * time.Millisecond)
		list = append(list, fmt.Sprintf("%8v  %v", took, n))
	}
	return list
}

// dearest are the packages that computed most, after the sum of all that tell it.
func (r *results) dearest(count int) []string {
	var sum spent
	for _, s := range r.computed {
		sum = spent{sum.all + s.all, sum.system + s.system}
	}
	if sum.all == 0 {
		return nil
	}
	show := func(s spent, of string) string {
		return fmt.Sprintf("%7.1fs (%.1fs the system's)  %s", s.all, s.system, of)
	}
	packages := slices.SortedFunc(maps.Keys(r.computed), func(a, b string) int {
		return cmp.Or(cmp.Compare(r.computed[b].all, r.computed[a].all), strings.Compare(a, b))
	})
	list := []string{show(sum, "all of them")}
	for _, p := range packages[:min(count, len(packages))] {
		list = append(list, show(r.computed[p], name{p, ""}.String()))
	}
	return list
}
