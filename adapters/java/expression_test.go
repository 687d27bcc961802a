package java

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"aidb-mcp/internal/recording"
)

// The recorder's expressions are worth what the language says: the program prints the same ones.
func TestExpressionsAreWorthWhatTheLanguageSays(t *testing.T) {
	expressions := []string{
		"16777217L + f", "d / 0", "-0.0 - d * 0", "c + 1", "(char) (c + 1)", "b >> 1", "b >>> 28", "1L << 40", "(byte) 300", "(int) 1e10", "(char) 66.7", "~b", "-c", "+c",
		"7 / -2", "7 % -2", "7 % 2.5f", "c == 97", "l == 3.0", "box == 5", "box + l", "s + c + b + null", "(s + 1).length()", "yes ^ false", "yes ? 1 : 2", "s == \"text\"",
		"b < 0 || 1 / 0 > 1", "0x7fffffff + 1", "0xffffffffL & b", "cells[cells.length - 1] % 4 * 2 + 1", "s.charAt(0) <= 't' && b != 'x'",
	}
	text := "public class Main {\n" +
		"    static float f = 2.5f; static double d = 3; static char c = 'a'; static byte b = -8; static long l = 3; static Integer box = 5; static String s = \"text\";\n" +
		"    static boolean yes = true; static int[] cells = {1, 2, 7};\n" +
		"    public static void main(String[] args) {\n        int here = 0;\n"
	for _, e := range expressions {
		text += fmt.Sprintf("        System.out.println(%s);\n", e)
	}
	text += "    }\n}\n"
	compiled := compileJava(t, text)
	file := filepath.Join(compiled.src, "Main.java")
	log, printed := compiled.record(t, agentArchive(t), recording.Spec{Values: []recording.Values{{File: file, Line: 5, Expressions: expressions}}})
	want := strings.Split(strings.TrimSpace(printed), "\n")
	var noted []recording.Value
	for _, e := range log.Events {
		noted = append(noted, e.Values...)
	}
	if len(noted) != len(expressions) || len(want) != len(expressions) {
		t.Fatalf("noted %+v, printed %s", log.Events, printed)
	}
	for i, e := range expressions {
		if got := strings.Trim(noted[i].Text, `"'`); got != want[i] {
			t.Errorf("%s is %s (%s), want %s", e, got, noted[i].Error, want[i])
		}
	}
}
