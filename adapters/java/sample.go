package java

import "aidb-mcp/adapters"

// sample is the program with which an installation is tried.
var sample = adapters.SingleFile("Tiny.java", "public class Tiny {\n  public static void main(String[] args) {\n"+
	"    int answer = 42;\n    System.out.println(answer);\n  }\n}\n", 4)
