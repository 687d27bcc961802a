package bench

import (
	"fmt"
	"strconv"
	"strings"
)

// The modules of wide programs: each function adds a bit to a number and hands it on;
// run calls some of its module.

// many joins what is written of each number.
func many(count int, text string) string { return every(1, count, text) }

// some is many of those numbers whose functions are called.
func some(text string) string { return every(wideEach/wideCalled, wideEach, text) }

func every(step, count int, text string) string {
	var all strings.Builder
	for i := 0; i < count; i += step {
		all.WriteString(strings.ReplaceAll(text, "#", strconv.Itoa(i)))
	}
	return all.String()
}

func wideGo(n int) (file, text string) {
	return fmt.Sprintf("m%d/m.go", n), fmt.Sprintf("package m%d\n", n) + many(wideEach, `
// F# counts the letters of a name.
func F#(sum int, name string) (int, error) {
	for i, c := range name {
		if c == 'e' && i > # {
			sum += int(c) * i
		}
	}
	if sum < 0 {
		return 0, nil
	}
	return sum + len(name) - #, nil
}
`) + "\nfunc Run(sum int) int {\n" + some("	sum, _ = F#(sum, \"measured\")\n") + "	return sum\n}\n"
}

func wideGoMain() (file, text string) {
	return "main.go", "package main\n\nimport (\n" + many(wideModules, "\t\"bench/wide/m#\"\n") + ")\n\nfunc main() {\n\tsum := 0\n" +
		many(wideModules, "	sum = m#.Run(sum)\n") + "	println(sum)\n}\n"
}

func widePython(n int) (file, text string) {
	return fmt.Sprintf("m%d.py", n), many(wideEach, `
def f#(total, name):
    """Counts the letters of a name."""
    for i, c in enumerate(name):
        if c == "e" and i > #:
            total += ord(c) * i
    if total < 0:
        return 0
    return total + len(name) - #

`) + "\ndef run(total):\n" + some("    total = f#(total, \"measured\")\n") + "    return total\n"
}

func widePythonMain() (file, text string) {
	return "main.py", many(wideModules, "import m#\n") + "\ntotal = 0\n" + many(wideModules, "total = m#.run(total)\n") + "print(total)\n"
}

func wideJS(n int) (file, text string) {
	return fmt.Sprintf("m%d.js", n), "'use strict';\n" + many(wideEach, `
// f# counts the letters of a name.
function f#(sum, name) {
  for (let i = 0; i < name.length; i++) {
    if (name[i] === 'e' && i > #) {
      sum += name.charCodeAt(i) * i;
    }
  }
  if (sum < 0) return 0;
  return sum + name.length - #;
}
`) + "\nfunction run(sum) {\n" + some("  sum = f#(sum, 'measured');\n") + "  return sum;\n}\n\nmodule.exports = { run };\n"
}

func wideJSMain() (file, text string) {
	return "main.js", "'use strict';\nlet sum = 0;\n" + many(wideModules, "sum = require('./m#.js').run(sum);\n") + "console.log(sum);\n"
}

func wideJava(n int) (file, text string) {
	return fmt.Sprintf("M%d.java", n), fmt.Sprintf("final class M%d {\n", n) + many(wideEach, `
    /** Counts the letters of a name. */
    static int f#(int sum, String name) {
        for (int i = 0; i < name.length(); i++) {
            if (name.charAt(i) == 'e' && i > #) {
                sum += name.charAt(i) * i;
            }
        }
        if (sum < 0) {
            return 0;
        }
        return sum + name.length() - #;
    }
`) + "\n    static int run(int sum) {\n" + some("        sum = f#(sum, \"measured\");\n") + "        return sum;\n    }\n}\n"
}

func wideJavaMain() (file, text string) {
	return "Main.java", "class Main {\n    public static void main(String[] args) {\n        int sum = 0;\n" +
		many(wideModules, "        sum = M#.run(sum);\n") + "        System.out.println(sum);\n    }\n}\n"
}
