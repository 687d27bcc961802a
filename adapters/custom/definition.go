package custom

import (
	"encoding/json"
	"maps"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	godap "github.com/google/go-dap"

	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/project/source"
)

// definition is a table that has been checked, with its patterns compiled.
type definition struct {
	Table
	at string // "adapters.ruby"

	ready, failed, function, class, comment *regexp.Regexp
	internal, noise                         []*regexp.Regexp
	values                                  []rewriteRule
}

// rewriteRule is a Rewrite with its pattern compiled.
type rewriteRule struct {
	pattern *regexp.Regexp
	with    string
}

// formatValue writes a value as its language writes it.
func (d *definition) formatValue(value string) string {
	for _, r := range d.values {
		value = r.pattern.ReplaceAllString(value, r.with)
	}
	return value
}

// portGroup says that the adapter chooses its port and prints it.
func (d *definition) portGroup() bool { return d.ready != nil && d.ready.NumSubexp() > 0 }

func (d *definition) checkCommand() *fault.Error {
	if len(d.Command) == 0 || d.Command[0] == "" {
		return invalid(d.at+".command", requirementOf[Table]("command"))
	}
	if len(d.Launch) == 0 && len(d.Attach) == 0 {
		return invalid(d.at+".launch", requirementOf[Table]("launch")+"; it may be empty ({}), but launch or attach must be there")
	}
	return d.checkWords(d.at+".command", d.Command)
}

// checkProgram: what runs is the same wherever the server was started, so that
// no project can put itself in its place.
func checkProgram(at string, command []string) *fault.Error {
	if len(command) == 0 || mentions(command[0], "runtime") {
		return nil
	}
	program := values{}.text(command[0])
	if program == filepath.Base(program) || filepath.IsAbs(program) {
		return nil
	}
	return invalid(at, "as its first text a program's name, to be found in PATH, or its absolute path")
}

func (d *definition) checkWords(at string, words []string) *fault.Error {
	if err := checkProgram(at, words); err != nil {
		return err
	}
	for _, word := range words {
		if err := checkText(at, word); err != nil {
			return err
		}
	}
	return nil
}

func (d *definition) checkTransport() *fault.Error {
	command := strings.Join(d.Command, " ")
	switch {
	case !slices.Contains([]string{stdio, tcp, unix}, d.Transport):
		return invalid(d.at+".transport", requirementOf[Table]("transport"))
	case d.Transport == unix && !mentions(command, "socket"):
		return invalid(d.at+".command", "${socket} in it, the path where the adapter listens, since transport is unix")
	case d.Transport == tcp && !mentions(command, "port") && !strings.Contains(d.Ready, "("):
		return invalid(d.at+".command", "${port} in it, the port where the adapter listens, since transport is tcp; "+
			`or a ready pattern whose first group is the port that the adapter chose`)
	case d.Transport == stdio && d.DebuggeeServes:
		return invalid(d.at+".transport", "tcp or unix, since debuggee_serves: standard input and output are the program's")
	case d.Transport == stdio && d.Ready != "":
		return invalid(d.at+".ready", "no ready pattern: with transport stdio the adapter need not say that it listens")
	}
	return nil
}

func (d *definition) checkTemplates() *fault.Error {
	return d.checkTemplate(map[string]json.RawMessage{d.at + ".launch": d.Launch, d.at + ".attach": d.Attach})
}

func (d *definition) checkTemplate(templates map[string]json.RawMessage) *fault.Error {
	for _, at := range slices.Sorted(maps.Keys(templates)) {
		tree, err := readTree(templates[at])
		if err != nil {
			return invalid(at, "an object")
		}
		if err := checkTree(at, tree); err != nil {
			return err
		}
	}
	return nil
}

func (d *definition) checkVariants() *fault.Error {
	for name, v := range map[string]*Variant{"test": d.Test, "entry": d.Entry} {
		if v == nil {
			continue
		}
		at := d.at + "." + name
		if v.Request != "" && v.Request != "launch" && v.Request != "attach" {
			return invalid(at+".request", requirementOf[Variant]("request"))
		}
		if err := d.checkWords(at+".command", v.Command); err != nil {
			return err
		}
		if err := d.checkTemplate(map[string]json.RawMessage{at + ".arguments": v.Arguments}); err != nil {
			return err
		}
	}
	return nil
}

func (d *definition) checkPatterns() *fault.Error {
	for _, p := range []struct {
		key, text string
		into      **regexp.Regexp
	}{
		{"ready", d.Ready, &d.ready},
		{"evaluate.failed", dotAll(d.Evaluate.Failed), &d.failed},
		{"function", strings.ReplaceAll(d.Function, "NAME", `(?P<NAME>[^\s(){;]+)`), &d.function},
		{"class", strings.ReplaceAll(d.Class, "NAME", `(?P<NAME>[^\s(){;]+)`), &d.class},
		{"comment", d.Comment, &d.comment},
	} {
		if p.text == "" {
			continue
		}
		var err error
		if *p.into, err = regexp.Compile(p.text); err != nil {
			return invalid(d.at+"."+p.key, "a regular expression: "+err.Error())
		}
	}
	for _, p := range []struct {
		key   string
		texts []string
		into  *[]*regexp.Regexp
	}{{"internal", d.Internal, &d.internal}, {"noise", d.Noise, &d.noise}} {
		for _, text := range p.texts {
			pattern, err := regexp.Compile(text)
			if err != nil {
				return invalid(d.at+"."+p.key, "regular expressions: "+err.Error())
			}
			*p.into = append(*p.into, pattern)
		}
	}
	for key, text := range map[string]string{"function": d.Function, "class": d.Class} {
		if text != "" && strings.Count(text, "NAME") != 1 {
			return invalid(d.at+"."+key, requirementOf[Table](key))
		}
	}
	return nil
}

func (d *definition) checkValues() *fault.Error {
	for i, r := range d.Values {
		at := d.at + ".values[" + strconv.Itoa(i) + "]"
		if r.Pattern == "" {
			return invalid(at+".pattern", requirementOf[Rewrite]("pattern"))
		}
		pattern, err := regexp.Compile(r.Pattern)
		if err != nil {
			return invalid(at+".pattern", "a regular expression: "+err.Error())
		}
		d.values = append(d.values, rewriteRule{pattern, r.With})
	}
	return nil
}

// dotAll lets a dot stand for the end of a line too.
func dotAll(pattern string) string {
	if pattern == "" {
		return ""
	}
	return "(?s)" + pattern
}

func (d *definition) checkDistrust() *fault.Error {
	var known []string
	for field := range reflect.TypeFor[godap.Capabilities]().Fields() {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		known = append(known, name)
	}
	for _, name := range d.Distrust {
		if slices.Contains(known, name) {
			continue
		}
		f := fault.New(fault.ConfigInvalid, "%s: there is no capability %q", d.at+".distrust", name).WithField(d.at + ".distrust")
		if like := source.Closest(name, known, 2); len(like) > 0 {
			return f.WithHint("did you mean %s?", strings.Join(like, " or "))
		}
		return f.WithHint("the names are those of the initialize reply, for example supportsFunctionBreakpoints")
	}
	return nil
}

func (d *definition) checkEvaluate() *fault.Error {
	e, at := d.Evaluate, d.at+".evaluate"
	switch {
	case d.Exception.Stop != "" && d.Exception.Describe == "":
		return invalid(d.at+".exception.describe", requirementOf[Exception]("describe")+", by which the stop is told from others of its reason")
	case e.Wrap != "" && !mentions(e.Wrap, "expression"):
		return invalid(at+".wrap", requirementOf[Evaluate]("wrap"))
	case e.Truth != "" && !mentions(e.Truth, "expression"):
		return invalid(at+".truth", requirementOf[Evaluate]("truth"))
	case e.Assign != "" && (!mentions(e.Assign, "name") || !mentions(e.Assign, "value")):
		return invalid(at+".assign", requirementOf[Evaluate]("assign"))
	}
	return nil
}

func (d *definition) checkExtensions() *fault.Error {
	for _, ext := range d.Extensions {
		if !strings.HasPrefix(ext, ".") || len(ext) < 2 {
			return invalid(d.at+".extensions", requirementOf[Table]("extensions"))
		}
	}
	return nil
}

// requirementOf is what a key of T must hold.
func requirementOf[T any](key string) string {
	for field := range reflect.TypeFor[T]().Fields() {
		if field.Tag.Get("json") == key {
			return field.Tag.Get("want")
		}
	}
	return ""
}
