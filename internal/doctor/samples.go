package doctor

import "path/filepath"

// sample is the tiny program of one language: it is stopped in a function or at
// a line of its target.
type sample struct {
	files    map[string]string
	target   string
	function string
	line     int // of the target
}

// path is the file of the line, empty when a function is named.
func (s sample) path(dir string) string {
	if s.line == 0 {
		return ""
	}
	return filepath.Join(dir, s.target)
}

// samples by language; a language without one is not tried.
var samples = map[string]sample{
	"go": {
		files: map[string]string{
			"go.mod":  "module example.com/tiny\n\ngo 1.21\n",
			"main.go": "package main\n\nfunc main() {\n\tprintln(42)\n}\n",
		},
		target:   ".",
		function: "main.main",
	},
	"python":     single("tiny.py", "answer = 42\nprint(answer)\n", 2),
	"javascript": single("tiny.js", "const answer = 42\nconsole.log(answer)\n", 2),
	"cpp":        single("tiny.cpp", "#include <cstdio>\n\nint main() {\n  int answer = 42;\n  std::printf(\"%d\\n\", answer);\n}\n", 5),
	"rust":       single("tiny.rs", "fn main() {\n    let answer = 42;\n    println!(\"{answer}\");\n}\n", 3),
	"java": single("Tiny.java", "public class Tiny {\n  public static void main(String[] args) {\n"+
		"    int answer = 42;\n    System.out.println(answer);\n  }\n}\n", 4),
}

// single is a program of one file, stopped at a line of it.
func single(name, text string, line int) sample {
	return sample{files: map[string]string{name: text}, target: name, line: line}
}
