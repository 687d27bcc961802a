package native

import "aidb-mcp/adapters"

// The programs with which an installation is tried.
var (
	cppSample  = adapters.SingleFile("tiny.cpp", "#include <cstdio>\n\nint main() {\n  int answer = 42;\n  std::printf(\"%d\\n\", answer);\n}\n", 5)
	rustSample = adapters.SingleFile("tiny.rs", "fn main() {\n    let answer = 42;\n    println!(\"{answer}\");\n}\n", 3)
)
