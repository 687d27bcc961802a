//go:build linux

package clients

import "strings"

// The inspector lints the tools, in both eras, and has nothing to say.
func inspector(p *place) {
	for _, era := range []string{"legacy", "modern"} {
		inspect := "mcp-inspector --cli aidb-mcp serve --format json --protocol-era " + era
		lint := p.run(inspect + " --method tools/list --strict")
		if lint.Stderr != "" {
			p.t.Errorf("%s: the inspector warns:\n%s", era, lint.Stderr)
		}
		for _, name := range p.tools {
			if !strings.Contains(lint.Stdout, `"name":"`+name+`"`) {
				p.t.Errorf("%s: the inspector does not list %s", era, name)
			}
		}
		var reply struct {
			Result struct {
				IsError           bool
				Content           []struct{ Text string }
				StructuredContent any
			}
		}
		p.decode(p.run(inspect+" --method tools/call --tool-name session_start --tool-arg target=.").Stdout, &reply)
		if reply.Result.IsError || len(reply.Result.Content) != 1 || reply.Result.StructuredContent != nil {
			p.t.Fatalf("%s: %+v", era, reply)
		}
		p.read(reply.Result.Content[0].Text)
	}
}
