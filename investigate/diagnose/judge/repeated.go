package judge

import (
	"strings"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/text/pattern"
)

// Unrepeated is what a program has printed without its failure, which the message
// tells.
func Unrepeated(syntax adapters.FailureSyntax, printed, message string) string {
	for _, r := range syntax.Repeats {
		m := r.FindStringSubmatchIndex(printed)
		if m == nil {
			continue
		}
		said := printed[m[2]:m[3]]
		if short := said[strings.LastIndexByte(said, '.')+1:]; strings.Contains(message, said) || short != "" && strings.Contains(message, short) {
			return printed[:m[0]] + printed[m[1]:]
		}
	}
	return printed
}

// Place is where a report says that something happened.
type Place struct {
	File     string
	Line     int
	Function string
	Times    int // in a row; 0 is once
}

var (
	reportedFrame = pattern.New(`(?m)^\s*#\d+ (?:0x[0-9a-f]+ in )?(.+?) (/[^\s:]+):(\d+)(?::\d+)?`)
	reportedLine  = pattern.New(`(?m)^(\S+?):(\d+)(?::\d+)?: runtime error: `)
	reportedGo    = pattern.New(`(?m)^ {2}(\S+)\(.*\)\n\s+(/\S+\.go):(\d+)`)
	shadow        = pattern.New(`(?ms)^Shadow bytes around .*?(?:^==\d+==ABORTING|\z)`)
	build         = pattern.New(` \(BuildId: [0-9a-f]+\)`)
	reported      = pattern.New(`^(?:=+\d*=*\n?)*(?:=*\d*=* ?(?:ERROR|WARNING): )?`)
	atAddresses   = pattern.New(` (?:at pc|on address 0x\w+ at pc|\(pid=)[^\n]*`)
)

// beside matches what reports tell beside what happened: who made the thread or the memory.
var beside = pattern.New(`(?mi)^\s*(?:Goroutine \d+ .*created at|Thread T\d+ .*created by|(?:previously )?allocated by|freed by|Location is|Mutex \w+ .*created at)\b`)

// Accesses are the places where it happened, of those that a report names.
func Accesses(report string) []Place {
	if at := beside.FindStringIndex(report); at != nil {
		report = report[:at[0]]
	}
	return Places(report)
}

// Places are those that the report of a sanitizer names, the first first.
func Places(report string) []Place {
	var list []Place
	for _, m := range reportedLine.FindAllStringSubmatch(report, -1) {
		list = append(list, Place{File: m[1], Line: atoi(m[2])})
	}
	for _, words := range []*pattern.Pattern{reportedFrame, reportedGo} {
		for _, m := range words.FindAllStringSubmatch(report, -1) {
			list = append(list, Place{File: m[2], Line: atoi(m[3]), Function: m[1]})
		}
	}
	return list
}

// Headline is what a report says in a line, without what differs from run to run.
func Headline(report string) string {
	report = report[len(reported.FindString(report)):]
	line, _, _ := strings.Cut(report, "\n")
	if _, says, found := strings.Cut(line, ": runtime error: "); found {
		return "runtime error: " + says
	}
	return atAddresses.ReplaceAllString(line, "")
}

// Recursion is how many frames a stack repeats, and how many of its first frames do:
// 0 where it does not.
func Recursion(frames []string) (period, length int) {
	for period = 1; period <= longestPeriod; period++ {
		length = period
		for length < len(frames) && frames[length] == frames[length-period] {
			length++
		}
		if length >= period*fewestRounds {
			return period, length
		}
	}
	return 0, 0
}

const (
	longestPeriod = 8
	fewestRounds  = 12
)

// Repeats says that a place is among the nearest frames often enough to look further.
func Repeats(frames []string) bool {
	seen := map[string]int{}
	for _, f := range frames {
		if seen[f]++; seen[f] > 2 {
			return true
		}
	}
	return false
}
