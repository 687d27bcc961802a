package delve

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	godap "github.com/google/go-dap"
)

// sortMaps puts the entries of each map within a value in the order of their keys, in
// which recorded values have them: Delve shows them as they lie in memory, where the same
// map made again has another order.
func sortMaps(value string) string {
	if !strings.Contains(value, ": ") || !strings.Contains(value, "[") {
		return value
	}
	sorted, rest := sortMapsUntil(value, 0)
	if rest != "" { // it is cut within a quote or bracket
		return value
	}
	return sorted
}

// mostNested is how deep brackets are looked into.
const mostNested = 50

// sortMapsUntil reads up to the bracket that closes what text is within, and gives it with
// its maps sorted.
func sortMapsUntil(text string, depth int) (sorted, rest string) {
	var b strings.Builder
	for text != "" && depth < mostNested {
		switch c := text[0]; c {
		case '"', '\'', '`':
			n := quotedLength(text, c)
			b.WriteString(text[:n])
			text = text[n:]
		case '[', '{', '(':
			inner, after := sortMapsUntil(text[1:], depth+1)
			if c == '[' && strings.HasSuffix(inner, "]") {
				inner = sortEntries(strings.TrimSuffix(inner, "]")) + "]"
			}
			b.WriteByte(c)
			b.WriteString(inner)
			text = after
		case ']', '}', ')':
			b.WriteByte(c)
			return b.String(), text[1:]
		default:
			b.WriteByte(c)
			text = text[1:]
		}
	}
	return b.String(), text
}

// quotedLength is that of a text in quotes at the beginning, with them; all where it has
// no end.
func quotedLength(text string, quote byte) int {
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case quote:
			return i + 1
		}
	}
	return len(text)
}

// sortEntries sorts what stands in brackets if all of it are entries of a map.
func sortEntries(inner string) string {
	entries := splitTopLevel(inner, ", ")
	more := ""
	if last := len(entries) - 1; last >= 0 && strings.HasPrefix(entries[last], "...+") {
		entries, more = entries[:last], entries[last]
	}
	keys := make(map[string]string, len(entries))
	for _, e := range entries {
		parts := splitTopLevel(e, ": ")
		if len(parts) < 2 || strings.HasPrefix(e, "(unreadable") {
			return inner
		}
		keys[e] = parts[0]
	}
	slices.SortStableFunc(entries, func(a, b string) int { return compareKeys(keys[a], keys[b]) })
	if more != "" {
		entries = append(entries, more)
	}
	return strings.Join(entries, ", ")
}

// splitTopLevel cuts a text at a separator that stands in no quotes and no brackets.
func splitTopLevel(text, separator string) []string {
	var parts []string
	depth, from := 0, 0
	for i := 0; i < len(text); {
		switch c := text[i]; {
		case c == '"' || c == '\'' || c == '`':
			i += quotedLength(text[i:], c)
			continue
		case strings.IndexByte("[{(", c) >= 0:
			depth++
		case strings.IndexByte("]})", c) >= 0:
			depth--
		case depth == 0 && strings.HasPrefix(text[i:], separator):
			parts = append(parts, text[from:i])
			i += len(separator)
			from = i
			continue
		}
		i++
	}
	return append(parts, text[from:])
}

// compareKeys compares two keys as they are shown: numbers by their value, texts by what
// they say.
func compareKeys(a, b string) int {
	if x, err := strconv.ParseInt(number64(a), 10, 64); err == nil {
		if y, err := strconv.ParseInt(number64(b), 10, 64); err == nil {
			return cmp.Compare(x, y)
		}
	}
	if x, err := strconv.ParseFloat(number64(a), 64); err == nil {
		if y, err := strconv.ParseFloat(number64(b), 64); err == nil {
			return cmp.Compare(x, y)
		}
	}
	if x, err := strconv.Unquote(a); err == nil {
		if y, err := strconv.Unquote(b); err == nil {
			return cmp.Compare(x, y)
		}
	}
	return cmp.Compare(a, b)
}

// number64 is a number without the letter or the other form that stands behind it.
func number64(key string) string {
	n, _, _ := strings.Cut(key, " ")
	return n
}

// areMapEntries says that variables are the entries of a map: named by its keys, which no field
// and no element of a list is.
func areMapEntries(vars []godap.Variable) bool {
	return len(vars) > 1 && !slices.ContainsFunc(vars, func(v godap.Variable) bool {
		if strings.HasPrefix(v.Name, `"`) {
			return false
		}
		_, err := strconv.ParseFloat(number64(v.Name), 64)
		return err != nil
	})
}
