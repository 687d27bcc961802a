package joining

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"aidb-mcp/internal/testkit"
)

func quote(text string) string {
	quoted, _ := json.Marshal(text) // a string always can
	return string(quoted)
}

// stopLine is the line at which the page shows that the program stands.
const stopLine = `.code-line.stop .number`

// A person opens the link while the agent is at work, sees what it sees, takes over, steps,
// writes a note and gives back; the agent is refused meanwhile, and told afterwards.
func TestThePageTakesOver(t *testing.T) {
	t.Parallel()
	for _, l := range tongues {
		t.Run(l.name, func(t *testing.T) {
			t.Parallel()
			if l.name != tongues[0].name {
				testkit.Long(t, "the page knows no language")
			}
			s, p := l.start(t)
			b := newBrowser(t)
			b.open(s)
			b.shows(stopLine, strconv.Itoa(p.Line("stop")))
			b.shows("values-pane", "total = 21")
			b.shows("stack-pane", "add")
			b.shows("breakpoints-pane", fmt.Sprintf("%s:%d", l.file, p.Line("stop")))
			b.shows("timeline-pane", "session_start")

			b.click("Take")
			b.shows("controls-bar", "you hold the session")
			s.Fail("HELD_BY_PERSON", "step", A{}).Has("somebody has held this session", "took the session")
			b.shows("timeline-pane", "a person holds this session")
			b.click("Step over")
			b.shows(stopLine, strconv.Itoa(p.Line("next")))
			b.shows("values-pane", "twice = 42")
			b.do(chromedp.SendKeys(`controls-bar input`, "twice is right"))
			b.click("Note to the agent")
			b.shows("timeline-pane", "twice is right")
			b.click("Give back")
			b.shows("controls-bar", "the agent drives")

			r := s.OK("execute", A{"action": "continue"})
			want := []string{
				fmt.Sprintf("somebody stepped over from %s to %s", p.At(l.file, "stop"), p.At(l.file, "next")),
				"somebody wrote a note: twice is right", "somebody gave the session back",
			}
			if did := acts(t, r); !slices.Equal(did, want) {
				t.Errorf("the reply tells %q, want %q", did, want)
			}
			b.shows("output-pane", "got 43")
			b.shows("#where", "terminated")
			b.isQuiet()
		})
	}
}

// By the keyboard alone: the page can be reached, taken, stepped, given back; a breakpoint is
// set where the program stands.
func TestThePageByKeyboard(t *testing.T) {
	t.Parallel()
	s, p := tongues[0].start(t)
	b := newBrowser(t)
	b.open(s)
	b.shows(stopLine, strconv.Itoa(p.Line("stop")))
	focused := `document.activeElement.textContent`
	tabTo := func(label string) {
		t.Helper()
		for range 40 {
			b.do(chromedp.KeyEvent(kb.Tab))
			if run[string](b, focused) == label {
				return
			}
		}
		t.Fatalf("%q is not reached by the tabulator", label)
	}
	tabTo("Take")
	b.do(chromedp.KeyEvent(kb.Enter))
	b.shows("controls-bar", "you hold the session")
	b.do(chromedp.KeyEvent(kb.F10))
	b.shows(stopLine, strconv.Itoa(p.Line("next")))
	b.do(chromedp.Focus(`source-pane [role=group]`), chromedp.KeyEvent(kb.F9))
	b.shows("breakpoints-pane", fmt.Sprintf("sum.py:%d", p.Line("next")))
	b.shows("breakpoints-pane", "somebody")
	b.isQuiet()
}

// A person sets breakpoints with conditions, at lines and functions, and changes them.
func TestThePageSetsConditions(t *testing.T) {
	t.Parallel()
	p := testkit.NewProgram(t, "")
	p.Write("loop.py", `def twice(n):
    return 2 * n  # @mark twice


total = 0  # @mark start
for i in range(10):
    total += twice(i)  # @mark loop
print(total, flush=True)
`)
	s := testkit.Start(t, testkit.Options{Dir: p.Dir})
	s.OK("session_start", A{"target": "loop.py", "breakpoints": []string{p.At("loop.py", "start")}})
	b := newBrowser(t)
	b.open(s)
	b.shows(stopLine, strconv.Itoa(p.Line("start")))
	fill := func(name, text string) {
		t.Helper()
		if name == "location" {
			b.until(`document.querySelector('.breakpoint-form [name=location]').value === ''`) // what was sent before is done
		}
		run[bool](b, `document.querySelector('.breakpoint-form [name=`+name+`]').value = `+quote(text)+`; true`)
	}
	fill("location", p.At("loop.py", "loop"))
	fill("condition", "i == 3")
	b.click("Set")
	b.shows("breakpoints-pane", p.At("loop.py", "loop")+" if i == 3 somebody")
	r := s.OK("execute", A{"action": "continue"}).Stopped("stopped_at_breakpoint", p.At("loop.py", "loop"))
	if did := acts(t, r); r.At("data", "locals", "total", "v") != "6" || len(did) != 1 || !strings.Contains(did[0], "if i == 3") {
		t.Errorf("the agent is told %q in %s", did, r.Text)
	}
	b.until(`!!document.querySelector('[aria-label="change breakpoint 2"]')`)
	run[bool](b, `document.querySelector('[aria-label="change breakpoint 2"]').click(); true`)
	b.until(`document.querySelector('.breakpoint-form [name=condition]').value === 'i == 3'`)
	fill("condition", "i == 7")
	b.click("Set")
	b.shows("breakpoints-pane", "if i == 7")
	b.until(`!document.querySelector('breakpoints-pane').textContent.includes('if i == 3')`)
	s.OK("execute", A{"action": "continue"}).Stopped("stopped_at_breakpoint", p.At("loop.py", "loop"))
	if i := s.OK("inspect", A{"expression": "i"}).At("data", "result", "v"); i != "7" {
		t.Errorf("i is %s", i)
	}
	fill("location", "twice")
	b.click("Set")
	b.shows("breakpoints-pane", p.At("loop.py", "twice")+" somebody")
	s.OK("execute", A{"action": "continue"}).Stopped("stopped_at_breakpoint", p.At("loop.py", "twice"))
	fill("location", "loop.py:999")
	b.click("Set")
	b.shows("breakpoints-pane", "999")
	b.isQuiet()
}

// hostile prints, and has in its values and names, what would be markup and code on a page
// that parses it.
const hostile = `import os
bad = "<img src=x onerror='window.hacked=1'><script>window.hacked=1</script>"
things = {bad: [bad]}
print(bad, "\u202egnp.exe", "\x1b[31mred", flush=True)
print("done")  # @mark stop
`

// What a program brings is shown as it is, and nothing of it runs.
func TestThePageShowsMarkupAsText(t *testing.T) {
	t.Parallel()
	name := `<img src=x onerror=window.hacked=1>.py`
	p := testkit.NewProgram(t, "")
	p.Write(name, hostile)
	s := testkit.Start(t, testkit.Options{Dir: p.Dir})
	s.OK("session_start", A{"target": name, "breakpoints": []string{p.At(name, "stop")}}).Stopped("stopped_at_breakpoint", p.At(name, "stop"))
	b := newBrowser(t)
	b.open(s)
	b.shows(stopLine, strconv.Itoa(p.Line("stop")))
	b.shows("values-pane", "<script>window.hacked=1</script>")
	b.shows("output-pane", "<img src=x")
	b.shows("output-pane", `\u202egnp.exe`)
	b.shows("output-pane", "red")
	b.shows("stack-pane", name)
	s.OK("inspect", A{"target": "expression", "expression": "bad"})
	b.shows("timeline-pane", "<script>")
	images := run[int](b, `for (const d of document.querySelectorAll('details')) d.open = true; document.images.length`)
	scripts := run[int](b, `document.scripts.length`)
	hacked := run[bool](b, `!!window.hacked`)
	if hacked || images != 0 || scripts != 1 {
		t.Errorf("it ran: %v, with %d images and %d scripts", hacked, images, scripts)
	}
	b.isQuiet()
}

// A reload stays in and shows the same; the same link lets no second browser in.
func TestThePageIsReloadedAndItsLinkIsNot(t *testing.T) {
	t.Parallel()
	s, p := tongues[0].start(t)
	b := newBrowser(t)
	link := s.OK("session", A{"action": "show"}).At("data", "page")
	b.do(chromedp.Navigate(link))
	b.shows(stopLine, strconv.Itoa(p.Line("stop")))
	if now := run[string](b, `location.href`); strings.Contains(now, "link=") {
		t.Errorf("the address still shows the link: %s", now)
	}
	b.do(chromedp.Reload())
	b.shows(stopLine, strconv.Itoa(p.Line("stop")))
	b.shows("timeline-pane", "session_start")
	thief := newBrowser(t)
	thief.do(chromedp.Navigate(link))
	thief.shows("#notice", "link")
	if run[bool](thief, `!document.querySelector('main').hidden`) {
		t.Error("the link let a second browser in")
	}
}

// Two persons at once: the one drives, the other sees it and cannot.
func TestTwoPagesAtOnce(t *testing.T) {
	t.Parallel()
	s, p := tongues[0].start(t)
	ada, bob := newBrowser(t), newBrowser(t)
	ada.open(s)
	bob.open(s)
	ada.click("Take")
	bob.shows("controls-bar", "somebody holds the session")
	ada.click("Step over")
	for _, b := range []*browser{ada, bob} {
		b.shows(stopLine, strconv.Itoa(p.Line("next")))
		b.shows("controls-bar", "watching: ")
	}
	if run[bool](bob, `[...document.querySelectorAll('controls-bar button')].some((b) => !b.disabled && /Take|Step|Continue/.test(b.textContent))`) {
		t.Error("the second person can drive what the first holds")
	}
	ada.isQuiet()
	bob.isQuiet()
}

// What a question outside of the session has found is drawn, too.
func TestThePageDrawsWhatWasFound(t *testing.T) {
	t.Parallel()
	s, p := tongues[0].start(t)
	b := newBrowser(t)
	b.open(s)
	b.shows("timeline-pane", "session_start")
	s.OK("trace", A{"target": "sum.py", "what": "values", "location": p.At("sum.py", "stop"), "expressions": []string{"total"}})
	b.shows("timeline-pane tbody", "21")
	s.OK("why", A{"expression": "total"})
	b.shows("timeline-pane ol", "total = a + b")
	b.isQuiet()
}

// The page asks its own server only, and the report that it saves needs none.
func TestThePageSavesAReport(t *testing.T) {
	t.Parallel()
	s, _ := tongues[0].start(t)
	b := newBrowser(t)
	b.open(s)
	b.shows("timeline-pane", "session_start")
	run[int](b, `(async () => { const r = await fetch(document.querySelector('a[download]').href); window.kind = r.headers.get('content-type'); window.report = await r.text(); })(); 0`)
	b.until(`!!window.report`)
	text, kind := run[string](b, `window.report`), run[string](b, `window.kind`)
	if !strings.HasPrefix(kind, "text/html") || !strings.Contains(text, "session_start") || !strings.Contains(text, "total = 21") || strings.Contains(text, "<script") || strings.Contains(text, "link=") {
		t.Errorf("%s:\n%s", kind, text)
	}
	b.isQuiet()
}

// Who has no cookie learns nothing, whatever it asks for.
func TestThePageIsShutWithoutALink(t *testing.T) {
	t.Parallel()
	s, _ := tongues[0].start(t)
	link := s.OK("session", A{"action": "show"}).At("data", "page")
	base, _, _ := strings.Cut(link, "#")
	for _, path := range []string{"api/sessions", "api/sessions/python-1/events", "api/sessions/python-1/locals", "api/sessions/python-1/source?file=/etc/passwd"} {
		r, err := http.Get(base + path)
		if err != nil {
			t.Fatal(err)
		}
		_ = r.Body.Close()
		if r.StatusCode != http.StatusUnauthorized {
			t.Errorf("%s: %s", path, r.Status)
		}
	}
}

// Contrast, roles and names hold what axe asks for, in both themes, while the program stands,
// a question waits and the person holds the session.
func TestThePageIsAccessible(t *testing.T) {
	t.Parallel()
	axe, err := os.ReadFile(filepath.Join(testkit.Packages(t), "axe-core", "axe.min.js"))
	if err != nil {
		t.Fatal(err)
	}
	for theme, flags := range map[string][]chromedp.ExecAllocatorOption{"light": nil, "dark": {chromedp.Flag("force-dark-mode", true)}} {
		t.Run(theme, func(t *testing.T) {
			t.Parallel()
			s, p := tongues[0].start(t)
			b := newBrowser(t, flags...)
			b.open(s)
			b.click("Take")
			b.shows("controls-bar", "you hold the session")
			s.OK("session", A{"action": "ask", "text": "is it right?", "timeout_ms": 1})
			b.shows("timeline-pane", "is it right?")
			b.shows(stopLine, strconv.Itoa(p.Line("stop")))
			b.shows("values-pane", "total = 21")
			if isDark := run[bool](b, `matchMedia('(prefers-color-scheme: dark)').matches`); isDark != (theme == "dark") {
				t.Errorf("the browser's theme is not %s", theme)
			}
			run[bool](b, string(axe)+`; axe.run().then((r) => { window.found = r.violations.map((v) => v.id + ': ' + v.nodes.map((n) => n.html).join(' ')).join('\n') || 'none'; }); true`)
			b.until(`!!window.found`)
			if found := run[string](b, `window.found`); found != "none" {
				t.Error(found)
			}
			b.isQuiet()
		})
	}
}
