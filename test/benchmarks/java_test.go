//go:build linux

package benchmarks

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"aidb-mcp/internal/testkit/registry"
)

var commonsText = registry.Pin{From: registry.Maven, Name: "org.apache.commons:commons-text:1.10.0:jar:sources", Sum: "e767596163da9b22e8fc83ff954e41e19e96744df7625b06f8daac3c4d60f79d"}

// java are classes of Commons Text, each with those it needs in one file with the check.
var java = set{
	Name: "java", By: []string{"java_test.go"}, Language: "Java", Title: "six classes of Commons Text 1.10.0, with planted faults",
	Make: func(m *maker) []program { return m.check(inJava, javaSubjects...) },
}

func textSubject(name string, keep int, needs []string, calls ...string) subject {
	s := subject{Name: strings.ToLower(name), Pin: commonsText, Keep: keep, Calls: calls}
	for _, class := range append([]string{name}, needs...) {
		s.Files = append(s.Files, "org/apache/commons/text/similarity/"+class+".java")
	}
	return s
}

var javaSubjects = []subject{
	textSubject("LevenshteinDistance", 5, []string{"EditDistance", "SimilarityScore"},
		`new LevenshteinDistance().apply("", "abc")`, `new LevenshteinDistance().apply("kitten", "sitting")`, `new LevenshteinDistance().apply("elephant", "hippo")`,
		`new LevenshteinDistance(2).apply("frog", "fog")`, `new LevenshteinDistance(3).apply("elephant", "hippo")`, `new LevenshteinDistance(7).apply("hippo", "elephant")`),
	textSubject("HammingDistance", 2, []string{"EditDistance", "SimilarityScore"},
		`new HammingDistance().apply("", "")`, `new HammingDistance().apply("1011101", "1001001")`, `new HammingDistance().apply("ATCG", "TAGC")`),
	textSubject("LevenshteinDetailedDistance", 4, []string{"LevenshteinResults", "EditDistance", "SimilarityScore"},
		`new LevenshteinDetailedDistance().apply("", "abc").toString()`, `new LevenshteinDetailedDistance().apply("kitten", "sitting").toString()`,
		`new LevenshteinDetailedDistance(3).apply("elephant", "hippo").getDistance()`, `new LevenshteinDetailedDistance(9).apply("hippo", "elephant").toString()`),
	textSubject("JaccardSimilarity", 2, []string{"SimilarityScore"},
		`new JaccardSimilarity().apply("", "")`, `new JaccardSimilarity().apply("left", "right")`, `new JaccardSimilarity().apply("night", "nacht")`, `new JaccardSimilarity().apply("a", "")`),
	textSubject("LongestCommonSubsequence", 3, []string{"SimilarityScore"},
		`new LongestCommonSubsequence().apply("", "a")`, `new LongestCommonSubsequence().apply("frog", "fog")`, `new LongestCommonSubsequence().longestCommonSubsequence("elephant", "hippo").toString()`,
		`new LongestCommonSubsequence().longestCommonSubsequence("ABC Corporation", "ABC Corp").toString()`),
	textSubject("FuzzyScore", 3, nil,
		`new FuzzyScore(java.util.Locale.ENGLISH).fuzzyScore("", "a")`, `new FuzzyScore(java.util.Locale.ENGLISH).fuzzyScore("Workshop", "wo")`,
		`new FuzzyScore(java.util.Locale.ENGLISH).fuzzyScore("Apache Software Foundation", "asf")`),
}

var inJava = language{
	Probe: probeJava,
	Run:   []string{"timeout", "30", "java", "Probe.java"},
	Raised: func(out string) (raised, message, place string) {
		if at := thrownInJava.FindStringSubmatch(out); at != nil {
			raised, message = at[1], at[2]
		}
		if at := firstInJava.FindStringSubmatch(out); at != nil {
			place = at[1]
		}
		return raised, message, place
	},
	Forms: []form{
		{Name: "local", Check: checkJava("if (!got.equals(WANT)) throw new AssertionError(\"wrong answer\");", true), Verdict: "exception", Raised: "AssertionError", Message: "wrong answer", Threw: "exception"},
		{Name: "call", Check: checkJava("if (!java.util.Objects.equals(CALL, WANT)) throw new IllegalStateException(\"wrong answer\");", false), Verdict: "exception", Raised: "IllegalStateException", Message: "wrong answer", Threw: "exception"},
	},
}

var (
	thrownInJava = regexp.MustCompile(`(?m)^Exception in thread "main" (?:\w+\.)*(\w+)(?:: (.*))?$`)
	firstInJava  = regexp.MustCompile(`(?m)^\tat .*\((Probe\.java:\d+)\)$`)
	imported     = regexp.MustCompile(`(?m)^import [\w.]+;$`)
	packaged     = regexp.MustCompile(`(?m)^(?:package|import) .*;$`)
	published    = regexp.MustCompile(`(?m)^public ((?:final |abstract )*(?:class|interface))`)
)

// beginsSubject stands in front of the subject in a file that has both.
const beginsSubject = "// what is checked"

// oneFile puts a class and those that it needs behind a class of its own: Java runs a
// single file without a build.
func oneFile(class string, sources []string) string {
	var imports []string
	var rest strings.Builder
	for _, text := range sources {
		for _, line := range imported.FindAllString(text, -1) {
			if !slices.Contains(imports, line) {
				imports = append(imports, line)
			}
		}
		rest.WriteString(published.ReplaceAllString(packaged.ReplaceAllString(text, ""), "$1"))
	}
	return strings.Join(imports, "\n") + "\n" + class + beginsSubject + "\n" + rest.String()
}

func probeJava(s subject, sources []string) map[string]string {
	all := []string{"public class Probe {",
		"  static void put(Object v) { System.out.println(\"=> \" + (v instanceof String ? '\"' + (String) v + '\"' : String.valueOf(v))); }",
		"  public static void main(String[] args) {", "    System.out.println(\"" + started + "\");"}
	for _, call := range s.Calls {
		all = append(all, "    put("+call+");")
	}
	text, _ := lines(append(all, "  }", "}")...)
	return map[string]string{"Probe.java": oneFile(text, sources)}
}

func checkJava(check string, local bool) func(s subject, sources, calls, wants []string) checked {
	return func(s subject, sources, calls, wants []string) checked {
		all := []string{"public class Check {", "  static void check() {"}
		left := calls[len(calls)-1]
		if local {
			all, left = append(all, "    Object got;"), "got"
		}
		for i, call := range calls {
			if local {
				all = append(all, "    got = "+call+";")
			}
			all = append(all, "@    "+filled(check, call, wants[i]))
		}
		text, at := lines(append(all, "  }", "", "  public static void main(String[] args) {", "    check();", "  }", "}")...)
		whole := oneFile(text, sources)
		at += strings.Count(whole[:strings.Index(whole, text)], "\n")
		return checked{Files: map[string]string{"Check.java": whole}, Question: map[string]any{"target": "Check.java"},
			Place: fmt.Sprintf("Check.java:%d", at), Left: left, Right: wants[len(calls)-1]}
	}
}
