package generated

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// answer is what a reply says, of which the comparison makes use.
type answer struct {
	Columns  []string   `json:"columns"`
	Rows     [][]string `json:"rows"`
	Hits     int        `json:"hits"`
	Dropped  int        `json:"dropped"`
	Gap      int        `json:"gap"`
	Warnings []string   `json:"warnings"`
	First    *struct {
		At, Function string
		After        []struct{ Name, Value string }
	} `json:"first"`
	Value   string
	Differs string
	Chain   []struct{ At, Kind, Was, Value string }

	Location                      string
	Left, Right, Expected, Actual string
	Culprit                       *struct{ Expression, Value string }
	Stack                         []string
	Locals                        map[string]struct {
		Value string `json:"v"`
	}
	Calls *struct {
		Columns []string
		Rows    [][]string
	}
}

// read reads the data of a reply.
func read(data []byte) (*answer, error) {
	var a answer
	return &a, json.Unmarshal(data, &a)
}

// cell is one column of a row; -1 stands for none.
func (a *answer) column(name string) int { return slices.Index(a.Columns, name) }

// rows are those of an answer, each as often as it says; of a part of an object those
// that are marked as of that one, where a list lies elsewhere once it has grown.
func (a *answer) rows(part bool) [][]string {
	times, object := a.column("times"), a.column("object")
	var list [][]string
	for _, r := range a.Rows {
		if object >= 0 && part && !strings.HasSuffix(r[object], "named") {
			continue
		}
		n := 1
		if times >= 0 {
			n = max(1, number(r[times]))
		}
		for range n {
			list = append(list, r)
		}
	}
	return list
}

func number(text string) int {
	n, _ := strconv.Atoi(strings.TrimSpace(text))
	return n
}

// line is the number at the end of a place.
func line(at string) int {
	return number(at[strings.LastIndexByte(at, ':')+1:])
}

var (
	fields  = regexp.MustCompile(`\blow["']?\s*[:=]\s*(-?\d+).*?\bhigh["']?\s*[:=]\s*(-?\d+)`)
	list    = regexp.MustCompile(`[\[({]\s*((?:-?\d+\s*,?\s*)*)[\])}]$`)
	entries = regexp.MustCompile(`["']?\b([km])["']?\s*(?::|=>|=)\s*(-?\d+)`)
	numbers = regexp.MustCompile(`-?\d+`)
	// negativeZero is one that stands by itself.
	negativeZero = regexp.MustCompile(`(^|[^\w.])-0\b(?:\.0\b)?`)
)

// plainly is a shown value in the form of the true ones.
func plainly(text string) string {
	text = negativeZero.ReplaceAllString(strings.TrimSpace(text), "${1}0") // of JavaScript, which equals 0
	if m := fields.FindStringSubmatch(text); m != nil {
		return "low:" + m[1] + " high:" + m[2]
	}
	if m := entries.FindAllStringSubmatch(text, -1); m != nil {
		all := []string{}
		for _, e := range m {
			all = append(all, e[1]+":"+e[2])
		}
		slices.Sort(all)
		return fmt.Sprint(all)
	}
	if m := list.FindStringSubmatch(text); m != nil {
		return fmt.Sprint(numbers.FindAllString(m[1], -1))
	}
	if len(text) > 1 && strings.ContainsAny(text[:1], `"'`) && text[0] == text[len(text)-1] {
		return text[1 : len(text)-1]
	}
	switch text {
	case "True":
		return "true"
	case "False":
		return "false"
	}
	return text
}

// judge holds an answer against the truth; empty: it is right.
func (q *question) judge(a *answer) string {
	switch q.Kind {
	case "first", "first part":
		return q.judgeFirst(a)
	case "why", "why part":
		return q.judgeWhy(a)
	case "values limited":
		return q.judgeLimited(a)
	case "never":
		return q.judgeNever(a)
	case "lines":
		return q.judgeLines(a)
	case "stop":
		return q.judgeStop(a)
	case "diagnose":
		return q.judgeDiagnosis(a)
	}
	if a.moved() {
		return ""
	}
	if all := len(a.rows(false)) + a.Dropped; all != a.Hits {
		return fmt.Sprintf("%d rows and those left out, of %d hits", all, a.Hits)
	}
	if a.Dropped > 0 {
		return ""
	}
	if exact := q.Kind == "values" || q.Kind == "values if" || q.Kind == "values worked out" || q.Kind == "calls"; exact && a.Hits != len(q.Rows) {
		return fmt.Sprintf("%d hits, true is %d", a.Hits, len(q.Rows))
	}
	got := q.merged(a, a.rows(q.Marked))
	next := 0
	for i, r := range got {
		from := next
		for next < len(q.Rows) && (q.Rows[next].May || q.Moves) && !q.fits(a, r, q.Rows[next]) {
			next++
		}
		if next == len(q.Rows) {
			if next = from; q.extra(a, r, i) {
				continue
			}
			return fmt.Sprintf("row %d is one more: %v", i+1, r)
		}
		if !q.fits(a, r, q.Rows[next]) {
			if q.extra(a, r, i) {
				continue
			}
			return fmt.Sprintf("row %d is %v, true is %v", i+1, r, q.Rows[next])
		}
		next++
	}
	for ; next < len(q.Rows); next++ {
		if !q.Rows[next].May && !q.Moves {
			return fmt.Sprintf("%d rows, and this is missing: %v", len(got), q.Rows[next])
		}
	}
	return ""
}

// merged are the rows with those of one sort made one: memory has more than one value on its way.
func (q *question) merged(a *answer, rows [][]string) [][]string {
	was, value, at := a.column("was"), a.column("value"), a.column("at")
	var list [][]string
	sorts := func(r []string) bool {
		return slices.ContainsFunc(q.Rows, func(want row) bool { return want.Sorted && line(r[at]) == want.Line })
	}
	for _, r := range rows {
		last := len(list) - 1
		if last >= 0 && sorts(r) && list[last][at] == r[at] && list[last][value] == r[was] {
			r = slices.Clone(r)
			r[was] = list[last][was]
			list = list[:last]
		}
		list = append(list, r)
	}
	return slices.DeleteFunc(list, func(r []string) bool { return sorts(r) && r[was] == r[value] })
}

// unset is what stands for a value that was not there.
var unset = []string{"", "-", "0", "nil", "undefined", "(nothing of this owner)", "(nothing of this owner that was seen)"}

// extra is a row that is no statement's own: what a variable had when its call began, or
// an object when it was made.
func (q *question) extra(a *answer, r []string, i int) bool {
	was := a.column("was")
	return strings.HasPrefix(q.Kind, "writes") && i == 0 && was >= 0 && slices.Contains(unset, r[was])
}

// fits says that a row of an answer is a true one.
func (q *question) fits(a *answer, r []string, want row) bool {
	if q.Kind == "calls" {
		return q.fitsCall(a, r, want)
	}
	if at := line(r[a.column("at")]); !want.Anywhere && (at < want.Line || at > want.End) {
		return false
	}
	for i, name := range q.Columns {
		c := a.column(name)
		if c < 0 || !q.same(name, r[c], want.Cells[i]) {
			return false
		}
	}
	return true
}

// same says that a shown value is the true one. Of what was there before, it may not be known,
// or be what another row that is left out had put there.
func (q *question) same(column, text, want string) bool {
	if column == "was" && (want == "-" || q.Loose || q.Watched && slices.Contains(unset, text)) {
		return true
	}
	text = strings.Replace(text, ", ...", "…", 1)
	if head, _, cut := strings.Cut(text, "…"); cut {
		return strings.HasPrefix(want, strings.TrimSuffix(plainly(strings.TrimRight(head, ", ")+"]"), "]"))
	}
	return plainly(text) == want || want == "true" && text == "1" || want == "false" && text == "0" // of C
}

// fitsCall compares the arguments by their names, the result, and where it was called.
func (q *question) fitsCall(a *answer, r []string, want row) bool {
	if strings.HasPrefix(r[a.column("call")], "…") { // it begins like the first row
		return true
	}
	from := r[a.column("from")]
	if at := line(from); at < want.Line || at > want.End {
		return false
	}
	call := r[a.column("call")]
	for i, p := range q.Func.Params {
		_, text, has := strings.Cut(call, p.Name+"=")
		if !has {
			return false
		}
		if i+1 < len(q.Func.Params) {
			text, _, _ = strings.Cut(text, ", "+q.Func.Params[i+1].Name+"=")
		} else {
			text = strings.TrimSuffix(text, ")")
		}
		if plainly(text) != want.Cells[i] && want.Cells[i] != anything {
			return false
		}
	}
	result := r[a.column("result")]
	if len(want.Cells) == len(q.Func.Params) { // it failed in there
		return true
	}
	last := want.Cells[len(want.Cells)-1]
	return plainly(result) == last || last == "raised" && strings.Contains(result, "raised")
}

func (q *question) judgeFirst(a *answer) string {
	want := q.Rows[0]
	if a.First == nil {
		return fmt.Sprintf("no moment, true is %v", want)
	}
	if at := line(a.First.At); at < want.Line || at > want.End {
		return fmt.Sprintf("at %s, true is %v", a.First.At, want)
	}
	for _, v := range a.First.After {
		if want.May || plainly(v.Value) == want.Cells[0] {
			return ""
		}
	}
	return fmt.Sprintf("after: %v, true is %v", a.First.After, want)
}

func (q *question) judgeWhy(a *answer) string {
	want := q.Rows[0]
	if a.Differs != "" {
		return ""
	}
	if a.Value == "" {
		return "no value"
	}
	if plainly(a.Value) != want.Cells[1] {
		return fmt.Sprintf("the value is %s, true is %v", a.Value, want)
	}
	if len(a.Chain) == 0 {
		return "no chain"
	}
	c := a.Chain[0]
	for _, want := range q.Rows {
		if (want.Anywhere || line(c.At) >= want.Line && line(c.At) <= want.End) && plainly(c.Value) == want.Cells[1] && (c.Was == "" || q.same("was", c.Was, want.Cells[0])) {
			return ""
		}
	}
	return fmt.Sprintf("written at %s, %s → %s, true is %v", c.At, c.Was, c.Value, want)
}
