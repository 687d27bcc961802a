package java

import (
	"strings"
	"testing"

	"aidb-mcp/adapters/java/project/javasrc"
	"aidb-mcp/internal/testkit/filetree"
)

// writeTests writes sources side by side and finds their tests.
func writeTests(t *testing.T, sources map[string]string) (known []javasrc.Test, names string) {
	t.Helper()
	dir := t.TempDir()
	filetree.Write(t, dir, sources)
	known = findTests(dir)
	var list []string
	for _, k := range known {
		list = append(list, k.Class.Name+"#"+k.Name)
	}
	return known, strings.Join(list, " ")
}

func TestTestsAreFoundAndChosen(t *testing.T) {
	known, names := writeTests(t, map[string]string{"CalcTest.java": `package shop;
// @Test void notThis() {}
class CalcTest {
    String s = "@Test void norThis() {";
    @Test
    void adds() { assertEquals(5, sum(2, 3)); }
    @ParameterizedTest @ValueSource(ints = {1, 2})
    void many(int n) {
    }
    void helper() {}
    @Nested
    class Inside {
        @org.junit.jupiter.api.Test @DisplayName("deep (down)") void deep() {}
    }
    @Test void last() {}
}
`})
	if want := "shop.CalcTest#adds shop.CalcTest#many shop.CalcTest#last shop.CalcTest$Inside#deep"; names != want {
		t.Fatalf("found %s, want %s", names, want)
	}
	for name, want := range map[string]string{
		"adds": "adds", "CalcTest.adds": "adds", "CalcTest#adds": "adds", "shop.CalcTest.adds": "adds", "adds()": "adds", "many(int)": "many",
		"Inside.deep": "deep", "CalcTest$Inside#deep": "deep", "CalcTest.deep": "deep", "shop.CalcTest.deep": "deep", "CalcTest.many[2]": "many",
	} {
		c, err := chooseTests(known, name, ".")
		if err != nil || c.whole || len(c.tests) != 1 || c.tests[0].Name != want || (c.index == 2) != strings.Contains(name, "[2]") {
			t.Errorf("%s: %+v %v", name, c, err)
		}
	}
	if c, err := chooseTests(known, "CalcTest", "."); err != nil || !c.whole || len(c.tests) != 3 {
		t.Errorf("the class: %+v %v", c, err)
	}
	if _, err := chooseTests(known, "ads", "."); err == nil || !strings.Contains(err.Error(), `no test "ads"`) {
		t.Errorf("an unknown test: %v", err)
	}
}

// Tests are inherited; TestNG marks whole classes, and JUnit 3 goes by names.
func TestTestsWithoutMarksOfTheirOwn(t *testing.T) {
	for name, c := range map[string]struct {
		sources map[string]string
		want    string
	}{
		"inherited": {map[string]string{
			"Base.java": "abstract class Base {\n  @Test\n  void shared() {}\n}\n",
			"Mine.java": "class Mine extends Base {\n  @Test void own() {}\n}\n",
		}, "Mine#own Mine#shared"},
		"marked class": {map[string]string{
			"AllTest.java": "@Test\npublic class AllTest {\n  public void one() {}\n  private void two() {}\n  @DataProvider public Object[][] data() {\n  }\n  @Test(dataProvider = \"data\")\n  public void three(int n) {}\n}\n",
		}, "AllTest#one AllTest#three"},
		"JUnit 3": {map[string]string{
			"OldTest.java": "public class OldTest extends TestCase {\n  public void testSum() {\n  }\n  public void helper() {}\n}\n",
		}, "OldTest#testSum"},
	} {
		if _, names := writeTests(t, c.sources); names != c.want {
			t.Errorf("%s: found %s, want %s", name, names, c.want)
		}
	}
}

func TestTypesOfParameters(t *testing.T) {
	if got, want := typeNames("I[[JLjava/lang/String;[Lshop/Calc$Mode;Z"), "int, long[][], java.lang.String, shop.Calc$Mode[], boolean"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestRunnersCounts(t *testing.T) {
	for printed, want := range map[string]int{
		"[         3 containers found      ]\n[         3 tests started         ]": 1,
		"[         1 tests skipped         ]\n[         0 tests started         ]": 0,
		"Total tests run: 2, Passes: 1, Failures: 1, Skips: 0":                     1,
		"Total tests run: 0, Passes: 0, Failures: 0, Skips: 0":                     0,
	} {
		d := newDialect("", true)
		run, known := d.TestsPrinted(func(_, text string) []string { return make([]string, strings.Count(printed, text)) })
		if run.Ran != want || !known {
			t.Errorf("%q: %+v, %v", printed, run, known)
		}
		if strings.Contains(printed, "started") && (d.Noise("stdout", "[         0 tests started         ]") || !d.Noise("stdout", "[         0 tests failed          ]")) {
			t.Error("the wrong lines are noise")
		}
	}
	if _, known := newDialect("", true).TestsPrinted(func(_, _ string) []string { return nil }); known {
		t.Error("known before anything was printed")
	}
}
