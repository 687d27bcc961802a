package project

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"aidb-mcp/internal/project/workspace"
	"aidb-mcp/internal/project/workspace/workspacetest"
	"aidb-mcp/internal/testkit"
	"aidb-mcp/internal/testkit/filetree"
)

// known is the language of these tests.
var known = workspace.Languages{&Support}

func mainOf(pkg, class, body string) string {
	return fmt.Sprintf("package %s;\n\npublic class %s {\n    public static void main(String[] args) {\n        %s\n    }\n}\n", pkg, class, body)
}

func testOf(pkg, class string, methods ...string) string {
	text := "package " + pkg + ";\n\nimport org.junit.jupiter.api.Test;\n\nclass " + class + " {\n"
	for _, m := range methods {
		text += "    @Test\n    void " + m + "() {}\n"
	}
	return text + "}\n"
}

// briefly are the first test and the first program of a tree, in one line each.
func briefly(t *testing.T, root string) (test, program string) {
	t.Helper()
	tests, programs := workspacetest.Starts(t, known, root)
	if len(tests) > 0 {
		test = tests[0].Framework + " " + tests[0].Target + " " + tests[0].Name
	}
	if len(programs) > 0 {
		p := programs[0]
		program = strings.TrimSpace(p.Framework + " " + p.Target)
		if p.Serves {
			program += " serves"
		}
	}
	return test, program
}

func TestStartsOfJava(t *testing.T) {
	cases := map[string]struct {
		files         map[string]string
		test, program string
	}{
		"nested tests alone": {
			map[string]string{
				"pom.xml": "<project/>",
				"src/test/java/com/example/CartTest.java": "package com.example;\nimport org.junit.jupiter.api.*;\n@DisplayName(\"A cart (of ours)\")\nclass CartTest {\n  @Nested\n  class WhenFilled {\n" +
					"    @Test\n    @DisplayName(\"costs (by count)\")\n    void total() {}\n  }\n}\n",
			},
			"JUnit 5 src/test/java/com/example/CartTest.java CartTest.WhenFilled.total", "",
		},
		"libraries of tests and examples come last": {
			map[string]string{
				"a/pom.xml": "<project/>", "a/src/main/java/a/KitTest.java": testOf("a", "KitTest", "helps"),
				"core/pom.xml": "<project/>", "core/src/test/java/core/CartTest.java": testOf("core", "CartTest", "adds"),
				"core/src/main/java/core/test/Main.java": mainOf("core.test", "Main", ""),
				"a-examples/src/main/java/Show.java":     mainOf("show", "Show", ""),
			},
			"JUnit 5 core/src/test/java/core/CartTest.java CartTest.adds", "core/src/main/java/core/test/Main.java",
		},
		"tests that are not run come after those that are": {
			map[string]string{
				"pom.xml":                       "<project/>",
				"src/test/java/a/OffTest.java":  "package a;\nimport org.junit.jupiter.api.*;\n@Disabled\nclass OffTest {\n  @Test void never() {}\n}\n",
				"src/test/java/a/SomeTest.java": "package a;\nimport org.junit.jupiter.api.*;\nclass SomeTest {\n  @Test @Disabled(\"later\") void later() {}\n  @Test void now() {}\n}\n",
				"src/test/java/a/AllIT.java":    testOf("a", "AllIT", "everything"),
			},
			"JUnit 5 src/test/java/a/SomeTest.java SomeTest.now", "",
		},
		"rows over several lines": {
			map[string]string{
				"build.gradle":                 "",
				"src/test/java/a/TaxTest.java": "package a;\nimport org.junit.jupiter.params.*;\nclass TaxTest {\n  @ParameterizedTest\n  @CsvSource({\n    \"1, 2\",\n  })\n  void due(int a, int b) {}\n}\n",
			},
			"JUnit 5 src/test/java/a/TaxTest.java TaxTest.due", "",
		},
		"inherited tests, the head on two lines": {
			map[string]string{
				"pom.xml":                        "<project/>",
				"src/test/java/a/BaseTests.java": "package a;\nimport org.junit.Test;\npublic abstract class BaseTests {\n  @Test public void shared() {}\n}\n",
				"src/test/java/a/MineTest.java":  "package a;\npublic class MineTest\n    extends BaseTests {\n}\n",
			},
			"JUnit 4 src/test/java/a/MineTest.java MineTest.shared", "",
		},
		"several mains: the one that the build names": {
			map[string]string{
				"pom.xml":                     "<project><build><plugins><plugin><configuration><archive><manifest><mainClass>a.b.Shop</mainClass></manifest></archive></configuration></plugin></plugins></build></project>",
				"src/main/java/a/Admin.java":  mainOf("a", "Admin", ""),
				"src/main/java/a/b/Shop.java": mainOf("a.b", "Shop", ""),
				"src/test/java/a/Try.java":    mainOf("a", "Try", ""),
			},
			"", "src/main/java/a/b/Shop.java",
		},
		"a main among the tests is the last": {
			map[string]string{
				"build.gradle":               "",
				"src/test/java/a/Bench.java": mainOf("a", "Bench", ""),
				"src/main/java/a/b/App.java": mainOf("a.b", "App", ""),
			},
			"", "src/main/java/a/b/App.java",
		},
		"Gradle names its main class": {
			map[string]string{
				"build.gradle.kts":                    "application {\n    mainClass.set(\"org.example.Late\")\n}\n",
				"src/main/java/a/Early.java":          mainOf("a", "Early", ""),
				"src/main/java/org/example/Late.java": mainOf("org.example", "Late", ""),
			},
			"", "src/main/java/org/example/Late.java",
		},
		"modules, of which one is for tools": {
			map[string]string{
				"pom.xml":                            "<project><modules><module>tools</module><module>web</module></modules></project>",
				"tools/pom.xml":                      "<project/>",
				"tools/src/main/java/a/Convert.java": mainOf("a", "Convert", ""),
				"web/pom.xml":                        "<project/>",
				"web/src/main/java/com/example/web/Main.java": mainOf("com.example.web", "Main", ""),
			},
			"", "web/src/main/java/com/example/web/Main.java",
		},
		"a server of Spring's before a tool": {
			map[string]string{
				"build.gradle":                   "dependencies { implementation 'org.springframework.boot:spring-boot-starter-web' }",
				"src/main/java/a/Tool.java":      mainOf("a", "Tool", ""),
				"src/main/java/a/b/c/Shop.java":  "@SpringBootApplication\n" + mainOf("a.b.c", "Shop", "SpringApplication.run(Shop.class, args);"),
				"src/main/resources/X.java":      mainOf("x", "X", ""),
				"src/test/resources/a/Data.java": mainOf("a", "Data", ""),
			},
			"", "Spring Boot src/main/java/a/b/c/Shop.java serves",
		},
		"a Spring program that serves nobody": {
			map[string]string{
				"pom.xml":                   "<project><dependencies><dependency><artifactId>spring-boot-starter</artifactId></dependency></dependencies></project>",
				"src/main/java/a/Once.java": mainOf("a", "Once", "SpringApplication.run(Once.class, args);"),
			},
			"", "Spring Boot src/main/java/a/Once.java",
		},
		"the JDK's own server": {
			map[string]string{"Serve.java": mainOf("", "Serve", "HttpServer.create(new InetSocketAddress(0), 0).start();")},
			"", "Serve.java serves",
		},
		"packages called example or test say nothing of what they are for": {
			map[string]string{
				"pom.xml": "<project/>",
				"src/test/java/com/example/test/CartTest.java": testOf("com.example.test", "CartTest", "adds"),
				"web/test/cart.test.js":                        "test('x', () => {})\n",
				"web/package.json":                             `{"devDependencies": {"jest": "1"}}`,
				"src/main/java/com/example/Cart.java":          "package com.example;\nclass Cart {}\n",
			},
			"JUnit 5 src/test/java/com/example/test/CartTest.java CartTest.adds", "",
		},
		"sources without the usual folders": {
			map[string]string{
				"build.xml": "<project/>", "src/shop/Main.java": mainOf("shop", "Main", ""), "test/shop/MainTest.java": testOf("shop", "MainTest", "runs"),
			},
			"JUnit 5 test/shop/MainTest.java MainTest.runs", "src/shop/Main.java",
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			test, program := briefly(t, filetree.New(t, c.files))
			if test != c.test || program != c.program {
				t.Errorf("first test %q, want %q; first program %q, want %q", test, c.test, program, c.program)
			}
		})
	}
}

func TestJavaThatIsAskedFor(t *testing.T) {
	p := workspacetest.Detect(t, known, filetree.New(t, map[string]string{
		".sdkmanrc":              "# of the team\njava=21.0.2-tem\n",
		"a/.java-version":        "17\n",
		"b/.tool-versions":       "nodejs 20.1.0\njava temurin-21.0.2+13.0.LTS\n",
		"c/mise.toml":            "[tools]\njava = \"21\"\n",
		"d/build.gradle.kts":     "java { toolchain { languageVersion.set(JavaLanguageVersion.of(17)) } }\n",
		"e/pom.xml":              "<project><build><plugins><plugin><configuration><toolchains><jdk><version>11</version></jdk></toolchains></configuration></plugin></plugins></build></project>",
		"f/.tool-versions":       "nodejs 20.1.0\n",
		"node_modules/.sdkmanrc": "java=8\n",
	}))
	var got []string
	for _, e := range p.Environments {
		if e.Language == "java" {
			got = append(got, e.Path+": "+e.Name)
		}
	}
	want := []string{
		".sdkmanrc: Java 21.0.2-tem by sdkman", "a/.java-version: Java 17 by jenv", "b/.tool-versions: Java temurin-21.0.2+13.0.LTS by asdf",
		"c/mise.toml: Java 21 by mise", "d/build.gradle.kts: Java 17 by a toolchain", "e/pom.xml: Java 11 by a toolchain",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

const rowsTest = `package a;
import org.junit.jupiter.api.*;
class RowsTest {
    @ParameterizedTest void rows(int a) {}
    @Test void plain() {}
    @Nested class Deep {
        @Test @DisplayName("goes wrong (deep)") void wrong() {}
    }
    @TestFactory List<DynamicTest> made() { return null; }
}
`

// What Surefire and Gradle leave names tests in many ways.
func TestJavaTestsThatFailed(t *testing.T) {
	failing := func(name, class, trace string) string {
		return fmt.Sprintf("<testsuite name=\"x\" tests=\"1\" errors=\"0\" failures=\"1\">\n<properties><property name=\"a\" value=\"b\"/></properties>\n"+
			"<testcase name=\"passes\" classname=%q/>\n<testcase name=%q classname=%q><failure message=\"m &lt;1>\" type=\"E\"><![CDATA[%s]]></failure></testcase>\n</testsuite>\n", class, name, class, trace)
	}
	for name, c := range map[string]struct{ report, text, want string }{
		"by method":         {"target/surefire-reports/TEST-a.RowsTest.xml", failing("plain", "a.RowsTest", ""), "RowsTest.plain"},
		"a row":             {"target/surefire-reports/TEST-a.RowsTest.xml", failing("rows(int)[2]", "a.RowsTest", ""), "RowsTest.rows[2]"},
		"an older Surefire": {"target/surefire-reports/TEST-a.RowsTest.xml", failing("rows{int}[1]", "a.RowsTest", ""), "RowsTest.rows[1]"},
		"Gradle's":          {"build/test-results/test/TEST-a.RowsTest.xml", failing("plain()", "a.RowsTest", ""), "RowsTest.plain"},
		"Gradle's row": {"build/test-results/test/TEST-a.RowsTest.xml",
			failing("[2] 3, 4", "a.RowsTest", "E: m\n\tat org.junit.Assert.fail(Assert.java:3)\n\tat a.RowsTest.rows(RowsTest.java:4)\n"), "RowsTest.rows[2]"},
		"a name for people": {"build/test-results/integrationTest/TEST-a.RowsTest$Deep.xml",
			failing("goes wrong (deep)", "a.RowsTest$Deep", "E: m\n\tat app//a.RowsTest$Deep.wrong(RowsTest.java:6)\n"), "RowsTest.Deep.wrong"},
		"a dynamic test": {"target/failsafe-reports/TEST-a.RowsTest.xml",
			failing("one", "a.RowsTest", "E: m\n\tat a.RowsTest.lambda$made$0(RowsTest.java:7)\n"), "RowsTest.made"},
		"the setup":              {"target/surefire-reports/TEST-a.RowsTest.xml", failing("", "a.RowsTest", "E: m\n\tat a.RowsTest.all(RowsTest.java:3)\n"), "RowsTest"},
		"a class that is gone":   {"target/surefire-reports/TEST-a.GoneTest.xml", failing("plain", "a.GoneTest", ""), ""},
		"a report that is cut":   {"target/surefire-reports/TEST-a.RowsTest.xml", failing("plain", "a.RowsTest", "")[:200], ""},
		"a report without fault": {"target/surefire-reports/TEST-a.RowsTest.xml", `<testsuite errors="0" failures="0"><testcase name="plain" classname="a.RowsTest"/></testsuite>`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			root := filetree.New(t, map[string]string{
				"pom.xml": "<project/>", "m/pom.xml": "<project/>",
				"src/test/java/a/FirstTest.java":  testOf("a", "FirstTest", "first"),
				"m/src/test/java/a/RowsTest.java": rowsTest,
				"src/test/java/a/RowsTest.java":   testOf("a", "RowsTest", "plain"), // of another module
				"m/" + c.report:                   c.text,
			})
			tests, _ := workspacetest.Starts(t, known, root)
			want := workspace.Start{Language: "java", Framework: "JUnit 5", Test: true, Target: "m/src/test/java/a/RowsTest.java", Name: c.want, Reason: workspace.Failed}
			if c.want == "" {
				want = workspace.Start{Language: "java", Framework: "JUnit 5", Test: true, Target: "src/test/java/a/FirstTest.java", Name: "FirstTest.first"}
			}
			if diff := cmp.Diff(want, tests[0]); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// The results of a large project are looked at quickly.
func TestJavaReportsOfALargeProject(t *testing.T) {
	files := map[string]string{"pom.xml": "<project/>"}
	filler := strings.Repeat("<property name=\"java.class.path\" value=\"/a/long/one\"/>\n", 200)
	for i := range 300 {
		class := fmt.Sprintf("C%03dTest", i)
		files["src/test/java/a/"+class+".java"] = testOf("a", class, "one")
		files["target/surefire-reports/TEST-a."+class+".xml"] = `<testsuite errors="0" failures="0"><properties>` + filler + `</properties></testsuite>`
	}
	files["target/surefire-reports/TEST-a.C299Test.xml"] = `<testsuite errors="1" failures="0"><testcase name="one" classname="a.C299Test"><error/></testcase></testsuite>`
	root := filetree.New(t, files)
	began := testkit.Processor(t)
	tests, _ := workspacetest.Starts(t, known, root)
	if took := testkit.Processor(t) - began; took > 3*time.Second {
		t.Errorf("it took %v", took)
	}
	if tests[0].Name != "C299Test.one" || tests[0].Reason != workspace.Failed {
		t.Errorf("%+v", tests[0])
	}
}

// What is found in projects.
func TestDetect(t *testing.T) {
	for name, c := range map[string]workspacetest.Project{
		"java's kinds of tests": {
			Files: map[string]string{
				"shop/Base.java": "package shop;\n\nimport org.junit.jupiter.api.Test;\n\nabstract class Base<T> {\n    @Test\n    void inherited() {}\n}\n",
				"shop/KindsTest.java": "package shop;\n\nimport java.util.stream.Stream;\n\nclass KindsTest extends Base {\n    @TestFactory\n    Stream<DynamicTest> made() {\n        return null;\n    }\n\n" +
					"    @org.junit.jupiter.api.Test\n    void own() {}\n}\n",
			},
			Want: workspacetest.Found{
				Tests:      []workspace.Suite{{Language: "java", Framework: "JUnit 5", Path: ".", Target: "shop/KindsTest.java", Names: []string{"KindsTest.made", "KindsTest.own", "KindsTest.inherited"}, Total: 3}},
				Frameworks: []workspace.Framework{{Language: "java", Name: "JUnit 5"}},
			},
		},
		"java": {
			Files: map[string]string{
				"pom.xml":                          "<project/>",
				"src/main/java/shop/Main.java":     "package shop;\n\npublic class Main {\n    public static void main(String[] args) {}\n}\n",
				"src/main/java/shop/Short.java":    "class Short { static void main() {} }\n",
				"src/test/java/shop/CartTest.java": "package shop;\n\nimport org.junit.jupiter.api.Test;\n\nclass CartTest {\n    @Test\n    void adds() {}\n\n    @Test @Disabled(\"x\")\n    public void later() {}\n\n    void helper() {}\n}\n",
			},
			Want: workspacetest.Found{
				Programs: []workspace.Program{{Language: "java", Path: "src/main/java", Target: "src/main/java/shop/Main.java", File: "src/main/java/shop/Main.java", Line: 4},
					{Language: "java", Path: "src/main/java/shop", Target: "src/main/java/shop/Short.java", File: "src/main/java/shop/Short.java", Line: 1}},
				Tests:      []workspace.Suite{{Language: "java", Framework: "JUnit 5", Path: "src/test/java", Target: "src/test/java/shop/CartTest.java", Names: []string{"CartTest.adds", "CartTest.later"}, Total: 2}},
				Frameworks: []workspace.Framework{{Language: "java", Name: "JUnit 5"}},
			},
		},
	} {
		t.Run(name, func(t *testing.T) { c.Check(t, known) })
	}
}
