package prompts

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"aidb-mcp/internal/project/workspace"
	"aidb-mcp/responses"
)

// placeholder stands for a target that the agent must choose.
const placeholder = "TARGET"

// listedPrograms is how many programs are listed where none is named.
const listedPrograms = 8

// findCrash writes the prompt find_crash.
func (b *Book) findCrash(ctx context.Context, a arguments) (string, error) {
	p := b.project()
	call, language := b.startCall(p, a)
	if words := strings.Fields(a["args"]); len(words) > 0 {
		call = call.With("args", words)
	}
	s := &script{}
	s.para("Find out why %s crashes. Use the debugger of the MCP server aidb: it runs the program until a panic, an uncaught exception or a fatal signal, and shows the values that were there.", cmp.Or(a["target"], "the program"))
	b.writeStart(ctx, s, cmp.Or(language, b.onlyLanguage(p)))
	s.step("Ask what goes wrong. Give it the arguments, \"stdin\" or \"env\" that make it crash, and \"repeat\":20 if it does so now and then:", diagnoseCall(call))
	s.step("The reply shows the message, the line, the value of each of its parts with the first bad one marked, and the callers' arguments. The session stays there. Ask where the bad value came from:",
		responses.NewCall("why", "expression", "NAME"))
	s.step("If that ends too early, look at the frames that passed it on, and stop where it was made on a new run, with a condition that only the bad case meets:",
		responses.NewCall("inspect", "expression", "NAME", "frame", 1),
		responses.NewCall("breakpoint", "action", "set", "location", "FILE:LINE", "condition", "CONDITION"),
		responses.NewCall("session", "action", "restart"))
	s.step("If it ends without a crash, the reply says how: read its output and exit code. Something may catch the error on the way; then stop where it is raised:",
		call.With("exceptions", []string{"all"}))
	s.step("Prove the cause: try the change in a copy of the workspace. Then stop, and report the line at fault, the value, and how it came there.",
		attemptCall(),
		responses.NewCall("session", "action", "stop"))
	if call.Params[0].Value == placeholder {
		b.listPrograms(s, p, a["language"])
	}
	return s.String(), nil
}

// diagnoseCall turns a start into a call of diagnose, which takes what is rarely given
// within start.
func diagnoseCall(start responses.Call) responses.Call {
	call := responses.NewCall("diagnose")
	for _, m := range start.Params {
		if m.Name == "module" {
			m = responses.Member{Name: "start", Value: responses.Object{m}}
		}
		call = call.With(m.Name, m.Value)
	}
	return call
}

// attemptCall is the call that tries changes before they are written.
func attemptCall() responses.Call {
	edit := responses.Object{{Name: "file", Value: "FILE"}, {Name: "old", Value: "OLD"}, {Name: "new", Value: "NEW"}}
	return responses.NewCall("attempt", "candidates", []responses.Object{
		{{Name: "hypothesis", Value: "WHY"}, {Name: "edits", Value: []responses.Object{edit}}},
	})
}

// startCall is the call that starts the program that was named, or the only one.
func (b *Book) startCall(p *workspace.Project, a arguments) (call responses.Call, language string) {
	target, language := a["target"], a["language"]
	var fitting []workspace.Program
	for _, x := range p.Programs {
		if language == "" || b.languageMatcher(language)(x.Language) {
			fitting = append(fitting, x)
		}
	}
	module := ""
	if target == "" && len(fitting) == 1 {
		x := fitting[0]
		target, module, language = relativeTarget(cmp.Or(x.Target, x.Path)), x.Module, b.languageName(x.Language)
	}
	call = responses.NewCall("session_start").With("target", cmp.Or(target, placeholder)).With("module", module).With("language", language)
	return call, language
}

// listPrograms lists what there is to choose from.
func (b *Book) listPrograms(s *script, p *workspace.Project, language string) {
	speaks := b.languageMatcher(language)
	var lines []string
	more := 0
	for _, x := range p.Programs {
		switch {
		case language != "" && !speaks(x.Language):
		case len(lines) == listedPrograms:
			more++
		default:
			line := fmt.Sprintf("- target %s (%s)", relativeTarget(cmp.Or(x.Target, x.Path)), x.Language)
			if x.Module != "" {
				line += ", module " + x.Module
			}
			lines = append(lines, line)
		}
	}
	if len(lines) == 0 {
		s.para("No program was found below %s; give \"target\" yourself.", p.Root)
		return
	}
	if more > 0 {
		lines = append(lines, fmt.Sprintf("- and %d more: %s", more, callText(responses.NewCall("init", "verbose", true))))
	}
	s.para("Programs of this workspace:\n%s", strings.Join(lines, "\n"))
}

// findHang writes the prompt find_hang.
func (b *Book) findHang(ctx context.Context, a arguments) (string, error) {
	s := &script{}
	id := a["session_id"]
	if id != "" {
		if _, err := b.o.Sessions.Get(id); err != nil {
			return "", fmt.Errorf("there is no session %q; %s", id, b.sessionIDs())
		}
		s.para("The program of session %s does not go on. Find out why, with the debugger of the MCP server aidb: either somebody waits for what never comes, or a loop never ends.", id)
		if said := b.statusText(ctx, id); said != "" {
			s.para("Now: %s.", said)
		}
	} else {
		s.para("%s does not go on. Find out why, with the debugger of the MCP server aidb: either somebody waits for what never comes, or a loop never ends.", cmp.Or(a["target"], "The program"))
	}
	p := b.project()
	call, language := b.startCall(p, a)
	mine := func(tool string, params ...any) responses.Call {
		return responses.NewCall(tool, params...).With("session_id", id)
	}
	threads := mine("inspect", "target", "threads")
	if id == "" {
		b.writeStart(ctx, s, cmp.Or(language, b.onlyLanguage(p)))
		s.step("Run it into the hang; it may take until timeout_ms. The verdict says whether it computes (cut: it may only be slow; busy_loop: it makes no progress), waits for itself (deadlock), for something outside (blocked), or for input, "+
			"and the reply what each thread is at and which variables change. The session stays there:", diagnoseCall(call).With("timeout_ms", 15000))
		s.step("If that is not all, look at all threads; those with the same stack are one row:", threads)
	} else {
		s.step("Stop it where it is, and look at all threads; those with the same stack are one row:", mine("execute", "action", "pause"), threads)
	}
	s.step("If they wait: for each one that waits, say what for and who should give it; look at the lock, channel or queue in its frames. Two that wait for each other are a deadlock.",
		mine("inspect", "target", "stack", "thread_id", "THREAD"), mine("inspect", "expression", "NAME", "frame", 1))
	s.step("If one computes: let it run a second and stop it again, three times. The frames that stay the same hold the loop; step through it and watch which variable should end it and does not change.",
		mine("execute", "timeout_ms", 1000), mine("execute", "action", "pause"), mine("step", "action", "over", "count", 10))
	s.step("Report who waits for whom, or which loop and which value; then end it.", mine("session", "action", "stop"))
	if id == "" && call.Params[0].Value == placeholder {
		b.listPrograms(s, p, "")
	}
	return s.String(), nil
}
