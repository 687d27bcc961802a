package judge

import (
	"testing"

	"aidb-mcp/internal/text/exprsyntax"
)

// The sides of a condition that has let a statement fail are what it hands to the call
// that compares them, as those of an operator are.
func TestGuardsThatCall(t *testing.T) {
	throws := map[string]string{
		"go": "t.Errorf(`x`)", "java": `throw new IllegalStateException("x");`, "js": `throw new Error("x");`,
		"python": `raise ValueError("x")`, "c": "abort();", "rust": `panic!("x");`,
	}
	languages := map[string]exprsyntax.Language{
		"go": exprsyntax.Go, "java": exprsyntax.Java, "js": exprsyntax.JavaScript, "python": exprsyntax.Python, "c": exprsyntax.C, "rust": exprsyntax.Rust,
	}
	for _, c := range []struct {
		language, above string
		want            Operands
	}{
		{"go", "if !reflect.DeepEqual(got, want) {", differ("got", "want")},
		{"go", "if got := half(n); !bytes.Equal(got, want[n]) {", differ("got", "want[n]")},
		{"go", "if !slices.EqualFunc(got, want, same) {", differ("got", "want")},
		{"go", "if !a.at.Equal(b.at) {", differ("a.at", "b.at")},
		{"go", "if diff := cmp.Diff(want, got, options...); diff != `` {", Operands{Left: "diff", Right: "``", Operator: "!="}},
		{"go", `if diff := cmp.Diff(want, got, options...); diff != "" {`, differ("want", "got")},
		{"go", `if text := cmp.Diff(want, got); diff != "" {`, Operands{Left: "diff", Right: `""`, Operator: "!="}},
		{"go", `if bytes.Compare(got, want) != 0 {`, differ("got", "want")},
		{"go", `if a.Cmp(b) > 0 {`, Operands{Left: "a.Cmp(b)", Right: "0", Operator: ">"}},
		{"go", "if reflect.DeepEqual(got, want) {", Operands{Left: "got", Right: "want", Operator: "=="}},
		{"go", "if !slices.Contains(got, want) {", Operands{Left: "!slices.Contains(got, want)"}},
		{"go", "if !bytes.Equal(a, b) || late {", Operands{Left: "!bytes.Equal(a, b) || late"}},
		{"go", "if !slices.EqualFunc(got, want, same)[0] {", Operands{Left: "!slices.EqualFunc(got, want, same)[0]"}},
		{"java", "if (!got.equals(want)) {", differ("got", "want")},
		{"java", "if (!Objects.equals(row.name(), want))", differ("row.name()", "want")},
		{"java", "if (total.compareTo(want) != 0) {", differ("total", "want")},
		{"java", "if (!(got == want)) {", differ("got", "want")},
		{"java", "if (!(got == want).x()) {", Operands{Left: "!(got == want).x()"}},
		{"js", "if (!isDeepStrictEqual(got, want)) {", differ("got", "want")},
		{"js", "if (!util.isDeepStrictEqual(got, [1, 2])) {", differ("got", "[1, 2]")},
		{"js", "if (!got.equals(want)) {", differ("got", "want")},
		{"js", "if (!sum.equals(77, 60)) {", Operands{Left: "!sum.equals(77, 60)"}},
		{"js", "if (got.localeCompare(want, 'de') !== 0) {", Operands{Left: "got.localeCompare(want, 'de')", Right: "0", Operator: "!=="}},
		{"java", "if (!line.equals(from, to)) {", Operands{Left: "!line.equals(from, to)"}},
		{"go", "if !got.Equal(want, 0.1) {", Operands{Left: "!got.Equal(want, 0.1)"}},
		{"c", "if (got.compare(0, 3, want) != 0) {", Operands{Left: "got.compare(0, 3, want)", Right: "0", Operator: "!="}},
		{"js", "if (!got.includes(want)) {", Operands{Left: "!got.includes(want)"}},
		{"js", "if (!(got === want)) {", Operands{Left: "got", Right: "want", Operator: "!=="}},
		{"python", "if not math.isclose(got, want, rel_tol=0.1):", differ("got", "want")},
		{"python", "if not got == want:", differ("got", "want")},
		{"python", "if not (got is want):", Operands{Left: "got", Right: "want", Operator: "is not"}},
		{"python", "if not got == want and late:", Operands{Left: "not got == want and late"}},
		{"python", "if not got.isclose(want):", Operands{Left: "not got.isclose(want)"}},
		{"c", "if (strcmp(got, want) != 0) {", differ("got", "want")},
		{"c", "if (memcmp(got, want, n))", differ("got", "want")},
		{"c", "if (!strcmp(got, want)) {", Operands{Left: "got", Right: "want", Operator: "=="}},
		{"c", "if (got.compare(want) != 0) {", differ("got", "want")},
		{"rust", "if !got.eq(want) {", differ("got", "want")},
	} {
		stop := known(languages[c.language], Stop{Type: "x"}, throws[c.language], c.above)
		got := stop.Comparison.Operands
		got.Arguments = nil
		if !stop.Comparison.Guards || got.Left != c.want.Left || got.Right != c.want.Right || got.Operator != c.want.Operator {
			t.Errorf("%s: %s compares %+v, want %+v", c.language, c.above, got, c.want)
		}
	}
}

func differ(left, right string) Operands { return Operands{Left: left, Right: right, Operator: "!="} }

// A name stands for what was compared only where it was given that right in front of its
// condition.
func TestDifferenceGivenBefore(t *testing.T) {
	for name, c := range map[string]struct {
		above []string
		want  string
	}{
		"the line above":    {[]string{"diff := cmp.Diff(want, got)", `if diff != "" {`}, "want"},
		"within the if":     {[]string{"x := 1", `if diff := cmp.Diff(want, got); diff != "" {`}, "want"},
		"a line between":    {[]string{"diff := cmp.Diff(want, got)", "diff = shorten(diff)", `if diff != "" {`}, "diff"},
		"added to":          {[]string{`diff := cmp.Diff(want, got) + "."`, `if diff != "" {`}, "diff"},
		"another is given":  {[]string{"other := cmp.Diff(want, got)", `if diff != "" {`}, "diff"},
		"a call of its own": {[]string{"diff := compare(want, got)", `if diff != "" {`}, "diff"},
	} {
		stop := known(exprsyntax.Go, Stop{Type: "test failure", Testing: true}, "t.Error(diff)", c.above...)
		if got := stop.Comparison.Left; got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
