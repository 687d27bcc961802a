//go:build linux

package clients

import (
	"strings"

	"aidb-mcp/internal/testkit"
)

// Google's SDK makes functions of the tools by itself: its converter refused
// every one that said additionalProperties.
func googleGenAI(p *place) {
	m := newModel(p.t, J{"target": "."}, map[string]dialect{":generateContent": gemini{whole: true}})
	p.Env = append(p.Env, "MODEL="+m.URL)
	e := p.run("python3 " + p.script("google_genai.py"))
	p.told(e, m, func(text string) string { return text })
	p.offeredAll(m, "")
}

// OpenAI's SDK for agents makes strict functions of the tools where it can. It
// gives up on a call so soon that the server must be told to wait less.
func openAIAgents(p *place) {
	m := newModel(p.t, J{"target": "."}, map[string]dialect{"/responses": openAI{}})
	p.Env = append(p.Env, "MODEL="+m.URL, "ENDLESS="+testkit.NewProgram(p.t, "endless").Build("."))
	e := p.run("python3 " + p.script("openai_agents.py"))
	p.told(e, m, func(text string) string { return text })
	p.offeredAll(m, "")
	if !strings.Contains(e.Stdout, `still running after`) {
		p.t.Errorf("a call of a program that runs on was not answered in time:\n%s", e.Stdout)
	}
}
