package responses

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// widest is how far a column of a table is filled up, in characters.
const widest = 24

// table writes one line of column names and one line a row.
func (p *page) table(columns []string, rows [][]string) {
	width := make([]int, len(columns))
	for _, row := range append([][]string{columns}, rows...) {
		if len(row) == 1 { // a remark between rows
			continue
		}
		for i := range min(len(row), len(width)) {
			width[i] = max(width[i], min(widest, utf8.RuneCountInString(cell(row[i]))))
		}
	}
	p.put(layOut(columns, width))
	for _, row := range rows {
		p.put(layOut(row, width))
	}
}

func layOut(row []string, width []int) string {
	var b strings.Builder
	for i, text := range row {
		text = cell(text)
		b.WriteString(text)
		if i < len(row)-1 {
			fill := 2
			if i < len(width) {
				fill += max(0, width[i]-utf8.RuneCountInString(text))
			}
			b.WriteString(strings.Repeat(" ", fill))
		}
	}
	return b.String()
}

// cell is a text as it stands in a row.
func cell(text string) string {
	if text == "" {
		return "-"
	}
	return inline(text)
}

// inline is a text that has to stay in its line: a line end or a tab in it is
// shown as a programmer would write it.
func inline(text string) string { return inlined.Replace(text) }

var inlined = strings.NewReplacer("\r\n", `\n`, "\n", `\n`, "\t", `\t`)

// filledColumns are the columns in which something stands.
func filledColumns(columns []string, rows [][]string) ([]string, [][]string) {
	var names []string
	kept := make([][]string, len(rows))
	for i, name := range columns {
		if !slices.ContainsFunc(rows, func(row []string) bool { return row[i] != "" }) {
			continue
		}
		names = append(names, name)
		for n, row := range rows {
			kept[n] = append(kept[n], row[i])
		}
	}
	return names, kept
}

// takeCommon takes the columns out of a table in which all rows have the same, and says
// what that is: "at calc.go:7". A table keeps its last column.
func takeCommon(columns []string, rows [][]string) (left []string, kept [][]string, same []string) {
	kept = make([][]string, len(rows))
	for i, name := range columns {
		if isSame(rows, i) && (i < len(columns)-1 || len(left) > 0) {
			same = append(same, name+" "+cell(rows[0][i]))
			continue
		}
		left = append(left, name)
		for n, row := range rows {
			if i < len(row) {
				kept[n] = append(kept[n], row[i])
			}
		}
	}
	return left, kept, same
}

// isSame says that several rows have the same in a column.
func isSame(rows [][]string, i int) bool {
	return len(rows) > 1 && !slices.ContainsFunc(rows, func(row []string) bool { return i >= len(row) || row[i] != rows[0][i] })
}
