//go:build linux

package real

// mavenBuild compiles a project with its tests, every artifact checked.
var mavenBuild = []string{"mvn", "--quiet", "--batch-mode", "--strict-checksums", "test-compile"}

var java = []project{{
	Name: "commons-cli", Title: "Commons CLI 1.9.0, with JUnit 5", Language: "Java", Small: true,
	Pins: []pin{
		{From: maven, Name: "commons-cli:commons-cli:1.9.0:jar:sources", Sum: "d551046d6abf01a6cd27cacb607b320daa90ade1b7a6e96ea98d142b18d9170e", Into: "src/main/java"},
		{From: maven, Name: "commons-cli:commons-cli:1.9.0:jar:test-sources", Sum: "454c0d2e717de60a2f9425ae2cad7b117ea32399e06413ce4ca7d13f05acbda0", Into: "src/test/java"},
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
	},
}}

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
