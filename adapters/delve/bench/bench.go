// Package bench is what the benchmark measures of Go.
package bench

import (
	"context"
	"embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"

	"aidb-mcp/internal/commands/bench/debuggee"
)

//go:embed _program
var programs embed.FS

// Set is what is measured of Go.
func Set() debuggee.Set {
	return debuggee.Set{
		Sessions: []debuggee.Session{{
			Name: "Go (Delve)", File: "main.go", First: "sum := 0", Ratio: debuggee.StepRatio, Reply: 600,
			Args:  debuggee.Object{"mode": "exec"},
			Build: buildGo,
			Adapter: func(p *debuggee.Program) (debuggee.Command, error) {
				return debuggee.Command{ID: "go", Path: p.Self, Args: []string{"dap-go"}}, nil
			},
			Launch: func(p *debuggee.Program) debuggee.Object {
				return debuggee.Object{"mode": "exec", "program": p.Binary, "cwd": p.Dir}
			},
			Files:    programs,
			Embedded: &debuggee.Embedded{Language: "Go", Debugger: "Delve", Build: "go build", Expression: "marks[1] * rounds", Value: "200"},
		}},
		Rates: []debuggee.Rate{
			{Session: debuggee.Session{Name: "Go, woven", File: "rate.go", Build: moduleOf, Args: debuggee.Object{"target": "."}, Files: programs, First: debuggee.Counted}, Few: 20_000, Many: 420_000, Logged: 4_000, Least: 100_000},
		},
		Wides: []debuggee.Wide{{
			Name: "Go, wide", Module: wideGo, Main: wideGoMain, Pattern: "bench/wide/*", Target: ".", Noted: debuggee.WideNoted, Compiled: true,
			More:  map[string]string{"go.mod": "module bench/wide\n\ngo 1.25\n"},
			Plain: func(ctx context.Context, _ string) *exec.Cmd { return exec.CommandContext(ctx, "go", "run", ".") },
		}},
		Paces: []debuggee.Pace{{
			Name: "Go, at work", File: "main.go", Target: ".", More: map[string]string{"go.mod": "module pace\n\ngo 1.25\n"}, Rounds: 10_000_000, Diagnose: 2,
			Build: debuggee.Builds("go", "build", "-o", "plain", "."), Plain: debuggee.Runs("./plain"),
			Text: atWork,
		}},
		Armed: []debuggee.Armed{{
			Name: "Go, armed", File: "armed.go", Text: armed, Value: "number",
			Build: debuggee.Builds("go", "build", "-o", "armed", "armed.go"), Plain: debuggee.Runs("./armed"),
			Start: debuggee.Object{"adapter_options": debuggee.Object{"observe": true}},
		}},
		Holdings: []debuggee.Holding{{
			Name: "Go, a map of 1,000,000", File: "main.go", Target: ".", Count: 1_000_000, Text: heldMap,
			More: map[string]string{"go.mod": "module held\n\ngo 1.25\n"},
		}},
	}
}

// buildGo makes a fresh binary with the same flags as the server does for each
// session.
func buildGo(ctx context.Context, p *debuggee.Program) error {
	if err := os.WriteFile(filepath.Join(p.Dir, "go.mod"), []byte("module example.com/bench\n\ngo 1.25\n"), 0o600); err != nil {
		return err
	}
	p.Binary = filepath.Join(p.Dir, "program")
	if runtime.GOOS == "windows" {
		p.Binary += ".exe"
	}
	cmd := exec.CommandContext(ctx, "go", "build", "-buildvcs=false", "-gcflags=all=-N -l", "-ldflags=-compressdwarf=false", "-o", p.Binary, ".")
	cmd.Dir = p.Dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("go build: %w\n%s", err, out)
	}
	return nil
}

// moduleOf makes a Go module of one file, which is built by the server.
func moduleOf(_ context.Context, p *debuggee.Program) error {
	return os.WriteFile(filepath.Join(p.Dir, "go.mod"), []byte("module example.com/bench\n\ngo 1.25\n"), 0o600)
}

func wideGo(n int) (file, text string) {
	return fmt.Sprintf("m%d/m.go", n), fmt.Sprintf("package m%d\n", n) + debuggee.EachFunction(`
// F# counts the letters of a name.
func F#(sum int, name string) (int, error) {
	for i, c := range name {
		if c == 'e' && i > # {
			sum += int(c) * i
		}
	}
	if sum < 0 {
		return 0, nil
	}
	return sum + len(name) - #, nil
}
`) + "\nfunc Run(sum int) int {\n" + debuggee.EachCalled("	sum, _ = F#(sum, \"measured\")\n") + "	return sum\n}\n"
}

func wideGoMain() (file, text string) {
	return "main.go", "package main\n\nimport (\n" + debuggee.EachModule("\t\"bench/wide/m#\"\n") + ")\n\nfunc main() {\n\tsum := 0\n" +
		debuggee.EachModule("	sum = m#.Run(sum)\n") + "	println(sum)\n}\n"
}

const heldMap = `package main

import (
	"os"
	"strconv"
)

func main() {
	count, _ := strconv.Atoi(os.Args[1])
	numbers := map[int]int{}
	for i := range count {
		numbers[i] = i
	}
	x := len(numbers) // held
	x += 1
	x += 2
	x += 3
	x += 4
	x += 5
	x += 6
	println(x, len(numbers))
}
`

const atWork = `package main

import (
	"os"
	"strconv"
)

func mix(a, b int) int { return (a*31 + b) % 1000003 }

func step(sum, i int) int {
	if i%3 == 0 {
		return mix(sum, i)
	}
	return mix(i, sum)
}

func work(rounds int) int {
	sum := 1
	for i := 0; i < rounds; i++ {
		sum = step(sum, i)
		if sum < 0 {
			sum = 0 // never
		}
	}
	return sum
}

func main() {
	rounds, _ := strconv.Atoi(os.Args[1])
	table := []int{1, 2, 3}
	sum := work(rounds)
	println(table[sum+3])
}
`

const armed = `package main

import (
	"fmt"
	"os"
	"strconv"
	"time"
)

var total = 1

//go:noinline
func step(number int) int {
	total = (total*31 + number) % 1000003 // armed
	return total
}

func main() {
	each, _ := strconv.Atoi(os.Args[1])
	rate, calls, gap, behind := float64(each)/1000, 0, 0.0, 0.0
	began := time.Now()
	now := func() float64 { return time.Since(began).Seconds() * 1000 }
	since, told := now(), now()
	for {
		at := now()
		gap = max(gap, at-since)
		due := min(at*rate-float64(calls)-behind, 50)
		behind = max(at*rate-float64(calls)-50, behind)
		for i := 0; i < int(due); i++ {
			step(calls)
			calls++
		}
		if since = now(); since-told > 500 {
			fmt.Printf("calls %d gap %.1f\n", calls, gap)
			told, gap = since, 0
		}
		time.Sleep(time.Millisecond)
	}
}
`
