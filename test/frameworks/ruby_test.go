//go:build linux

package frameworks

var rubyFamily = family{Language: "Ruby", Samples: []sample{
	{
		Name: "Rails", Dir: "ruby-rails", Init: A{"mode": "launch"}, File: "app/controllers/greetings_controller.rb", Mark: "show",
		Ask: "greeting.to_s", Want: "Ahoy, Ada", Request: "/greet/ada?word=Ahoy", Answer: "Ahoy, Ada",
	},
	{
		Long: "test/languages starts tests of Minitest",
		Name: "Rails: a test", Dir: "ruby-rails", File: "app/controllers/greetings_controller.rb", Mark: "show",
		Ask: "greeting.to_s", Want: "Bonjour, Ada",
	},
	{
		Long: "Rack starts such a server",
		Name: "Sinatra", Dir: "ruby-sinatra", File: "app.rb", Mark: "greet",
		Ask: "greeting", Want: "Hello, Ada", Request: "/greet?name=Ada", Answer: "HELLO, ADA",
	},
	{
		Name: "Rack", Dir: "ruby-rack", File: "lib/length.rb", Mark: "length",
		Ask: "text", Want: "Ada: 3", Request: "/?name=Ada", Answer: "Ada: 3",
	},
	{
		Long: "test/languages starts its tests",
		Name: "RSpec", Dir: "ruby-rspec", File: "lib/roman.rb", Mark: "letter",
		Ask: "[count, number]", Want: "[1, 994]",
	},
	{
		Name: "Rake", Dir: "ruby-rake", File: "lib/bill.rb", Mark: "total",
		Note: "Another task is named in `args`, with its arguments: `\"args\": [\"bill[10]\"]`.",
		Ask:  "[sum, tip]", Want: "[670, 0]",
	},
}}
