package testkit

import (
	"fmt"
	"os/exec"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
)

// unstableTexts are the parts of strings that differ from run to run, and what
// stands for them.
var unstableTexts = []struct {
	pattern *regexp.Regexp
	with    string
}{
	{regexp.MustCompile(`0x[0-9a-f]{6,}`), "0x…"},
	{regexp.MustCompile(`\b(\d+m)?\d+(\.\d+)?(ns|µs|ms|s)\b`), "T"},
	{regexp.MustCompile(`\b([Gg]oroutine )(?:[2-9]|\d\d+)\b`), "${1}G"},
	{regexp.MustCompile(`(\bpid )\d+`), "${1}PID"},
	{regexp.MustCompile(`^(?:devel|v\d+\.\d+\.\d+(?:[-+][\w.+-]*)?)$`), "VERSION"},
}

// goroot is the Go distribution that the programs are built with.
var goroot = sync.OnceValue(func() string {
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		panic(fmt.Sprintf("asking for GOROOT: %v", err))
	}
	return strings.TrimSpace(string(out))
})

// normalise lays out a reply for people with what changes from run to run
// replaced; more are patterns of the scenario itself.
func normalise(reply string, s *Server, more []*regexp.Regexp) string {
	n, err := parse([]byte(reply))
	if err != nil {
		return reply
	}
	places := strings.NewReplacer(
		s.Dir, "$WORK", s.Tmp, "$TMP", goroot(), "$GOROOT", runtime.Version(), "$GOVERSION")
	n.editTexts(func(text string) string {
		text = places.Replace(text)
		for _, u := range unstableTexts {
			text = u.pattern.ReplaceAllString(text, u.with)
		}
		return text
	})
	n.editNumbers("")
	text := n.String()
	for _, pattern := range more {
		text = pattern.ReplaceAllString(text, "…")
	}
	return text
}

// editTexts replaces every string that is not a key.
func (n *node) editTexts(edit func(string) string) {
	if n.isText {
		n.setText(edit(n.text))
	}
	for i := range n.items {
		n.items[i].editTexts(edit)
	}
}

// editNumbers replaces the numbers that differ from run to run, known by their key.
func (n *node) editNumbers(key string) {
	switch {
	case n.isText || n.open != 0:
	case key == "pid":
		n.scalar = "PID"
	case key == "ms" || strings.HasSuffix(key, "_ms"):
		n.scalar = "T"
	case key == "system":
		n.scalar = "N"
	case key == "thread_id" && n.scalar != "1":
		n.scalar = "G"
	}
	thread := slices.Contains(n.keys, `"stack"`) // a row of threads, which has an id of its own
	for i := range n.items {
		name := ""
		if n.open == '{' {
			name = strings.Trim(n.keys[i], `"`)
		}
		switch {
		case thread && name == "id":
			name = "thread_id"
		case name == "others":
			n.items[i] = node{scalar: "[G, …]"}
		}
		n.items[i].editNumbers(name)
	}
}
