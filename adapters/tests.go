package adapters

// Tests is what an adapter knows of a program that runs tests. It is asked when the program
// has ended; nothing of it lies in DAP. Where both are there, Run is asked.
type Tests struct {
	// Run is what the run has come to by what the adapter itself was told; nil when the program
	// ran no test framework, or none that reports to the adapter.
	Run func() *TestRun
	// Printed is the same by what the run has printed: lines are those of a stream (stdout,
	// stderr) that hold a text.
	Printed func(lines func(stream, text string) []string) (run TestRun, known bool)
}

// TestRun is what a run of tests has come to.
type TestRun struct {
	Ran  int      // tests, those that skipped themselves among them
	Near []string // when none ran: names of tests that are like those asked for
	Why  string   // the only test failed, where the run tells that at its end only
	// First is the first expectation that was not met, where the framework has reported each in a
	// form of its own; nil: it has not.
	First *ReportedFailure
}

// ReportedFailure is an expectation that was not met, as a framework has reported it.
type ReportedFailure struct {
	File    string // as the compiler was given it
	Line    int
	Test    string
	Message string
	Sides   Sides // none where the report does not tell both
}
