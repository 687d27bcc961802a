package launch

import (
	"encoding/json"

	"aidb-mcp/internal/fault"
)

// matcher is a problem matcher, of which only what is about a task in the
// background matters here: what it prints when it is ready.
type matcher struct {
	name string // of one that an editor knows
	own  struct {
		Base       string `json:"base"`
		Background *struct {
			EndsPattern endPattern `json:"endsPattern"`
		} `json:"background"`
		Watching *struct { // its older name
			EndsPattern endPattern `json:"endsPattern"`
		} `json:"watching"`
	}
}

// endPattern is a regular expression, or an object that has it.
type endPattern string

// UnmarshalJSON takes either form.
func (p *endPattern) UnmarshalJSON(b []byte) error {
	if json.Unmarshal(b, (*string)(p)) == nil {
		return nil
	}
	var long struct {
		Regexp string `json:"regexp"`
	}
	err := json.Unmarshal(b, &long)
	*p = endPattern(long.Regexp)
	return err
}

// UnmarshalJSON takes a name or an object.
func (m *matcher) UnmarshalJSON(b []byte) error {
	if json.Unmarshal(b, &m.name) == nil {
		return nil
	}
	return json.Unmarshal(b, &m.own)
}

// matchers is one matcher, or a list of them.
func matchers(raw json.RawMessage) (list []matcher, err error) {
	if len(raw) == 0 {
		return nil, nil
	}
	if raw[0] == '[' {
		err = json.Unmarshal(raw, &list)
		return list, err
	}
	var one matcher
	err = json.Unmarshal(raw, &one)
	return []matcher{one}, err
}

// ends is what the task prints when it is ready, empty when the matcher does not say.
func (m matcher) ends() string {
	switch {
	case m.own.Background != nil && m.own.Background.EndsPattern != "":
		return string(m.own.Background.EndsPattern)
	case m.own.Watching != nil && m.own.Watching.EndsPattern != "":
		return string(m.own.Watching.EndsPattern)
	case m.own.Base != "":
		return readyPatterns[m.own.Base]
	}
	return readyPatterns[m.name]
}

// readyPatterns are those of the matchers that editors and their best known
// extensions bring for tools that watch.
var readyPatterns = map[string]string{
	"$tsc-watch":                `Watching for file changes\.`,
	"$tslint5-watch":            `Watching for file changes\.`,
	"$esbuild-watch":            `\[watch\] build finished|build finished, watching`,
	"$esbuild":                  `\[watch\] build finished|build finished, watching`,
	"$ts-webpack-watch":         `compiled (successfully|with|in )|webpack: Compiled|Compilation complete`,
	"$ts-checker-webpack-watch": `No (type )?errors found|Found \d+ errors?|issues? found|Time: `,
	"$webpack-watch":            `compiled (successfully|with|in )|webpack: Compiled`,
	"$vite":                     `built in|ready in`,
	"$gulp-tsc":                 `Finished '`,
	"$nodemon":                  `starting |clean exit`,
	"$rollup-watch":             `waiting for changes`,
}

// readiness is how a task in the background says that it is ready.
func (r *taskResolver) readiness(t *task, made *Task) error {
	made.Background = t.IsBackground
	list, err := matchers(t.ProblemMatcher)
	if err != nil {
		return r.invalid("the problemMatcher of the task %q cannot be read: %s", made.Label, err).WithHint("mend it in %s", t.file.name)
	}
	for _, m := range list {
		if m.own.Background != nil || m.own.Watching != nil {
			made.Background = true
		}
	}
	if !made.Background {
		return nil
	}
	for _, m := range list {
		ends := m.ends()
		if ends == "" {
			continue
		}
		if made.Ready, err = expressionOf(ends, ""); err != nil {
			return fault.New(fault.ConfigInvalid, "the endsPattern %q of the task %q cannot be used: %w", ends, made.Label, err).
				WithField("launch_config_name").WithHint("write it without looking ahead or back")
		}
		return nil
	}
	return nil
}
