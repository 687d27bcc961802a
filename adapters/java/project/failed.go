package project

import (
	"encoding/xml"
	"os"
	"path"
	"slices"
	"strings"

	"aidb-mcp/internal/project/workspace"
	"aidb-mcp/internal/system/boundedfile"
	"aidb-mcp/internal/text/pattern"
)

// Where Maven and Gradle leave the results of tests, below a module.
var javaReports = []string{"target/surefire-reports", "target/failsafe-reports", "build/test-results", "build/test-results/*"}

const (
	maxReports = 1_000 // whose beginning is read, of all modules
	reportHead = 4 << 10
)

var (
	reportFailing = pattern.New(`<testsuite\b[^>]*\b(?:failures|errors)="[1-9]`)
	reportRow     = pattern.New(`^\[(\d+)\]|\[(\d+)\]$`)
)

// report is a file that a run has left.
type report struct {
	Cases []struct {
		Name    string  `xml:"name,attr"`
		Class   string  `xml:"classname,attr"`
		Failure *string `xml:"failure"`
		Error   *string `xml:"error"`
	} `xml:"testcase"`
}

// javaResults reads which tests failed, by the reports of all modules that have any.
func (s *scan) javaResults() (r workspace.Results) {
	var modules []string
	for class := range s.javas.tests {
		if !slices.Contains(modules, class.module) {
			modules = append(modules, class.module)
		}
	}
	slices.Sort(modules)
	left := maxReports
	for _, module := range modules {
		for _, file := range s.reports(module) {
			if left--; left < 0 {
				s.Project.Truncated = true
				return r
			}
			s.javaReport(module, file, &r)
		}
	}
	return r
}

// reports are the files of results of a module.
func (s *scan) reports(module string) []string {
	var files []string
	for _, pattern := range javaReports {
		dirs := []string{pattern}
		if before, ok := strings.CutSuffix(pattern, "/*"); ok {
			dirs = nil
			entries, _ := os.ReadDir(s.Abs(workspace.Join(module, before)))
			for _, e := range entries {
				if e.IsDir() {
					dirs = append(dirs, before+"/"+e.Name())
				}
			}
		}
		for _, dir := range dirs {
			entries, _ := os.ReadDir(s.Abs(workspace.Join(module, dir)))
			for _, e := range entries {
				if strings.HasPrefix(e.Name(), "TEST-") && path.Ext(e.Name()) == ".xml" {
					files = append(files, workspace.Join(module, dir+"/"+e.Name()))
				}
			}
		}
	}
	return files
}

// javaReport adds the failed tests of one report. Most have none, which their
// beginning says.
func (s *scan) javaReport(module, file string, r *workspace.Results) {
	if !reportFailing.MatchString(s.readBeginning(file)) {
		return
	}
	info, err := os.Stat(s.Abs(file))
	if err != nil {
		return
	}
	var found report
	if xml.Unmarshal([]byte(s.Read(file)), &found) != nil {
		return // one that cannot be read says nothing
	}
	if info.ModTime().After(r.Ran) {
		r.Ran = info.ModTime()
	}
	for _, c := range found.Cases {
		trace := c.Failure
		if trace == nil {
			trace = c.Error
		}
		outer, _, _ := strings.Cut(c.Class, "$")
		of := s.javas.tests[javaClass{module, outer}]
		if trace == nil || of == nil {
			continue
		}
		failed := workspace.TestName{File: of.target, Name: of.failingTest(c.Class, c.Name, *trace)}
		if !slices.Contains(r.Failed, failed) {
			r.Failed = append(r.Failed, failed)
		}
	}
}

func (s *scan) readBeginning(file string) string {
	f, err := boundedfile.Open(s.Abs(file))
	if err != nil {
		return ""
	}
	defer f.Close()
	head := make([]byte, reportHead)
	n, _ := f.Read(head)
	return string(head[:n])
}

// failingTest is a test as session_start takes it, of what a report calls it: its name
// may be the one that is shown to people, then the stack tells its method. What no
// method can be told of is the whole class, as where its setup failed.
func (j *javaSources) failingTest(class, name, trace string) string {
	short := strings.ReplaceAll(class[strings.LastIndexByte(class, '.')+1:], "$", ".")
	method := name
	if end := strings.IndexAny(name, "([{"); end >= 0 {
		method = name[:end]
	}
	full := short + "." + method
	if !j.names[full] {
		full = j.testInTrace(class, short, trace)
	}
	if full == "" {
		return short
	}
	if m := reportRow.FindStringSubmatch(name); m != nil && j.framework == "JUnit 5" {
		full += "[" + m[1] + m[2] + "]"
	}
	return full
}

// testInTrace is the outermost test of the class in a stack.
func (j *javaSources) testInTrace(class, short, trace string) string {
	found := ""
	for line := range strings.Lines(trace) {
		_, rest, ok := strings.Cut(line, class+".")
		if !ok || !strings.HasPrefix(strings.TrimSpace(line), "at ") {
			continue
		}
		rest = strings.TrimPrefix(rest, "lambda$")
		if end := strings.IndexAny(rest, "($"); end > 0 && j.names[short+"."+rest[:end]] {
			found = short + "." + rest[:end]
		}
	}
	return found
}
