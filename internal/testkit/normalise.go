package testkit

import (
	"fmt"
	"os/exec"
	"regexp"
	"runtime"
	"strings"
	"sync"
)

// unstableTexts are the parts of replies that differ from run to run, and what
// stands for them.
var unstableTexts = []struct {
	pattern *regexp.Regexp
	with    string
}{
	{regexp.MustCompile(`0x[0-9a-f]{6,}`), "0x…"},
	{regexp.MustCompile(`\bage {2,}`), "age  "}, // in a table, whose columns are as wide as what is in them
	{regexp.MustCompile(`\b(\d+m)?\d+(\.\d+)? ?(ns|µs|ms|s) {2,}([^ \[])`), "T  $4"},
	{regexp.MustCompile(`\b(\d+m)?\d+(\.\d+)? ?(ns|µs|ms|s)\b`), "T"},
	{regexp.MustCompile(`\b([Gg]oroutine |thread )(?:[2-9]|\d\d+)\b`), "${1}G"},
	{regexp.MustCompile(`\balso \d[\d ]*\d\b`), "also G …"},
	{regexp.MustCompile(`(\bpid:? )\d+`), "${1}PID"},
	{regexp.MustCompile(`(?m)^(version: )\S+$`), "${1}VERSION"},
}

// goroot is the Go distribution that the programs are built with.
var goroot = sync.OnceValue(func() string {
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		panic(fmt.Sprintf("asking for GOROOT: %v", err))
	}
	return strings.TrimSpace(string(out))
})

// normalise is the text of a reply with what changes from run to run replaced; more
// are patterns of the scenario itself.
func normalise(text string, s *Server, more []*regexp.Regexp) string {
	text = strings.NewReplacer(s.Dir, "$WORK", s.Tmp, "$TMP", goroot(), "$GOROOT", runtime.Version(), "$GOVERSION").Replace(text)
	for _, u := range unstableTexts {
		text = u.pattern.ReplaceAllString(text, u.with)
	}
	for _, pattern := range more {
		text = pattern.ReplaceAllString(text, "…")
	}
	return text
}
