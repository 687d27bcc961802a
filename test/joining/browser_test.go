package joining

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"aidb-mcp/internal/testkit"
)

// browsers are named in the order in which they are looked for.
var browsers = []string{"chromium", "chromium-browser", "google-chrome"}

// browser is one person's own, with what it complained of.
type browser struct {
	t   *testing.T
	ctx context.Context

	mu     sync.Mutex
	faults []string
}

// shared is the Chromium in which each person has a profile of their own: to start one takes
// longer than what most do with it.
var shared chromium

// chromium is one that starts when the first person comes.
type chromium struct {
	once  sync.Once
	ctx   context.Context
	dir   string
	close func()
	err   error
}

// start starts it; it lives as long as the context of its first steps.
func (c *chromium) start(more ...chromedp.ExecAllocatorOption) {
	path := ""
	for _, name := range browsers {
		if found, err := exec.LookPath(name); err == nil {
			path = found
			break
		}
	}
	if path == "" {
		c.err = errors.New("there is no Chromium: make test brings it as root")
		return
	}
	if c.dir, c.err = os.MkdirTemp("", "aidb-chromium-"); c.err != nil {
		return
	}
	options := slices.Concat(chromedp.DefaultExecAllocatorOptions[:], []chromedp.ExecAllocatorOption{
		chromedp.ExecPath(path), chromedp.UserDataDir(c.dir),
		chromedp.Flag("disable-quic", true), chromedp.WSURLReadTimeout(limit),
	})
	options = append(options, more...)
	if os.Geteuid() == 0 {
		options = append(options, chromedp.NoSandbox)
	}
	started, stop := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, end := chromedp.NewContext(started)
	c.ctx, c.close = ctx, func() {
		_ = chromedp.Cancel(ctx)
		end()
		stop()
	}
	if c.err = chromedp.Do(ctx); c.err != nil {
		c.err = fmt.Errorf("starting %s: %w", path, c.err)
	}
}

// end ends it, if it was started, and takes its folder away.
func (c *chromium) end() {
	if c.close != nil {
		c.close()
	}
	if c.dir != "" {
		_ = os.RemoveAll(c.dir)
	}
}

// newBrowser is one that knows nothing yet; what it is told more makes it a Chromium of its own.
func newBrowser(t *testing.T, more ...chromedp.ExecAllocatorOption) *browser {
	t.Helper()
	c := &shared
	if len(more) > 0 {
		c = &chromium{}
		t.Cleanup(c.end)
	}
	c.once.Do(func() { c.start(more...) })
	if c.err != nil {
		t.Fatal(c.err)
	}
	b := &browser{t: t}
	ctx, end := chromedp.NewContext(c.ctx, chromedp.WithNewBrowserContext(), chromedp.WithListener(b.hear))
	b.ctx = ctx
	t.Cleanup(end)
	if err := chromedp.Do(ctx); err != nil {
		t.Fatalf("opening a window: %v", err)
	}
	return b
}

// hear keeps what the browser complains of: a script that failed, a rule that was broken.
func (b *browser) hear(event any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch e := event.(type) {
	case *runtime.EventExceptionThrown:
		b.faults = append(b.faults, e.ExceptionDetails.Text)
	case *runtime.EventConsoleAPICalled:
		if e.Type == runtime.ConsoleAPICalledTypeError {
			for _, a := range e.Args {
				b.faults = append(b.faults, string(a.Value))
			}
		}
	}
}

// do does what a person does, within the limit.
func (b *browser) do(steps ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, limit)
	defer cancel()
	if err := chromedp.Do(ctx, steps...); err != nil {
		b.t.Fatalf("%v; the page shows:\n%s", err, b.text("body"))
	}
}

// text is what an element shows, empty when it is not there.
func (b *browser) text(selector string) string {
	ctx, cancel := context.WithTimeout(b.ctx, 5*time.Second)
	defer cancel()
	text, err := chromedp.Run(ctx, chromedp.Evaluate[string](`document.querySelector(`+quote(selector)+`)?.textContent ?? ''`))
	if err != nil {
		return err.Error()
	}
	return text
}

// run gives what a piece of script in the page comes to.
func run[T any](b *browser, script string) T {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, limit)
	defer cancel()
	v, err := chromedp.Run(ctx, chromedp.Evaluate[T](script))
	if err != nil {
		b.t.Fatalf("%s: %v", script, err)
	}
	return v
}

// until waits until an expression of the page's holds.
func (b *browser) until(expression string) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, limit)
	defer cancel()
	if _, err := chromedp.Run(ctx, chromedp.Poll[bool](expression, chromedp.WithPollingTimeout(limit))); err != nil {
		b.t.Fatalf("%s: %v; the page shows:\n%s", expression, err, b.text("body"))
	}
}

// shows waits until an element shows a text.
func (b *browser) shows(selector, text string) {
	b.t.Helper()
	b.until(`!!document.querySelector(` + quote(selector) + `)?.textContent.includes(` + quote(text) + `)`)
}

// click presses the button of the controls that says so, once it can be pressed.
func (b *browser) click(label string) {
	b.t.Helper()
	button := `[...document.querySelectorAll('button')].find((b) => b.textContent === ` + quote(label) + ` && !b.disabled)`
	b.until(`!!` + button)
	run[bool](b, button+`.click(), true`)
}

// isQuiet fails the test for what the browser complained of.
func (b *browser) isQuiet() {
	b.t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, f := range b.faults {
		b.t.Error("the browser complains: " + f)
	}
}

// open lets a person in by the agent's link.
func (b *browser) open(s *testkit.Server) {
	b.t.Helper()
	b.do(chromedp.Navigate(s.OK("session", A{"action": "show"}).At("data", "page")))
}
