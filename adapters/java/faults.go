package java

import (
	"errors"
	"strings"

	"aidb-mcp/dap"
)

// hints say what to do about the bridge's reasons, which are plain words already.
var hints = []struct{ part, hint string }{
	{"was compiled without -g", "compile it with javac -g (Maven and Gradle do by default), then start again"},
	{"which is library code", "name the class of what is static (Shop.count), or look from a frame or thread of your own: inspect(target: threads) lists them"},
	{"patterns cannot be evaluated", "write x instanceof Shop alone, and cast: ((Shop) x).count"},
	{" is final", "a final field keeps its value: set the variable or field that holds the object instead"},
	{"there is no host", "give a name or an address that this machine can resolve"},
	{"there is no ", "inspect(target: locals) lists what is in scope; fields and statics are found by name too"},
	{"lambda expressions", "write a plain method call, or put the lambda into a method of the program"},
	{"methods can be called only where", "step once (or stop at a breakpoint), then ask again; fields and variables can be read here"},
	{"only expressions can be evaluated", "give one expression, such as a.b(c) + d[2]"},
	{"nothing listens at", "is the program running with " + jdwpFlag + ", and does no other debugger debug it? It serves one at a time; give its host and port"},
	{"Connection reset", sharedPort}, // by what stands before a container
	{"prematurally closed", sharedPort},
	{"no Java debug port", "start the program with " + jdwpFlag + " and give that port"},
	{"only fields", "watch a field (this.total, Shop.count); for a local variable set a breakpoint where it changes"},
	{"cannot take this change", "change the source and start again: session(action: restart)"},
	{"does not compile", "correct the code; nothing was changed in the program"},
	{"nothing to replace", "edit the file and session(action: restart), or go on until the class is used"},
	{"to replace", "name the class with it, like Shop.total; only methods that exist can be replaced"},
	{"the Java runtime ended before", "look at vmArgs, and whether the program starts without the debugger"},
}

const sharedPort = "is another debugger attached to it already? It serves one at a time; or start the program with " + jdwpFlag + " and give that port"

const jdwpFlag = "-agentlib:jdwp=transport=dt_socket,server=y,suspend=n,address=PORT"

// Fault adds to the bridge's word what to do about it.
func (*dialect) Fault(op string, err error) (message, hint string) {
	message = err.Error()
	if refused, ok := errors.AsType[*dap.RequestError](err); ok {
		message = refused.Message
	}
	for _, h := range hints {
		if strings.Contains(message, h.part) {
			return message, h.hint
		}
	}
	switch op {
	case "evaluate":
		hint = "inspect(target: locals) lists what is in scope"
	case "setVariable":
		hint = "give a Java expression of the variable's type"
	}
	return message, hint
}
