//go:build linux

package real

import "aidb-mcp/internal/testkit/registry"

// mavenServer compiles a program and notes its class path, for runs without the
// debugger.
var mavenServer = [][]string{{"mvn", "--quiet", "--batch-mode", "--strict-checksums", "test-compile", "dependency:build-classpath", "-Dmdep.outputFile=classpath.txt"}}

// plainly runs a class of a project that mavenServer has compiled.
func plainly(class string) []string {
	return []string{"sh", "-c", `exec java -cp "target/classes:$(cat classpath.txt)" ` + class}
}

var javaServers = []project{{
	Name: "spring-boot", Title: "Spring Boot 3.4.1", Language: "Java",
	Build: mavenServer,
	Journeys: []journey{
		{"request", "a controller stops at a request with its values, a step goes into the service, and the answer is the same as without the debugger", springRequest},
		{"failing test", "a test of a whole application stops at the failing assertion, with Spring's message, and at a line of the controller", springTest},
		{"error in a request", "an error that the framework turns into status 500 stops at the line of the service that throws it", springError},
	},
}, {
	Name: "undertow", Title: "Undertow 2.3.18, with its sources", Language: "Java",
	Pins:  []registry.Pin{{From: registry.Maven, Name: "io.undertow:undertow-core:2.3.18.Final:jar:sources", Sum: "025132d1e6c84043bb5f3b6a86b689ac1f1d91278f5289877f69b83648061cf9", Into: "sources"}},
	Build: mavenServer,
	Journeys: []journey{
		{"request", "a handler stops at a request; steps and evaluations do not change the other breakpoints", undertowRequest},
	},
}, {
	Name: "jcommander", Title: "JCommander 1.82, with TestNG", Language: "Java",
	Pins:  []registry.Pin{{From: registry.Maven, Name: "com.beust:jcommander:1.82:jar:sources", Sum: "cc39d22f3cf29c2033fb526e5600ae8fec36e316274b0c07fa14c1a4a38eca3b", Into: "src/main/java"}},
	Edits: []edit{{"src/main/java/com/beust/jcommander/converters/IntegerConverter.java", "return Integer.parseInt(value);", "return Integer.parseInt(value, 8);"}},
	Build: [][]string{mavenBuild},
	Journeys: []journey{
		{"failing test", "a TestNG test stops at the assertion that fails, with its message; an expected exception does not stop", commanderTest},
	},
}}

const springListening = `listening on (127\.0\.0\.1:\d+)`

const springController, springOrders = "src/main/java/shop/OrderController.java", "src/main/java/shop/Orders.java"

func springRequest(s *story) {
	good := s.served(springListening, "/orders/1", plainly("shop.ShopApplication")...)
	address := s.serve(A{"target": "src/main/java/shop/ShopApplication.java", "breakpoints": []A{
		{"file": springController, "statement": "int average = orders.average(order);"},
	}}, springListening)
	answer := ask("http://" + address + "/orders/1")
	r := s.wait().Stopped("stopped_at_breakpoint", s.at(springController, "int average ="))
	s.same("number", local(r, "number"), "1")
	s.shows(map[string]string{"order.customer()": `"` + s.find(`"customer":"(\w+)"`, good) + `"`, "order.lines().get(1).cents()": "125"})
	s.OK("step", A{"action": "into"}).Want("Orders.average", "data", "function")
	r = s.OK("step", A{"action": "out"})
	s.same("the average", r.At("data", "return_value", "Orders.average", "v"), s.find(`"average":(\d+)`, good))
	s.OK("execute", A{"wait_for_stop": false})
	s.same("the answer", s.answered(answer), good)
}

func springTest(s *story) {
	const test = "src/test/java/shop/OrderControllerTest.java"
	report := s.truth("mvn", "--batch-mode", "surefire:test", "-Dtest=OrderControllerTest#answersWithTheAverage")
	r := s.start(A{"language": "java", "test": "OrderControllerTest#answersWithTheAverage", "breakpoints": []A{{"file": springController, "statement": "return new Answer("}}})
	r.Stopped("stopped_at_breakpoint", s.at(springController, "return new Answer("))
	average := local(r, "average")
	r = s.goOn().Stopped("stopped_at_exception", test+":"+s.find(`OrderControllerTest\.java:(\d+)`, report))
	r.Want(s.find(`(JSON path .* expected:<.*> but was:<`+average+`>)`, report), "data", "exception", "message")
	s.ends(s.goOn(), 1)
}

func springError(s *story) {
	bad := s.served(springListening, "/orders/2", plainly("shop.ShopApplication")...)
	s.find(`^(500) `, bad)
	address := s.serve(A{"target": "src/main/java/shop/ShopApplication.java"}, springListening)
	s.OK("breakpoint", A{"exceptions": "all"}) // now that it has started
	answer := ask("http://" + address + "/orders/2")
	r := s.wait().Stopped("stopped_at_exception", s.at(springOrders, "return total /"))
	r.Want("/ by zero", "data", "exception", "message")
	s.shows(map[string]string{"order.lines().size()": "0"})
	s.OK("breakpoint", A{"exceptions": "none"})
	s.OK("execute", A{"wait_for_stop": false})
	answered := s.answered(answer)
	s.same("the status", s.find(`^(\d+) `, answered), "500")
}

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
