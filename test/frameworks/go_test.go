//go:build linux

package frameworks

var goFamily = family{Language: "Go", Samples: []sample{
	{
		Name: "go test, in a workspace of several modules", Dir: "go-work", File: "money/money.go", Mark: "parsed",
		Ask: "cents*100 + rest", Want: "12",
	},
	{
		Name: "go test: one case of a table", Dir: "go-work", With: A{"test": "TestParse/one_part"},
		Note: "Subtests get their names when the test runs, so `init` only knows the test. Write a blank in a name as an underscore.",
		File: "money/money_test.go", Mark: "case", Ask: "c.text", Want: "12.5",
	},
	{
		Name: "go test: a benchmark", Dir: "go-work", Init: A{"framework": "benchmark"},
		File: "money/money_test.go", Mark: "bench", Ask: "cents", Want: "123456",
	},
	{
		Name: "go test: a seed of a fuzz target", Dir: "go-work", Init: A{"framework": "fuzz"}, With: A{"test": "FuzzParse/seed#1"},
		Note: "Without `/seed#1` all seeds run.",
		File: "money/money_test.go", Mark: "fuzz", Ask: "cents", Want: "725",
	},
	{
		Name: "A program in a workspace of several modules", Dir: "go-work", Init: A{"mode": "launch"}, With: A{"args": []string{"1.20", "3"}},
		File: "shop/cmd/shop/main.go", Mark: "print", Ask: "total", Want: "420",
	},
	{
		Name: "net/http", Dir: "go-http", File: "main.go", Mark: "reply",
		Ask: "greeting", Want: "Hello, Ada", Request: "/greet?name=Ada", Answer: "Hello, Ada",
	},
}}
