//go:build linux

package frameworks

var goFamily = family{Language: "Go", Samples: []sample{
	{
		Name: "net/http", Dir: "go-http", File: "main.go", Mark: "reply",
		Ask: "greeting", Want: "Hello, Ada", Request: "/greet?name=Ada", Answer: "Hello, Ada",
	},
}}
