//go:build linux

package real

// mavenServer compiles a program and notes its class path, for runs without the
// debugger.
var mavenServer = [][]string{{"mvn", "--quiet", "--batch-mode", "--strict-checksums", "test-compile", "dependency:build-classpath", "-Dmdep.outputFile=classpath.txt"}}

// plainly runs a class of a project that mavenServer has compiled.
func plainly(class string) []string {
	return []string{"sh", "-c", `exec java -cp "target/classes:$(cat classpath.txt)" ` + class}
}

var javaServers = []project{{
	Name: "undertow", Title: "Undertow 2.3.18, with its sources", Language: "Java",
	Pins:  []pin{{From: maven, Name: "io.undertow:undertow-core:2.3.18.Final:jar:sources", Sum: "025132d1e6c84043bb5f3b6a86b689ac1f1d91278f5289877f69b83648061cf9", Into: "sources"}},
	Build: mavenServer,
	Journeys: []journey{
		{"request", "a handler stops at a request; steps and evaluations leave the other breakpoints where they are", undertowRequest},
	},
}, {
	Name: "jcommander", Title: "JCommander 1.82, with TestNG", Language: "Java",
	Pins:  []pin{{From: maven, Name: "com.beust:jcommander:1.82:jar:sources", Sum: "cc39d22f3cf29c2033fb526e5600ae8fec36e316274b0c07fa14c1a4a38eca3b", Into: "src/main/java"}},
	Edits: []edit{{"src/main/java/com/beust/jcommander/converters/IntegerConverter.java", "return Integer.parseInt(value);", "return Integer.parseInt(value, 8);"}},
	Build: [][]string{mavenBuild},
	Journeys: []journey{
		{"failing test", "a TestNG test stops at the assertion that fails, with its message; an expected exception does not stop", commanderTest},
	},
}}

func undertowRequest(s *story) {
	const listening = `listening on (127\.0\.0\.1:\d+)`
	const path, source = "/?tea=2&milk=4", "src/main/java/shop/Shop.java"
	good := s.served(listening, path, plainly("shop.Shop")...)
	address := s.serve(A{"target": source, "breakpoints": []A{
		{"file": source, "statement": "int total = 0;"},
		{"file": source, "statement": "return sum;", "condition": "count == 4"},
	}}, listening)
	answer := ask("http://" + address + path)
	s.wait().Stopped("stopped_at_breakpoint", s.at(source, "int total = 0;"))
	s.OK("step", nil).Want("stopped_after_step", "data", "execution_state", "status")
	s.shows(map[string]string{`price("tea", 4)`: "1800", "query.size()": "2", "exchange.getRequestMethod().toString()": `"GET"`})
	r := s.goOn().Stopped("stopped_at_breakpoint", s.at(source, "return sum;"))
	s.same("sum", local(r, "sum"), "500")
	s.same("each", local(r, "each"), "125")
	s.OK("execute", A{"wait_for_stop": false})
	s.same("the answer", s.answered(answer), good)
}

func commanderTest(s *story) {
	const test = "src/test/java/shop/ArgumentsTest.java"
	report := s.truth("mvn", "--batch-mode", "surefire:test", "-Dtest=ArgumentsTest#counts")
	r := s.start(A{"language": "java", "test": "ArgumentsTest#counts"})
	r.Stopped("stopped_at_exception", test+":"+s.find(`ArgumentsTest\.java:(\d+)`, report))
	r.Want(s.find(`(count expected \[.*\] but found \[.*\])`, report), "data", "exception", "message")
	s.shows(map[string]string{"arguments.count": s.find(`but found \[(\d+)\]`, report), "arguments.tags.size()": "3"})
	s.goOn().Want("terminated", "data", "execution_state", "status")
	s.ends(s.start(A{"language": "java", "test": "ArgumentsTest#refusesWords"}), 0)
}
