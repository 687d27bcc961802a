package testkit

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// checkFacts says which facts of a structured reply its text does not hold, and
// which words of the text are no fact of it: none may say less than the other.
func checkFacts(text string, structured []byte) error {
	tree, err := parse(structured)
	if err != nil {
		return fmt.Errorf("structured content: %w", err)
	}
	r := reading{lines: strings.Split(text, "\n"), failed: tree.member("error").open != 0}
	r.object(tree, r.lines, "")
	if len(r.missing) > 0 {
		return fmt.Errorf("the text does not say %s of %s:\n%s", strings.Join(r.missing, "; "), structured, text)
	}
	if strange := strangeWords(text, tree); len(strange) > 0 {
		return fmt.Errorf("the text says %q, which is not in %s:\n%s", strange, structured, text)
	}
	return nil
}

// reading is a text that is searched for facts.
type reading struct {
	lines   []string
	failed  bool
	missing []string
}

// member is a member of an object, an empty node when there is none.
func (n node) member(name string) node {
	if i := slices.Index(n.keys, encode(name)); i >= 0 && n.open == '{' {
		return n.items[i]
	}
	return node{}
}

// inOtherWords are facts that the text says in other words, and how; those without
// any are said by what the text does not say.
var inOtherWords = map[string]string{
	"bad true":                     "→",
	"unread true":                  "not all that it compares was read",
	"success true":                 "",
	"success false":                "^AIDB_",
	"breakpoints_active true":      "",
	"breakpoints_active false":     "no active breakpoints",
	"status stopped_at_breakpoint": "stopped at (a )?(break|watch)points?|reached",
	"status stopped_after_step":    "stepped to|stopped after step",
	"status stopped_at_entry":      "stopped at (the )?entry",
	"status paused":                "paused|moved to",
	"status terminated":            "exited with code|ended by signal|the program has ended|terminated",
	"status starting":              "still |starting",
	"stop_reason breakpoint":       "breakpoint|watchpoint|reached",
	"stop_reason data breakpoint":  "watchpoint|data breakpoint",
	"stop_reason step":             "stepped to|after step",
	"stop_reason goto":             "moved to|goto",
	"stop_reason pause":            "paused",
	"stop_reason exception":        "exception",
	"stop_reason entry":            "entry",
}

// object looks for the members of an object in a block of lines.
func (r *reading) object(n node, block []string, path string) {
	for i, item := range n.items {
		name := strings.Trim(n.keys[i], `"`)
		at := path + "." + name
		block := block
		if at == ".session_id" || at == ".data.execution_state" { // said in front, in brackets or by the first sentence
			block = r.lines[:min(2, len(r.lines))]
		}
		switch {
		case at == ".summary" && r.retold(item.text, n.member("data").member("result").member("v").text):
		case at == ".summary" && r.failed, at == ".data.columns" && len(n.member("rows").items) == 0:
		case at == ".next_steps" || at == ".omitted":
			r.calls(item, at)
		case item.open == '{' && isNamed(at):
			r.checkMembers(item, block, at)
		case item.open == '{':
			r.object(item, block, at)
		case item.open == '[' && (strings.HasPrefix(at, ".error.details") || at == ".data.samples"):
			r.details(item, at)
		case item.open == '[':
			r.list(item, block, at)
		case !r.says(name, item, block):
			r.missing = append(r.missing, at+" "+item.scalar)
		}
	}
}

// retold says that the first line tells a value whole where the summary cuts it.
func (r *reading) retold(summary, value string) bool {
	cut := strings.TrimSuffix(summary, "…")
	for n := min(len(cut), len(value)); n > 0; n-- {
		if before, ok := strings.CutSuffix(cut, value[:n]); ok {
			return strings.HasPrefix(r.lines[0], strings.TrimSpace(before))
		}
	}
	return false
}

// details looks for each part of an error's details anywhere: its message may say it.
func (r *reading) details(n node, path string) {
	for i, item := range n.items {
		at := fmt.Sprintf("%s[%d]", path, i)
		switch {
		case item.open == '{':
			r.object(item, r.lines, at)
		case item.open == '[':
			r.details(item, at)
		case !r.says("", item, r.lines):
			r.missing = append(r.missing, at+" "+item.scalar)
		}
	}
}

// isNamed says that the members of an object are rows with names of the program's.
func isNamed(path string) bool {
	return regexp.MustCompile(`\.(locals|arguments|globals|registers|show|return_value|changed_variables|children)$`).MatchString(path)
}

// checkMembers looks for each member in lines that belong together.
func (r *reading) checkMembers(n node, block []string, path string) {
	for i, item := range n.items {
		name := node{isText: true}
		name.setText(unquote(n.keys[i]))
		row := node{open: '{', keys: append([]string{`"name"`}, item.keys...), items: append([]node{name}, item.items...)}
		r.row(row, block, path+"."+name.text)
	}
}

func unquote(key string) string {
	n, err := parse([]byte(key))
	if err != nil {
		return key
	}
	return n.text
}

func (r *reading) list(n node, block []string, path string) {
	for i, item := range n.items {
		at := fmt.Sprintf("%s[%d]", path, i)
		switch {
		case item.open != 0:
			r.row(item, block, at)
		case !r.says("", item, block):
			r.missing = append(r.missing, at+" "+item.scalar)
		}
	}
}

// row looks for a line that holds, with those that belong to it, all of a row.
func (r *reading) row(n node, block []string, path string) {
	var least []string
	for i := range block {
		try := reading{lines: r.lines, failed: r.failed}
		if n.open == '{' {
			try.object(n, linesBelow(block[i:]), path)
		} else {
			try.list(n, append(r.tableHeaders(), linesBelow(block[i:])...), path) // in its line, or below a heading
		}
		if try.missing == nil {
			return
		}
		if least == nil || len(try.missing) < len(least) {
			least = try.missing
		}
	}
	r.missing = append(r.missing, least...)
}

// tableHeaders are the headers of tables, which say what all rows have.
func (r *reading) tableHeaders() []string {
	return slices.DeleteFunc(slices.Clone(r.lines), func(line string) bool { return !strings.HasPrefix(line, "rows, each with ") })
}

// linesBelow gives the first line and those below it that are indented further.
func linesBelow(lines []string) []string {
	end := 1
	for end < len(lines) && (lines[end] == "" || indentOf(lines[end]) > indentOf(lines[0])) {
		end++
	}
	return lines[:end]
}

func indentOf(line string) int { return len(line) - len(strings.TrimLeft(line, " ")) }

// calls looks for calls as they are made, with what is said about them in their line.
func (r *reading) calls(n node, path string) {
	for i, item := range n.items {
		call := item
		if get := item.member("get"); get.open != 0 {
			call = get
		}
		made := call.member("tool").text
		if params := call.member("params"); params.open != 0 {
			made += " " + params.compact()
		}
		said := []string{made, item.member("why").text, item.member("what").text, item.member("shown").scalar, item.member("total").scalar}
		if !slices.ContainsFunc(r.lines, func(line string) bool {
			return !slices.ContainsFunc(said, func(part string) bool { return !strings.Contains(line, firstLine(part)) })
		}) {
			r.missing = append(r.missing, fmt.Sprintf("%s[%d] %q", path, i, said))
		}
	}
}

func firstLine(text string) string {
	first, _, _ := strings.Cut(text, "\n")
	return first
}

// unescapeHTML gives JSON as the server writes it, before the SDK escapes it for HTML.
func unescapeHTML(text []byte) string {
	n, err := parse(text)
	if err != nil {
		return string(text)
	}
	return n.compact()
}

// compact is the node as JSON.
func (n node) compact() string {
	if n.open == 0 {
		return n.scalar
	}
	parts := make([]string, len(n.items))
	for i, item := range n.items {
		if parts[i] = item.compact(); n.open == '{' {
			parts[i] = n.keys[i] + ":" + parts[i]
		}
	}
	return string(n.open) + strings.Join(parts, ",") + string(n.open+2)
}

// says looks for one fact.
func (r *reading) says(name string, n node, block []string) bool {
	value := n.scalar
	if n.isText {
		value = n.text
	}
	if words, listed := inOtherWords[name+" "+value]; listed {
		return words == "" || regexp.MustCompile(words).MatchString(strings.Join(block, "\n"))
	}
	spaced := strings.ReplaceAll(name, "_", " ")
	switch {
	case value == "true" && !n.isText:
		return containsText(block, spaced)
	case value == "false" && !n.isText:
		return containsText(block, "not "+spaced) || containsText(block, spaced+": false")
	case name == "message" && strings.Contains(value, "\n"): // its first line may stand in the first of all
		return !slices.ContainsFunc(strings.Split(value, "\n"), func(line string) bool { return !containsText(block, line) })
	case name == "running_ms" && strings.Contains(r.lines[0], " after "):
		return true
	case containsText(block, value):
		return true
	}
	return n.isText && containsText(block, strings.ReplaceAll(value, "_", " "))
}

// containsText says that a text stands in the lines, whole: its first line as words of
// their own, the others each in a line, or all as a cell of a table has it.
func containsText(block []string, text string) bool {
	text = strings.TrimSuffix(text, "\n")
	cell := strings.NewReplacer("\n", `\n`, "\t", `\t`).Replace(text)
	quoted := strings.ReplaceAll(strconv.Quote(text), `\\`, `\`) // where it could be taken for words of the server; what acts is shown in both
	want := strings.Split(text, "\n")
	for i, line := range block {
		if hasWords(line, cell) || strings.Contains(line, quoted) {
			return true
		}
		if !hasWords(line, want[0]) || i+len(want) > len(block) {
			continue
		}
		same := true
		for k, next := range want[1:] {
			got := block[i+1+k]
			before, ok := strings.CutSuffix(got, next)
			same = same && ok && strings.TrimSpace(before) == ""
		}
		if same {
			return true
		}
	}
	return false
}

// hasWords says that a line has a text in it that is not part of a longer word.
func hasWords(line, text string) bool {
	for from := 0; from <= len(line); from++ {
		i := strings.Index(line[from:], text)
		if i < 0 {
			return false
		}
		from += i
		end := from + len(text)
		before, _ := utf8.DecodeLastRuneInString(line[:from])
		first, _ := utf8.DecodeRuneInString(text)
		last, _ := utf8.DecodeLastRuneInString(text)
		after, _ := utf8.DecodeRuneInString(line[end:])
		within := from > 0 && isWord(before) && isWord(first) || end < len(line) && isWord(last) && isWord(after)
		if !within {
			return true
		}
	}
	return false
}

func isWord(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }

// ownWords are those with which the text is laid out.
var ownWords = words(`omitted of next hint field at in thread hit breakpoint breakpoints and no active for ms changed shown caused by value
	stack from frame more rows after row dropped ours theirs run ended before alike also on label tests each with not success signal exit code
	a copy threads look write the fails all that it compares was read`)

// strangeWords are the words of a text that its structured reply has not.
func strangeWords(text string, tree node) []string {
	text = counting.ReplaceAllString(text, "")
	known := words(tree.compact())
	for word := range words(strings.ReplaceAll(tree.compact(), "_", " ")) {
		known[word] = true
	}
	tree.eachText(func(said string) {
		for word := range words(said) {
			known[word] = true
		}
	})
	var strange []string
	for word := range words(text) {
		if !known[word] && !ownWords[word] {
			strange = append(strange, word)
		}
	}
	slices.Sort(strange)
	return strange
}

// counting is a header that numbers what JSON has as a list.
var counting = regexp.MustCompile(`(?m)^ *look \d+$`)

func (n *node) eachText(say func(string)) {
	if n.isText {
		say(n.text)
	}
	for i := range n.items {
		n.items[i].eachText(say)
	}
}

// words are the words of a text.
func words(text string) map[string]bool {
	all := map[string]bool{}
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return !isWord(r) }) {
		all[word] = true
	}
	return all
}
