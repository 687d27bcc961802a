package native

import (
	"aidb-mcp/adapters"
	"aidb-mcp/internal/text/pattern"
)

// failureSyntax is how C, C++ and Rust, their debuggers and the frameworks for tests write
// failures.
var failureSyntax = adapters.FailureSyntax{
	PlainMembers: true,
	EndsThread:   true, // of Rust
	None:         pattern.New(`^(?:nullptr|NULL|nullopt|nan|0x0+|<null>|<nullptr>|.* 0x0+|(?:[\w:]+::)?None)$`),
	Fails:        pattern.New(`\bthrow\b|\bpanic!\s*\(|(?:^|[{;)]\s*)(?:std::)?abort\s*\(\s*\)`),
	Prints:       pattern.New(`^(?:(?:(?:std::)?(?:f?printf|f?puts|f?putc|putchar|perror|fflush)|e?print(?:ln)?!)\s*\(|(?:std::)?(?:cout|cerr|clog)\s*<<)`),
	EqualTo:      pattern.New(`^.+\.eq$`),
	Compares:     pattern.New(`^(?:(?:std::)?(?:strn?cmp|strn?casecmp|memcmp|wcscmp|wmemcmp))$`),
	ComparedTo:   pattern.New(`^.+\.compare$`),
	Deadlock:     pattern.New(`(?i)resource deadlock`),
	Overflow:     pattern.New(`(?i)stack overflow|overflowed its stack`),
	Raised:       pattern.New(`(?m)^thread '[^'\n]*'(?: \(\d+\))? panicked at ([^\n]+?):(\d+):\d+:\n(.*)$`),
	Kinds: []adapters.FailureWords{
		{Kind: adapters.Unmet, Words: pattern.New(`Assertion .*failed|^panic: assertion `)},
		{Kind: adapters.NothingThere, Words: pattern.New(`bad_optional_access|bad_function_call|on a .?None.? value|on an .?Err.? value|_M_construct null`)},
		{Kind: adapters.DividedByZero, Words: pattern.New(`(?i)divi(?:de|sion|ded)\b.*\bzero|SIGFPE|divisor of zero`)},
		{Kind: adapters.MissingKey, Words: pattern.New(`map::at|_Map_base::at|no entry found for key|key not found`)},
		{Kind: adapters.BadIndex, Words: pattern.New(`(?i)index .*out of (?:range|bounds)|out of (?:range|bounds).*\b(?:index|length|len)\b|out_of_range|range (?:start|end) index \d+`)},
		{Kind: adapters.NothingThere, Words: pattern.New(`SIGSEGV|EXC_BAD_ACCESS|segmentation fault|invalid address`)},
	},
	Assertions: []adapters.Assertion{
		{ // Rust's own
			Raised: pattern.New(`^panic$`),
			Report: pattern.New("(?s)^(?:panic: )?assertion `left (?:==|!=) right` failed[^\\n]*\\n\\s*left: (.*?)\\n\\s*right: (.*?)\\s*$"),
		},
		{Call: pattern.New(`^(?:debug_)?assert_(?:eq|ne)!\s*\(`)},
		{Call: pattern.New(`^(?:debug_)?assert!\s*\(`), Condition: true},
		{ // GoogleTest
			Call:   pattern.New(`^(?:EXPECT|ASSERT)_[A-Z]+\s*\(`),
			Report: pattern.New(`(?s)^\s*Expected equality of these values:\n\s*(?:[^\n]*\n\s*Which is: )?([^\n]*)\n\s*(?:[^\n]*\n\s*Which is: )?([^\n]*)(?:\n.*)?$`),
		},
		{
			Call:   pattern.New(`^(?:EXPECT|ASSERT)_[A-Z]+\s*\(`),
			Report: pattern.New(`(?s)^\s*Expected: \([^\n]*\) (?:==|!=|<=?|>=?) \([^\n]*\), actual: ([^\n]+?) vs ([^\n]+?)(?:\n.*)?$`),
		},
		{ // Catch2
			Call:   pattern.New(`^(?:CATCH_)?(?:REQUIRE|CHECK)\s*\(`),
			Report: pattern.New(`(?s)^(?:REQUIRE|CHECK)\(.*\)(?:\nwith expansion:\n\s*| failed: )(\S[^\n]*?) (?:==|!=|<=?|>=?) ([^\n]*?)\s*$`), Expands: true,
		},
		{ // doctest
			Call:   pattern.New(`^(?:REQUIRE|CHECK|WARN)_[A-Z]+\s*\(`),
			Report: pattern.New(`^(?:CHECK|REQUIRE|WARN)_[A-Z]+\(.*\) failed: (.+), (.+)$`),
		},
		{Call: pattern.New(`^assert\s*\(`), Condition: true},
	},
	Unmet: []adapters.FailureType{
		{Type: pattern.New(`(?i)assert|expectation|failed: |testfail`)},
		{Type: pattern.New(`^panic$`), Message: pattern.New(`^assertion `)},
	},
	OutOfRange: pattern.New(`len is (?P<length>\d+) but the index is (?P<index>\d+)`),
	Suspects: []adapters.Suspect{
		{Words: pattern.New(`(?m)(?:\b(?:free|realloc|malloc|calloc|munmap_chunk|malloc_consolidate)\(\): |\bdouble free\b|corrupted (?:size|double-linked list|unsorted chunks)|unlink_chunk|chunk_main_arena|\*\*\* stack smashing detected|malloc: \*\*\* error)`), Check: adapters.Memory},
		{Words: pattern.New(`\bSIG(?:SEGV|BUS)\b|EXC_BAD_ACCESS`), Check: adapters.Memory, Unexplained: true},
	},
	Unwraps: &adapters.Unwrapping{
		Fails:   pattern.New(`on an? .?(?:None|Err).? value|bad_optional_access|bad optional access`),
		Demands: pattern.New(`\.expect\(`),
		Takes:   pattern.New(`^\.(?:unwrap\w*|expect\w*|value)\(`),
		Hands:   pattern.New(`(?:\.(?:as_ref|as_mut|as_deref|clone|iter|borrow|take|copied|cloned)\(\))+$`),
		Empties: pattern.New(`\.take\(\)`),
		Held:    heldInPlace,
	},
	ProgramWords: programWords,
	RunnerWords:  runnerWords,
}
