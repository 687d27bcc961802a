//go:build linux && amd64

package observe

import (
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"aidb-mcp/internal/recording/live"
)

// optimized are the programs as they are used; a compiler that is not installed builds none.
func optimized() (list []program) {
	for _, p := range programs {
		switch p.name = "-optimized"; p.language {
		case "c", "cpp":
			for _, other := range []string{p.build[0], map[string]string{"c": "clang", "cpp": "clang++"}[p.language]} {
				q := p
				q.name, q.build = "-optimized-"+other, slices.Clone(p.build)
				q.build[0], q.build[slices.Index(q.build, "-O0")] = other, "-O2"
				list = append(list, q)
			}
		case "rs":
			p.build = []string{"rustc", "-g", "-O", "-o", "OUT", "FILE"}
			list = append(list, p)
		case "go":
			p.build = []string{"go", "build", "-o", "OUT", "FILE"}
			list = append(list, p)
		}
	}
	return list
}

// What can be read of an optimized program is what it has there, and the rest says why it cannot.
func TestOptimized(t *testing.T) {
	for _, p := range optimized() {
		t.Run(p.language+p.name, func(t *testing.T) {
			if _, err := exec.LookPath(p.build[0]); err != nil {
				t.Skip(p.build[0] + " is not installed")
			}
			t.Parallel()
			r, may := arm(t, p.run(t), live.Spec{File: filepath.Base(p.file()), Line: p.line(t), Expressions: []string{p.sum, p.price, p.count, p.discount}})
			if !may {
				return
			}
			read := map[string]int{}
			for _, row := range rows(t, r, 30) {
				p.checkOptimized(t, row, read)
			}
			if least := map[string]int{"g++": 2, "rustc": 2, "go": 1}[p.build[0]]; len(read) < least { // gcc keeps nothing of it
				t.Errorf("only %v was read", read)
			}
		})
	}
}

// checkOptimized sees that what was read belongs to one order, and counts it.
func (p program) checkOptimized(t *testing.T, row live.Row, read map[string]int) {
	t.Helper()
	v := values(t, row)
	for _, value := range row.Values {
		if value.Missing != "" && !strings.Contains(value.Missing, "optimized away") && !strings.Contains(value.Missing, "not readable") {
			t.Errorf("it says %q", value.Missing)
		}
	}
	for name := range v {
		read[name]++
	}
	price, known := v[p.price]
	if !known {
		return
	}
	n := price / 10
	if count, is := v[p.count]; is && count != n%7 {
		t.Errorf("the count of order %d is %d", n, count)
	}
	if discount, is := v[p.discount]; is && discount != n%3 {
		t.Errorf("the discount of order %d is %d", n, discount)
	}
	if sum, is := v[p.sum]; is && sum != price*(n%7) && sum != price*(n%7)-n%3 {
		t.Errorf("the sum of order %d is %d", n, sum)
	}
}
