//go:build linux

package frameworks

var nativeFamily = family{Language: "C and C++", Samples: []sample{
	{
		Long: "adapters/native/build builds such tests by CMake, and test/languages stops where they fail",
		Name: "CMake and GoogleTest", Dir: "cmake-googletest", File: "src/receipt.cpp", Mark: "total", Ask: "sum", Want: "2250",
	},
	{
		Long: "test/languages starts its tests",
		Name: "CMake and Catch2", Dir: "cmake-catch2",
		Note: "Name a section after its test: `\"a test/a section\"`.",
		File: "src/words.cpp", Mark: "found", Ask: "found", Want: "three",
	},
	{
		Name: "Make", Dir: "make-c", File: "src/count.c", Mark: "count", Ask: "words", Want: "13",
	},
	{
		Name: "Meson: a test", Dir: "meson-c", File: "src/roman.c", Mark: "roman", Ask: "text", Want: "MMMCMXCIX",
	},
	{
		Long: "Meson builds a test here, and Make a program",
		Name: "Meson: a program", Dir: "meson-c", Init: A{"mode": "launch"}, With: A{"args": []string{"444"}},
		File: "src/roman.c", Mark: "roman", Ask: "text", Want: "CDXLIV",
	},
}}

var rustFamily = family{Language: "Rust", Samples: []sample{
	{
		Long: "test/languages starts one",
		Name: "A binary of Cargo", Dir: "cargo-binary", File: "src/roll.rs", Mark: "rolled", Ask: "rolled.len()", Want: "5",
	},
	{
		Long: "test/languages starts its tests",
		Name: "cargo test", Dir: "cargo-test", File: "src/row.rs", Mark: "free", Ask: "taken", Want: "3",
	},
	{
		Name: "An example of Cargo", Dir: "cargo-example", File: "src/lib.rs", Mark: "length", Ask: "metres", Want: "1200",
	},
	{
		Long: "cargo starts a test of another package here, and a server of this one",
		Name: "A Cargo workspace: a test of a member", Dir: "cargo-workspace", File: "crates/menu/src/lib.rs", Mark: "price",
		Ask: "found", Want: "1290",
	},
	{
		Name: "A Cargo workspace: a server", Dir: "cargo-workspace", Init: A{"mode": "launch"},
		File: "crates/web/src/main.rs", Mark: "answer", Ask: "body", Want: "soup: 650 cents", Request: "/price/soup", Answer: "soup: 650 cents",
	},
}}
