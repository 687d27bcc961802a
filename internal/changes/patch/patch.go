// Package patch reads changes as models and people write them, which is not always as
// tools do: with wrong counts and line numbers, without any, with other line endings.
// A hunk belongs where its text is, and only where that is one place.
//
// The package changes texts, and knows no files.
package patch

import (
	"fmt"
	"slices"
	"strings"

	"github.com/bluekeyes/go-gitdiff/gitdiff"

	"aidb-mcp/internal/text/pattern"
)

// File is what a patch does to one file. Paths are as the patch has them, with slashes;
// Old is empty for a file that is made, New for one that is removed.
type File struct {
	Old, New string
	hunks    []hunk
}

// hunk is one change: the lines that are looked for, and what comes in their place.
type hunk struct {
	at    int // line of the old text where it says to be, from 1
	lines []gitdiff.Line
}

// Read reads a unified diff. Errors are one plain sentence.
func Read(text string) ([]File, error) {
	if strings.Contains(text, "*** Begin Patch") {
		return nil, fmt.Errorf(`it is no unified diff: that begins with "--- a/file" and "+++ b/file"`)
	}
	parsed, _, err := gitdiff.Parse(strings.NewReader(renumberHunks(text)))
	if err != nil {
		return nil, fmt.Errorf("it cannot be read as a unified diff: %s", strings.TrimPrefix(err.Error(), "gitdiff: "))
	}
	var files []File
	for _, p := range parsed {
		f := File{Old: p.OldName, New: p.NewName}
		if side := (gitSides{f.Old, f.New}); side.hasBoth() {
			f.Old, f.New = side.bareName(f.Old), side.bareName(f.New)
		}
		if p.IsBinary {
			return nil, fmt.Errorf("%s is binary", p.NewName)
		}
		for _, t := range p.TextFragments {
			f.hunks = append(f.hunks, hunk{at: int(t.OldPosition), lines: t.Lines})
		}
		if len(f.hunks) > 0 || f.Old != f.New {
			files = append(files, f)
		}
	}
	if len(files) == 0 {
		return nil, fmt.Errorf(`it changes nothing: a unified diff has "--- a/file", "+++ b/file", and below "@@" lines that begin with "-", "+" or a space`)
	}
	return files, nil
}

// gitSides are the two names of a file, which git writes below a/ and b/. The parser
// gives the second for both when they are plain.
type gitSides struct{ old, new string }

func (s gitSides) hasBoth() bool {
	return (s.old == "" || strings.HasPrefix(s.old, "a/") || s.old == s.new) && (s.new == "" || strings.HasPrefix(s.new, "b/"))
}

func (gitSides) bareName(name string) string {
	return strings.TrimPrefix(strings.TrimPrefix(name, "a/"), "b/")
}

var header = pattern.New(`^@@(?: -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)?)? ?(?:@@.*)?$`)

// renumberHunks writes the numbers of each hunk anew, for those that are written are often
// wrong. The number of its first line is kept, to choose between equal texts.
func renumberHunks(text string) string {
	lines := strings.Split(strings.TrimRight(strings.ReplaceAll(text, "\r\n", "\n"), "\n"), "\n")
	var out strings.Builder
	for i := 0; i < len(lines); {
		m := header.FindStringSubmatch(lines[i])
		if m == nil {
			out.WriteString(lines[i] + "\n")
			i++
			continue
		}
		body := hunkBody(lines[i+1:])
		from, to := orOne(m[1]), orOne(m[2])
		var old, new int
		for j, l := range body {
			if l == "" {
				body[j], l = " ", " "
			}
			switch l[0] {
			case ' ':
				old, new = old+1, new+1
			case '-':
				old++
			case '+':
				new++
			}
		}
		fmt.Fprintf(&out, "@@ -%s,%d +%s,%d @@\n%s", from, old, to, new, strings.Join(append(body, ""), "\n"))
		i += 1 + len(body)
	}
	return out.String()
}

func orOne(number string) string {
	if number == "" {
		return "1"
	}
	return number
}

// hunkBody are the lines of a hunk: until the next one, the next file, or the end.
func hunkBody(lines []string) []string {
	for i, l := range lines {
		next := i+1 < len(lines) && strings.HasPrefix(l, "--- ") && strings.HasPrefix(lines[i+1], "+++ ")
		if next || l != "" && !strings.ContainsAny(l[:1], ` +-\`) {
			return slices.Clone(lines[:i])
		}
	}
	return slices.Clone(lines)
}

// Apply makes the change in a text; lines say where its lines have gone.
func (f File) Apply(text string) (changed string, lines Lines, err error) {
	ending := "\n"
	if strings.Contains(text, "\r\n") {
		ending = "\r\n"
	}
	old := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	var out []string
	done := 0 // lines of the old text
	for n, h := range f.hunks {
		at, err := h.find(old, done)
		if err != nil {
			return "", Lines{}, fmt.Errorf("hunk %d of %s %w", n+1, f.New, err)
		}
		for ; done < at; done++ {
			out, lines.from = append(out, old[done]), append(lines.from, done+1)
		}
		var gone []int // lines taken away since the last that stayed
		for i, l := range h.lines {
			switch l.Op {
			case gitdiff.OpContext:
				done, gone = done+1, nil
				out, lines.from = append(out, old[done-1]), append(lines.from, done)
			case gitdiff.OpDelete:
				done++
				gone = append(gone, done)
			case gitdiff.OpAdd:
				if i == 0 || h.lines[i-1].Op != gitdiff.OpAdd {
					gone = pairLines(gone, old, addedLines(h.lines[i:]))
				}
				out, lines.from = append(out, strings.TrimSuffix(l.Line, "\n")), append(lines.from, next(&gone))
			}
		}
	}
	for ; done < len(old); done++ {
		out, lines.from = append(out, old[done]), append(lines.from, done+1)
	}
	return strings.Join(out, ending), lines, nil
}

// addedLines are the new lines at the start of a list.
func addedLines(lines []gitdiff.Line) []string {
	var list []string
	for _, l := range lines {
		if l.Op != gitdiff.OpAdd {
			break
		}
		list = append(list, strings.TrimSpace(l.Line))
	}
	return list
}

// pairLines says for each new line which of the lines that went it was before, 0 for none:
// the one that reads the same, else its neighbour where as many came as went.
func pairLines(gone []int, old, added []string) []int {
	from := make([]int, len(added))
	if len(gone) == len(added) {
		copy(from, gone)
		return from
	}
	next := 0
	for i, text := range added {
		for j := next; j < len(gone); j++ {
			if strings.TrimSpace(old[gone[j]-1]) == text {
				from[i], next = gone[j], j+1
				break
			}
		}
	}
	return from
}

// next takes the first number of a list, 0 when there is none.
func next(list *[]int) int {
	if len(*list) == 0 {
		return 0
	}
	n := (*list)[0]
	*list = (*list)[1:]
	return n
}

// find is where the hunk's old lines are, as an index: where the hunk says, else the
// one place behind what is done already.
func (h hunk) find(old []string, done int) (int, error) {
	want := h.oldLines()
	if len(want) == 0 { // nothing but new lines
		return min(max(done, h.at), len(old)), nil
	}
	if at := h.at - 1; at >= done && matches(old, at, want) {
		return at, nil
	}
	var found []int
	for at := done; at+len(want) <= len(old); at++ {
		if matches(old, at, want) {
			found = append(found, at)
		}
	}
	switch len(found) {
	case 0:
		return 0, fmt.Errorf("does not fit: no lines read %q", strings.Join(want[:min(3, len(want))], "\n"))
	case 1:
		return found[0], nil
	}
	return 0, fmt.Errorf("fits at lines %d and %d, and its number is of neither: give more lines around it", found[0]+1, found[1]+1)
}

func (h hunk) oldLines() []string {
	var want []string
	for _, l := range h.lines {
		if l.Op != gitdiff.OpAdd {
			want = append(want, strings.TrimSuffix(l.Line, "\n"))
		}
	}
	return want
}

// matches compares lines; space at their ends does not count.
func matches(old []string, at int, want []string) bool {
	if at+len(want) > len(old) {
		return false
	}
	for i, w := range want {
		if strings.TrimRight(old[at+i], " \t") != strings.TrimRight(w, " \t") {
			return false
		}
	}
	return true
}

// Lines says where the lines of a changed text come from. The zero value: nothing has moved.
type Lines struct{ from []int }

// Old is the line that a line of the changed text was before; false: it is new.
func (l Lines) Old(line int) (int, bool) {
	if l.from == nil {
		return line, true
	}
	if line < 1 || line > len(l.from) || l.from[line-1] == 0 {
		return 0, false
	}
	return l.from[line-1], true
}

// New is where a line of the old text is in the changed one; false: it is gone, and the
// one that is given is the first behind it.
func (l Lines) New(line int) (int, bool) {
	if l.from == nil {
		return line, true
	}
	if i := slices.Index(l.from, line); i >= 0 {
		return i + 1, true
	}
	if i := slices.IndexFunc(l.from, func(from int) bool { return from > line }); i >= 0 {
		return i + 1, false
	}
	return len(l.from), false
}
