package javasrc

import (
	"strings"
	"testing"
)

func names(text string) string {
	var list []string
	for _, t := range Tests(Classes(text)) {
		name := t.Short()
		if t.Off {
			name = "-" + name
		}
		list = append(list, name)
	}
	return strings.Join(list, " ")
}

func TestTestsOfASource(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"annotations over several lines": {`package shop;
class TaxTest {
    @ParameterizedTest(name = "{0} in {1} (net)")
    @CsvSource({
        "1000, DE, 190", // a row
        "333, SE, 83",
    })
    void due(long net, String country) {}

    @Test
    @EnabledIf(
        value = "present()",
        disabledReason = "no (such) thing")
    @DisplayName("it's (so) simple")
    public void simple() {}
}
`, "TaxTest.due TaxTest.simple"},
		"not to be run": {`class CartTest {
    @Test @Disabled("later") void later() {}
    @Test
    @Disabled
    void never() {}
    @Test void now() {}
    @Disabled
    @Nested
    class Slow {
        @Test void waits() {}
    }
    @org.testng.annotations.Test(groups = "x", enabled = false)
    public void unwanted() {}
    @Nested class Quick {
        @Test void runs() {}
    }
}
`, "-CartTest.later -CartTest.never CartTest.now -CartTest.unwanted -CartTest.Slow.waits CartTest.Quick.runs"},
		"head over several lines": {`abstract class Base {
    @Test void shared() {}
}
public class MineTest
        extends Base
        implements Thing {
}
`, "MineTest.shared"},
		"text that looks like tests": {"class T {\n  String s = \"\"\"\n  @Test void a() {}\n  \"\"\";\n /* @Test void b() {} */\n  @Test void c() {}\n}\n", "T.c"},
	} {
		if got := names(c.text); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
	if Classes("class Plain { void run() {} }") != nil {
		t.Error("a class that cannot have tests")
	}
	if got := Package("// a\npackage shop.cart;\n"); got != "shop.cart" {
		t.Error(got)
	}
}
