//go:build linux

package clients

import (
	"encoding/json"
	"slices"
	"strings"
	"time"

	"aidb-mcp/internal/testkit"
)

// story is what the scripts of testdata print about their work.
type story struct {
	Era        string // the revision of MCP that was agreed upon
	Tools      []string
	Failed     bool
	Shown      []string        // the result as text
	Structured json.RawMessage // and as structured content

	Logged []string // events of the log

	GaveUp string   `json:"gave_up"`
	LeftIn *float64 `json:"left_in"` // seconds, with a call pending or after one was given up
	Errors []string
}

// hurried is how long a client may take to leave that has nothing to wait for; one
// that waits for the server in vain gives up after two seconds.
const hurried = 1900 * time.Millisecond

func typeScript1(p *place) {
	p.typeScript("sdk1.mjs", "", "")
}

func typeScript2(p *place) {
	p.typeScript("sdk2.mjs", "legacy", "2025-11-25")
	p.typeScript("sdk2.mjs", "auto", "2026-07-28")
}

// typeScript tells the story of testdata's story.mjs, in which a call is given up.
func (p *place) typeScript(script, mode, era string) {
	p.t.Helper()
	p.endless()
	p.script("story.mjs")
	p.modules()
	s := p.story("node " + p.script(script) + " " + mode)
	p.found(s, era)
	if s.GaveUp != "given up" || len(s.Errors) > 0 {
		p.t.Errorf("the call was %s, and the client met %q", s.GaveUp, s.Errors)
	}
}

// The first Python SDK raised when an answer came that it did not wait for, and
// waited two seconds for a server that had a call pending.
func pythonSDK1(p *place) {
	p.endless()
	// It needs little besides what its successor has fetched.
	for i, v := range p.Env {
		if strings.HasPrefix(v, "PYTHONPATH=") {
			p.Env[i] += ":" + testkit.Python.Fetch(p.t) + "/packages"
		}
	}
	p.found(p.story("python3 "+p.script("sdk1.py")), "2025-11-25")
}

func pythonSDK2(p *place) {
	script := p.script("sdk.py")
	p.found(p.story("python3 "+script+" legacy"), "2025-11-25")
	p.found(p.story("python3 "+script+" auto"), "2026-07-28")
}

func fastMCP(p *place) {
	s := p.story("python3 " + p.script("fast.py"))
	p.found(s, "")
	if !slices.Contains(s.Logged, "started") || !slices.Contains(s.Logged, "stopped") {
		p.t.Errorf("the client, which asks for the log, was told %q", s.Logged)
	}
}

// story runs a script and reads what it prints, a JSON object on each line.
func (p *place) story(command string) story {
	p.t.Helper()
	var s story
	for line := range strings.Lines(p.run(command).Stdout) {
		p.decode(line, &s)
	}
	return s
}

// found fails the test unless a story ended well, in this era.
func (p *place) found(s story, era string) {
	p.t.Helper()
	if s.Failed || len(s.Shown) != 1 {
		p.t.Fatalf("the call failed: %q", s.Shown)
	}
	p.read(s.Shown[0])
	p.shown(string(s.Structured))
	if era != "" && s.Era != era {
		p.t.Errorf("the client speaks %s, not %s", s.Era, era)
	}
	if !slices.Equal(s.Tools, p.tools) {
		p.t.Errorf("the client has the tools %q, not %q", s.Tools, p.tools)
	}
	if s.LeftIn != nil && time.Duration(*s.LeftIn*float64(time.Second)) > hurried {
		p.t.Errorf("the client took %.1f s to leave", *s.LeftIn)
	}
}
