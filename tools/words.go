package tools

import (
	"slices"
	"strings"
)

// resolve finds the word of an enum that s means: the word itself in any case
// and with any separators, or a synonym of it.
func resolve(s string, enum []string) (string, bool) {
	want := fold(s)
	for _, word := range enum {
		if fold(word) == want {
			return word, true
		}
	}
	for _, word := range synonyms[want] {
		if slices.Contains(enum, word) {
			return word, true
		}
	}
	return "", false
}

// fold makes "Read-Write", "read_write" and "readWrite" equal.
func fold(s string) string {
	return strings.NewReplacer("_", "", "-", "", " ", "").Replace(strings.ToLower(s))
}

// synonyms are what agents and people say for the words of the enums; the first
// of a line that the enum at hand has is meant.
var synonyms = map[string][]string{
	"begin": {"start", "run"}, "start": {"run"},
	"resume": {"continue"}, "cont": {"continue"}, "go": {"continue"}, "c": {"continue"},
	"break": {"pause"}, "interrupt": {"pause"}, "suspend": {"pause"}, "halt": {"pause"},
	"goto": {"jump"},

	"next": {"over"}, "stepover": {"over"}, "n": {"over"},
	"in": {"into"}, "stepin": {"into"}, "stepinto": {"into"}, "s": {"into"},
	"finish": {"out"}, "return": {"out"}, "stepout": {"out"}, "up": {"out"},
	"reverse": {"back"}, "stepback": {"back"},
	"statements": {"statement"}, "lines": {"line"}, "instructions": {"instruction"},

	"add": {"set", "install"}, "create": {"set"}, "insert": {"set"}, "write": {"set"}, "assign": {"set"},
	"read": {"get"}, "print": {"get", "expression"},
	"rm": {"remove"}, "delete": {"remove"}, "del": {"remove"}, "unset": {"remove"}, "uninstall": {"remove"},
	"ls": {"list"}, "all": {"list"},
	"clear": {"clear_all"}, "removeall": {"clear_all"}, "deleteall": {"clear_all"},
	"on": {"enable"}, "off": {"disable"},
	"watchpoint": {"watch"},
	"rw":         {"readWrite"}, "accesses": {"readWrite"}, "w": {"write"}, "r": {"read"},

	"kill": {"stop"}, "end": {"stop"}, "terminate": {"stop"}, "quit": {"stop"}, "close": {"stop"},
	"rerun": {"restart"}, "reload": {"restart"},
	"info": {"status", "show", "list"}, "state": {"status", "list"}, "use": {"switch"}, "select": {"switch"},
	"stdin": {"input"}, "send": {"input"}, "stdout": {"output"}, "stderr": {"output"}, "logs": {"output"},
	"download": {"install"}, "downloadall": {"install_all"}, "check": {"verify"},
	"environment": {"env"}, "caps": {"capabilities"}, "settings": {"show"},

	"debug": {"launch"}, "program": {"launch"}, "tests": {"test"}, "binary": {"exec"}, "executable": {"exec"},
	"coredump": {"core"}, "pid": {"attach"}, "remote": {"remote_attach"}, "connect": {"remote_attach"},

	"variables": {"locals"}, "vars": {"locals"}, "local": {"locals"}, "global": {"globals"},
	"args": {"arguments"}, "params": {"arguments"}, "regs": {"registers"},
	"backtrace": {"stack"}, "bt": {"stack"}, "callstack": {"stack"}, "frames": {"stack"}, "stacktrace": {"stack"},
	"goroutines": {"threads"}, "thread": {"threads"}, "goroutine": {"threads"},
	"deadlocks": {"waits"}, "locks": {"waits"}, "blocked": {"waits"}, "waiting": {"waits"}, "waiters": {"waits"},
	"eval": {"expression"}, "evaluate": {"expression"}, "variable": {"expression"}, "value": {"expression"},
	"ref": {"object"}, "reference": {"object"}, "panic": {"exception"}, "error": {"exception"},
	"code": {"source"}, "mem": {"memory"}, "asm": {"disassembly"}, "disassemble": {"disassembly"},
	"packages": {"modules"}, "libraries": {"modules"},

	"short": {"brief"}, "low": {"brief"}, "medium": {"detailed"}, "detail": {"detailed"}, "long": {"full"}, "high": {"full"},
}

// otherNames are parameter names of other debuggers and what they are called
// here. They are only suggested, never accepted: what they take may differ.
var otherNames = map[string][]string{
	"program": {"target"}, "file": {"target", "location"}, "path": {"target", "location"}, "package": {"target", "module"},
	"binary": {"target"}, "command": {"target"}, "script": {"target"},
	"arguments": {"args"}, "environment": {"env"}, "workingdirectory": {"cwd"}, "dir": {"cwd"}, "input": {"stdin", "text"},
	"testname": {"test"}, "run": {"test"}, "processid": {"pid"}, "address": {"host"}, "tags": {"build_args"}, "buildflags": {"build_args"},
	"line": {"location", "jump_target"}, "function": {"location"}, "target": {"location", "jump_target"}, "to": {"location", "until"},
	"expr": {"expression"}, "variable": {"expression", "name"}, "code": {"expression"}, "query": {"expression"},
	"log": {"log_message"}, "message": {"log_message"}, "hits": {"hit_condition"}, "hitcount": {"hit_condition"}, "access": {"access_type"},
	"timeout": {"timeout_ms"}, "wait": {"timeout_ms", "wait_for_stop"}, "limit": {"count", "max_bytes"}, "n": {"count"}, "times": {"count"},
	"goroutine": {"thread_id"}, "goroutineid": {"thread_id"}, "thread": {"thread_id"}, "session": {"session_id"},
	"frameid": {"frame"}, "frameindex": {"frame"}, "variablesreference": {"ref"}, "scope": {"target"}, "what": {"target"},
	"size": {"length"}, "bytes": {"length", "max_bytes"}, "stoponstart": {"stop_on_entry"}, "level": {"detail_level"}, "operation": {"action"},
}
