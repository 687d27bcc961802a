package handlers

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/project/launch"
	"aidb-mcp/internal/system/process"
	"aidb-mcp/responses"
	"aidb-mcp/tools"
)

// launchConfigs answers config(launch): what the configurations of the workspace's
// editors mean, and what keeps each from starting. Nothing is run, and nobody asked.
func (h *Handlers) launchConfigs(ctx context.Context, _ *Call, p *tools.ConfigParams) (*responses.Envelope, error) {
	set, err := h.starts().launches(p.WorkspaceRoot)
	if err != nil {
		return nil, err
	}
	x := launchExplainer{h: h, p: p, set: set, ready: map[string]adapters.Readiness{}}
	rows := []responses.Launch{}
	for _, e := range set.Entries {
		if p.ConfigName == "" || p.ConfigName == e.Name {
			rows = append(rows, x.entry(ctx, e))
		}
	}
	for _, c := range set.Compounds {
		if p.ConfigName == "" || p.ConfigName == c.Name {
			rows = append(rows, x.compound(ctx, c))
		}
	}
	if p.ConfigName != "" && len(rows) == 0 {
		return nil, aboutField(set.Missing(p.ConfigName), "config_name")
	}
	data := &responses.Config{Launches: responses.NewList(rows, responses.Page{What: "launch configurations", More: func(int) responses.Call {
		return responses.NewCall("config", "action", "launch", "max_bytes", maxBudget).With("workspace_root", p.WorkspaceRoot)
	}})}
	for _, problem := range set.Problems {
		data.Problems = append(data.Problems, problem.Err.Message)
	}
	env := &responses.Envelope{Success: true, Summary: countLaunches(rows), Data: data}
	for _, r := range rows {
		if r.Problem == "" && !h.Policy.ReadOnly {
			call := responses.NewCall("session_start", "launch_config_name", r.Name).With("workspace_root", p.WorkspaceRoot)
			env.NextSteps = []responses.NextStep{call.Why("start it as it is")}
			break
		}
	}
	return env, nil
}

// aboutField is an error about a parameter of another name.
func aboutField(err error, field string) error {
	return fault.Changed(err, func(f *fault.Error) { f.Field = field })
}

func countLaunches(rows []responses.Launch) string {
	bad := 0
	for _, r := range rows {
		if r.Problem != "" {
			bad++
		}
	}
	said := responses.Plural(len(rows), "launch configuration")
	if bad > 0 {
		said += fmt.Sprintf(", %d of them cannot start", bad)
	}
	return said
}

// launchExplainer is one look at the configurations.
type launchExplainer struct {
	h     *Handlers
	p     *tools.ConfigParams
	set   *launch.Set
	ready map[string]adapters.Readiness // of adapters, by their language
}

func (x launchExplainer) entry(ctx context.Context, e *launch.Entry) responses.Launch {
	row := responses.Launch{Name: e.Name, File: e.File}
	start := &tools.SessionStartParams{WorkspaceRoot: x.p.WorkspaceRoot}
	config, err := x.set.Resolve(e, launch.Options{})
	if err == nil {
		err = x.h.starts().take(unattended(), start, config)
	}
	if err != nil {
		return rowWithError(row, err)
	}
	row.Start = x.h.arguments(start)
	pre, err := x.h.starts().taskOf(x.set, e, config.PreLaunchTask, config.BeforeTask, launch.Options{})
	if err == nil {
		row.Before = x.h.commands(pre)
		pre, err = x.h.starts().taskOf(x.set, e, config.PostDebugTask, nil, launch.Options{})
		row.After = x.h.commands(pre)
	}
	if err == nil && config.Ready != nil {
		_, err = config.Ready.Compile()
	}
	if err == nil {
		err = x.obstacle(ctx, start, len(row.Before) > 0)
	}
	if err != nil {
		return rowWithError(row, err)
	}
	return row
}

func (x launchExplainer) compound(ctx context.Context, c *launch.Compound) responses.Launch {
	row := responses.Launch{Name: c.Name, File: c.File}
	for _, m := range c.Members {
		row.Members = append(row.Members, m.Name)
	}
	if c.StopAll {
		row.Note = "stopping one stops all"
	}
	members, err := x.set.Members(c)
	if err != nil {
		return rowWithError(row, err)
	}
	for _, e := range members {
		if r := x.entry(ctx, e); r.Problem != "" {
			row.Problem, row.Remedy = fmt.Sprintf("%s: %s", e.Name, r.Problem), r.Remedy
			break
		}
	}
	return row
}

// rowWithError is a row with what keeps its configuration from starting.
func rowWithError(row responses.Launch, err error) responses.Launch {
	row.Problem = err.Error()
	if f, ok := errors.AsType[*fault.Error](err); ok {
		row.Remedy = f.Hint
	}
	return row
}

// obstacle is what keeps a start from succeeding that is seen without trying it.
func (x launchExplainer) obstacle(ctx context.Context, p *tools.SessionStartParams, builds bool) error {
	attaches := p.Mode == string(adapters.Attach) || p.Mode == string(adapters.RemoteAttach)
	if attaches {
		if err := x.h.Policy.Attach("mode"); err != nil {
			return err
		}
	} else if err := x.h.Policy.Start(); err != nil {
		return err
	}
	if a := x.h.Adapters.Get(p.Language); a != nil {
		r, asked := x.ready[p.Language]
		if !asked {
			r = a.Check(ctx)
			x.ready[p.Language] = r
		}
		if !r.Ready {
			return fault.New(fault.AdapterNotFound, "%s", r.Problem).WithHint("%s", r.Remedy)
		}
	}
	if attaches && p.PID != 0 && process.Gone(p.PID) {
		return fault.New(fault.InvalidTarget, "there is no process %d", p.PID).WithHint("give pid")
	}
	for _, file := range []struct{ param, path string }{{"target", p.Target}, {"cwd", p.Cwd}, {"env_file", p.EnvFile}, {"core_file", p.CoreFile}} {
		if !filepath.IsAbs(file.path) || attaches || builds && file.param == "target" || !x.h.Policy.Allows(file.path) {
			continue
		}
		if _, err := os.Stat(file.path); err != nil {
			return fault.New(fault.InvalidTarget, "its %s %s is not there", file.param, file.path).WithHint("make or build it first, or give %s", file.param)
		}
	}
	return nil
}

// commands are the tasks that a start runs, those that come first first.
func (h *Handlers) commands(t *launch.Task) []string {
	var list []string
	seen := map[*launch.Task]bool{}
	var add func(t *launch.Task)
	add = func(t *launch.Task) {
		if t == nil || seen[t] {
			return
		}
		seen[t] = true
		for _, other := range t.Before {
			add(other)
		}
		if len(t.Command) > 0 {
			line := t.Label + ": " + h.Mask.Command(strings.Join(t.Command, " "))
			if t.Background {
				line += " (in the background)"
			}
			list = append(list, line)
		}
	}
	add(t)
	return list
}

// arguments are the parameters of a start that say something, under their names and
// without what is secret in them.
func (h *Handlers) arguments(p *tools.SessionStartParams) responses.Object {
	var out responses.Object
	v := reflect.ValueOf(*p)
	for i := range v.NumField() {
		name, value := v.Type().Field(i).Tag.Get("json"), v.Field(i)
		if name == "" || value.IsZero() || name == "workspace_root" {
			continue
		}
		if text, err := json.Marshal(value.Interface()); err == nil {
			out = append(out, responses.Member{Name: name, Value: json.RawMessage(h.Mask.JSON(text))})
		}
	}
	return out
}
