package bench

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"aidb-mcp/internal/commands/bench/debuggee"
	"aidb-mcp/internal/text/pattern"
)

// How much work the program at work does for a question: what writes to its sum is a
// million writes, and the condition is judged some 100,000 times.
const (
	writtenRounds  = 1_000_000
	judgedRounds   = 25_000
	profiledRounds = 4 // times what the smallest size of the pace is
)

// What a question may take beside the program by itself, and milliseconds beyond that.
const (
	writesRatio   = 5
	judgedRatio   = 4
	questionsOver = 2000
)

// longestQuestion bounds one question, in milliseconds.
const longestQuestion = 120_000

// question is one that is put about a program at work.
type question struct {
	name   string
	tool   string
	rounds int
	ratio  float64 // to the program by itself; 0: no target
	args   debuggee.Object
	tells  string // a field of the reply whose number stands in the row
}

// asked measures what questions about the program at work of each language take.
func (b *bench) asked(ctx context.Context) error {
	return b.forEachPace(ctx, b.askAll)
}

func (b *bench) askAll(ctx context.Context, p pace) error {
	return b.atWork(ctx, p, func(s *server, dir string) error {
		if err := p.ask(s, "1"); err != nil { // builds what is built; what is not here ends it
			return err
		}
		for _, q := range p.questions(dir) {
			if err := b.ask(ctx, p, q, s, dir); err != nil {
				return err
			}
		}
		return nil
	})
}

// questions are those that are put, in the language's own names.
func (p pace) questions(dir string) []question {
	name, never, fails := p.names()
	at := func(line int) string { return p.File + ":" + strconv.Itoa(line) }
	writes := cmp.Or(p.Writes, writesRatio)
	return []question{
		{"why, after a million writes", "why", writtenRounds, writes, debuggee.Object{"expression": name, "location": at(fails)}, "writes"},
		{"trace of a million writes", "trace", writtenRounds, writes, debuggee.Object{"what": "writes", "expression": name, "location": at(never - 1), "limit": 4}, "hits"},
		{"trace of the first moment", "trace", judgedRounds, judgedRatio, debuggee.Object{"what": "first", "condition": name + " == -7", "scope": []string{filepath.Join(dir, p.File)}}, "judged"},
		{"profile of its processor time", "profile", profiledRounds * p.Rounds, 0, debuggee.Object{"what": "cpu"}, "samples"},
	}
}

// names are the variable that the program writes to all the time, the line that is never
// reached, and the one that fails, which is the last that has the table.
func (p pace) names() (variable string, never, fails int) {
	never = p.never()
	variable, _, _ = strings.Cut(strings.TrimSpace(strings.Split(p.Text, "\n")[never-1]), " ")
	fails = 1 + strings.Count(p.Text[:strings.LastIndex(p.Text, "table")], "\n")
	return variable, never, fails
}

// ask is a row of what one question takes. One that has no answer is a row that says so.
func (b *bench) ask(ctx context.Context, p pace, q question, s *server, dir string) error {
	var took, plain samples
	told := ""
	for range paceRuns {
		alone, err := p.alone(ctx, dir, strconv.Itoa(q.rounds))
		if err != nil {
			return err
		}
		plain.add(alone)
		args := p.arguments(strconv.Itoa(q.rounds))
		args["timeout_ms"] = longestQuestion
		if p.Start != nil {
			args["start"] = p.Start
		}
		maps.Copy(args, q.args)
		begun := time.Now()
		reply, err := s.call(q.tool, args)
		if err != nil {
			b.add(row{what: fmt.Sprintf("%s, %s: no answer, %s", p.Name, q.name, oneLine(err))})
			return ctx.Err()
		}
		took.since(begun)
		told = numberIn(reply.facts, q.tells)
	}
	r := row{what: fmt.Sprintf("%s, %s (%s: %s; bare: by itself)", p.Name, q.name, q.tells, told), unit: inMS, ours: took, bare: plain}
	if q.ratio > 0 {
		r.target = q.ratio*plain.median() + questionsOver
	}
	b.add(r)
	return nil
}

// alone is how long the program takes by itself until it fails, in milliseconds.
func (p pace) alone(ctx context.Context, dir, rounds string) (float64, error) {
	cmd := p.Plain(ctx, dir, rounds)
	cmd.Dir = dir
	var took samples
	begun := time.Now()
	out, err := cmd.CombinedOutput()
	took.since(begun)
	var exit *exec.ExitError
	if !errors.As(err, &exit) {
		return 0, fmt.Errorf("the program was to fail by itself: %w\n%s", err, out)
	}
	return took[0], nil
}

var numbered = pattern.New(`"(\w+)":(\d+)`)

// numberIn is the first number of a field in a reply.
func numberIn(facts, field string) string {
	for _, m := range numbered.FindAllStringSubmatch(facts, -1) {
		if m[1] == field {
			return m[2]
		}
	}
	return "not told"
}
