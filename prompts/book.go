package prompts

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/policy"
	"aidb-mcp/internal/project/source"
	"aidb-mcp/internal/project/workspace"
	"aidb-mcp/internal/text/secret"
	"aidb-mcp/responses"
	"aidb-mcp/session"
)

// Prompt is one text and what is asked to fill it in.
type Prompt struct {
	Name, Title, Description string
	Arguments                []Argument

	write func(b *Book, ctx context.Context, a arguments) (string, error)
}

// Argument is one thing that is asked. All are optional but those that say otherwise.
type Argument struct {
	Name, Description string
	Required          bool
}

// Text is a prompt that was filled in.
type Text struct{ Description, Text string }

// Looker answers calls that only look, in the way of the tools.
type Looker interface {
	Look(ctx context.Context, call responses.Call) (*responses.Envelope, responses.Reply)
}

// Options are what a book is made of.
type Options struct {
	Calls     Looker
	Sessions  *session.Manager
	Adapters  *adapters.Registry
	Workspace string
	Policy    policy.Policy
	Mask      *secret.Masker
}

// Book holds all prompts of a server. mu guards the last look at the workspace.
type Book struct {
	o Options

	mu     sync.Mutex
	seen   *workspace.Project
	looked time.Time
}

// New makes a book.
func New(o Options) *Book { return &Book{o: o} }

// arguments are what was asked, by name.
type arguments map[string]string

const (
	longestArgument = 500
	fresh           = 10 * time.Second // how long a look at the workspace is good
	lookLimit       = 5 * time.Second
)

// all are the prompts.
var all = []Prompt{
	{
		Name: "debug_failing_test", Title: "Debug a failing test",
		Description: "Find out why a test fails, from the values at the line where it does",
		Arguments: []Argument{
			{Name: "test", Description: "the test, as its framework names it; without it the agent picks from those of this workspace"},
			{Name: "target", Description: "the package, directory or file that has the test"},
			{Name: "language", Description: "needed only where a workspace mixes several"},
		},
		write: (*Book).failingTest,
	},
	{
		Name: "find_crash", Title: "Find a crash",
		Description: "Run a program until it crashes, and say which value broke it and where that came from",
		Arguments: []Argument{
			{Name: "target", Description: "what to run: a source file, directory or program"},
			{Name: "args", Description: "arguments of the program, as in a shell"},
			{Name: "language", Description: "needed only where a workspace mixes several"},
		},
		write: (*Book).findCrash,
	},
	{
		Name: "find_hang", Title: "Find a hang",
		Description: "Find out why a program does not go on: who waits for whom, or which loop never ends",
		Arguments: []Argument{
			{Name: "session_id", Description: "a session that hangs; without it the program is started"},
			{Name: "target", Description: "what to run: a source file, directory or program"},
		},
		write: (*Book).findHang,
	},
	{
		Name: "explain_stop", Title: "Explain this stop",
		Description: "Explain why the program stands where it does; the stop is part of the text",
		Arguments:   []Argument{{Name: "session_id", Description: "the session; without it the current one"}},
		write:       (*Book).explainStop,
	},
}

// List is all prompts.
func (b *Book) List() []Prompt { return all }

// Get fills a prompt in. An error says what is wrong with the arguments.
func (b *Book) Get(ctx context.Context, name string, given map[string]string) (Text, error) {
	i := slices.IndexFunc(all, func(p Prompt) bool { return p.Name == name })
	if i < 0 {
		return Text{}, fmt.Errorf("there is no prompt %q", name)
	}
	p := all[i]
	a := arguments{}
	for key, value := range given {
		if !slices.ContainsFunc(p.Arguments, func(x Argument) bool { return x.Name == key }) {
			return Text{}, p.unknownError(key)
		}
		if len(value) > longestArgument {
			return Text{}, fmt.Errorf("%s has %d bytes, and may have %d", key, len(value), longestArgument)
		}
		a[key] = strings.TrimSpace(value)
	}
	if language := a["language"]; language != "" {
		own := b.o.Adapters.Get(language)
		if own == nil {
			return Text{}, fmt.Errorf("there is no debug adapter for %q; the languages are %s", language, strings.Join(b.o.Adapters.Languages(), ", "))
		}
		a["language"] = own.Info().Language
	}
	ctx, cancel := context.WithTimeout(ctx, lookLimit)
	defer cancel()
	text, err := p.write(b, ctx, a)
	return Text{p.Description, b.o.Mask.Text(responses.Plain(text))}, err
}

// unknownError says that a prompt has no such argument.
func (p *Prompt) unknownError(key string) error {
	var names []string
	for _, a := range p.Arguments {
		names = append(names, a.Name)
	}
	if like := source.Closest(key, names, 1); len(like) > 0 {
		return fmt.Errorf("%s has no argument %q: did you mean %s?", p.Name, responses.Shorten(key, 100), like[0])
	}
	return fmt.Errorf("%s has no argument %q: it has %s", p.Name, responses.Shorten(key, 100), strings.Join(names, ", "))
}

// project is what the workspace holds; empty where that cannot be seen.
func (b *Book) project() *workspace.Project {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.seen != nil && time.Since(b.looked) < fresh {
		return b.seen
	}
	b.seen = &workspace.Project{Root: b.o.Workspace}
	if b.o.Policy.Path("workspace_root", b.o.Workspace) == nil {
		if p, err := b.o.Adapters.Projects().Detect(b.o.Workspace); err == nil {
			b.seen = p
		}
	}
	b.looked = time.Now()
	return b.seen
}
