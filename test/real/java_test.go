//go:build linux

package real

import "aidb-mcp/internal/testkit/registry"

// mavenBuild compiles a project with its tests, every artifact checked.
var mavenBuild = []string{"mvn", "--quiet", "--batch-mode", "--strict-checksums", "test-compile"}

var java = []project{{
	Name: "commons-cli", Title: "Commons CLI 1.9.0, with JUnit 5", Language: "Java", Small: true,
	Long: "Maven builds it; what it builds and JUnit runs is in the short run otherwise",
	Pins: []registry.Pin{
		{From: registry.Maven, Name: "commons-cli:commons-cli:1.9.0:jar:sources", Sum: "d551046d6abf01a6cd27cacb607b320daa90ade1b7a6e96ea98d142b18d9170e", Into: "src/main/java"},
		{From: registry.Maven, Name: "commons-cli:commons-cli:1.9.0:jar:test-sources", Sum: "454c0d2e717de60a2f9425ae2cad7b117ea32399e06413ce4ca7d13f05acbda0", Into: "src/test/java"},
	},
	Edits: []edit{
		{"src/main/java/org/apache/commons/cli/Util.java", "str.substring(2)", "str.substring(1)"},
		{"src/main/java/org/apache/commons/cli/Converter.java", "(Number) Double.valueOf(s)", "(Number) Float.valueOf(s)"},
	},
	Build: [][]string{
		{"sh", "-ec", "cd src/test/java/org/apache/commons/cli; rm HelpFormatterTest.java OptionTest.java TypeHandlerTest.java"}, // need more libraries
		mavenBuild,
	},
	Journeys: []journey{
		{"failing test", "a JUnit 5 test stops at the assertion that fails, with JUnit's message; the method under test is stepped through", cliTest},
		{"parametrised test", "a @ParameterizedTest runs by its name and stops at the case that fails, with the case's arguments", cliParametrised},
		{"trace", "tables show the calls of a failing test and the lines of one call, with the values that JUnit reports", cliTrace},
		{"why", "why follows the parser's result back through four calls to the literal in the test", cliWhy},
		{"diagnose", "diagnose names the call with the wrong result, and the calls of the code under test", cliDiagnosis},
	},
}, {
	Name: "gson", Title: "Gson 2.11.0, with JUnit 4", Language: "Java",
	Pins:  []registry.Pin{{From: registry.Maven, Name: "com.google.code.gson:gson:2.11.0:jar:sources", Sum: "49a853f71bc874ee1898a4ad5009b57d0c536e5a998b3890253ffbf4b7276ad3", Into: "src/main/java"}},
	Edits: []edit{{"src/main/java/com/google/gson/FieldNamingPolicy.java", "translation.length() != 0", "translation.length() > 1"}},
	Build: [][]string{{"rm", "src/main/java/module-info.java"}, mavenBuild},
	Journeys: []journey{
		{"failing test", "a parameterized JUnit 4 test stops at the row that fails, and the condition in the library shows why", gsonTest},
		{"patch", "a method of the library is replaced in the running program, and the test passes", gsonPatch},
	},
}}

// gsonReport is what Maven says of the test that fails.
func gsonReport(s *story) string {
	return s.truth("mvn", "--batch-mode", "surefire:test", "-Dtest=NamesTest")
}

func gsonTest(s *story) {
	const test, source = "src/test/java/shop/NamesTest.java", "src/main/java/com/google/gson/FieldNamingPolicy.java"
	report := gsonReport(s)
	r := s.start(A{"language": "java", "test": "NamesTest.writes", "breakpoints": []A{
		{"file": "FieldNamingPolicy.java", "statement": "if (Character.isUpperCase(character) && translation.length() > 1) {", "condition": `name.equals("xRay") && character == 'R'`},
	}})
	r.Stopped("stopped_at_breakpoint", s.at(source, "translation.length() > 1"))
	s.shows(map[string]string{"translation.length()": "1", "Character.isUpperCase(character)": "true"})
	r = s.goOn().Stopped("stopped_at_exception", test+":"+s.find(`NamesTest\.writes:(\d+)`, report))
	r.Want(s.find(`NamesTest\.writes:\d+ (expected:<.*> but was:<.*>)`, report), "data", "exception", "message")
	s.ends(s.goOn(), 1)
}

func gsonPatch(s *story) {
	s.find(`(Failures: 1)`, gsonReport(s))
	r := s.start(A{"language": "java", "test": "NamesTest.writes", "breakpoints": []A{{"file": "NamesTest.java", "statement": "String written = gson.toJson(value);"}}})
	r.Want("stopped_at_breakpoint", "data", "execution_state", "status")
	s.OK("variable", A{"action": "patch", "file": "FieldNamingPolicy.java", "name": "FieldNamingPolicy.separateCamelCase", "code": `static String separateCamelCase(String name, char separator) {
    StringBuilder translation = new StringBuilder();
    for (char c : name.toCharArray()) {
      if (Character.isUpperCase(c) && translation.length() != 0) {
        translation.append(separator);
      }
      translation.append(c);
    }
    return translation.toString();
  }`, "expression": `com.google.gson.FieldNamingPolicy.separateCamelCase("xRay", '_')`}).Want(`"x_Ray"`, "data", "result", "v")
	s.OK("breakpoint", A{"action": "clear_all"})
	s.ends(s.goOn(), 0)
}

func cliTest(s *story) {
	const source, test = "src/main/java/org/apache/commons/cli/Util.java", "src/test/java/org/apache/commons/cli/UtilTest.java"
	report := s.truth("mvn", "--batch-mode", "surefire:test", "-Dtest=UtilTest#testStripLeadingHyphens")
	r := s.start(A{"language": "java", "test": "UtilTest#testStripLeadingHyphens"})
	r.Stopped("stopped_at_exception", test+":"+s.find(`UtilTest\.java:(\d+)`, report))
	r.Want(s.find(`(expected: <.*> but was: <.*>)`, report), "data", "exception", "message")
	s.ends(s.goOn(), 1)

	r = s.start(A{"language": "java", "test": "UtilTest#testStripLeadingHyphens", "exceptions": "none", "breakpoints": []A{{"function": "Util.stripLeadingHyphens", "condition": `str.startsWith("--")`}}})
	r.Want("stopped_at_breakpoint", "data", "execution_state", "status").Want(`"--foo"`, "data", "locals", "str", "v")
	s.OK("run_until", A{"location": s.at(source, `if (str.startsWith("--")) {`)})
	s.shows(map[string]string{"str.substring(1)": `"` + s.find(`but was: <(.*)>`, report) + `"`})
}

func cliParametrised(s *story) {
	const test = "src/test/java/org/apache/commons/cli/ConverterTests.java"
	report := s.truth("mvn", "--batch-mode", "surefire:test", "-Dtest=ConverterTests#numberTests")
	r := s.start(A{"language": "java", "test": "ConverterTests#numberTests"})
	r.Stopped("stopped_at_exception", test+":"+s.find(`ConverterTests\.java:(\d+)`, report))
	number := s.find(`expected: java\.lang\.Double@\w+<([\d.]+)> but was: java\.lang\.Float`, report)
	r.Contains([]string{"data", "exception", "message"}, "expected: java.lang.Double@", "<"+number+"> but was: java.lang.Float@")
	s.shows(map[string]string{"str": `"` + number + `"`})
}
