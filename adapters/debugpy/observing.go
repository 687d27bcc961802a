package debugpy

import (
	"cmp"
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"os"
	"runtime"
	"strings"

	"aidb-mcp/adapters"
	"aidb-mcp/adapters/observe/inside"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/recording/live"
)

// What records in a program that runs on; begin.py says how it comes there.
//
//go:embed live/*.py
var liveScripts embed.FS

// liveModules are those of what records, in the order in which they are loaded; the first three are
// the recorder's of runs.
var liveModules = []string{"recorder/attributes", "recorder/waiting", "recorder/show", "live/counting", "live/finding", "live/monitored", "live/rewritten", "live/hub"}

// order is what the program is asked.
type order struct {
	inside.Order
	Package string      `json:"package"`
	Modules [][2]string `json:"modules"` // the name of each, and its text
}

// enteredAs is the order with what carries it out.
func enteredAs(o inside.Order) (*order, error) {
	whole := &order{Order: o}
	sum := fnv.New64a()
	whole.Modules = append(whole.Modules, [2]string{"", ""}) // the package
	for _, name := range liveModules {
		files := liveScripts
		if strings.HasPrefix(name, "recorder/") {
			files = recorder
		}
		text, err := files.ReadFile(name + ".py")
		if err != nil {
			return nil, err
		}
		_, _ = sum.Write(text) // of another version's nothing is shared
		whole.Modules = append(whole.Modules, [2]string{name[strings.IndexByte(name, '/')+1:], string(text)})
	}
	whole.Package = fmt.Sprintf("_aidb_live_%x", sum.Sum64())
	return whole, nil
}

// Enter puts what records into the program by the debugger's way, evaluating apart from any
// frame, which stops nothing.
func (d *dialect) Enter(ctx context.Context, p adapters.Entered, w live.Spec) (adapters.Recorder, error) {
	return d.arm(ctx, w, func(ctx context.Context, text string) error {
		var none struct{}
		return evaluateJSON(ctx, p.Caller, text, &none)
	})
}

// evaluator has a program that runs evaluate an expression.
type evaluator func(ctx context.Context, expression string) error

func (d *dialect) arm(ctx context.Context, w live.Spec, evaluate evaluator) (adapters.Recorder, error) {
	return d.armed.Keep(d.enter(ctx, w, func(ctx context.Context, o inside.Order) error {
		text, err := entering(o)
		if err != nil {
			return err
		}
		return evaluate(ctx, text)
	}))
}

// entering is the expression that carries an order out.
func entering(o inside.Order) (string, error) {
	whole, err := enteredAs(o)
	if err != nil {
		return "", err
	}
	asked, err := json.Marshal(whole)
	if err != nil {
		return "", err
	}
	begin, err := liveScripts.ReadFile("live/begin.py")
	if err != nil {
		return "", err
	}
	return fmt.Sprintf(`(lambda n: (exec(compile(%s, "pydevd.py", "exec"), n), n["begin"](%s))[1])({})`, literalOf(string(begin)), literalOf(string(asked))), nil
}

// enter arms, and words what cannot be.
func (d *dialect) enter(ctx context.Context, w live.Spec, by func(context.Context, inside.Order) error) (adapters.Recorder, error) {
	if runtime.GOOS == "windows" {
		return nil, fault.New(fault.NotSupported, "running Python programs are not recorded on Windows: Python has no private sockets there")
	}
	link, armed, err := inside.Arm(ctx, cmp.Or(d.scratch, os.TempDir()), w, by)
	var refused *inside.RefusedError
	var worded *fault.Error
	switch {
	case errors.As(err, &worded):
		return nil, worded
	case errors.As(err, &refused):
		return nil, fault.New(fault.InvalidParam, "nothing was armed: %s", refused.Why).WithField(fieldOf(w)).
			WithHint("name what the program has loaded: functions for calls, a line with code for values, a global or an attribute of an object that a global names for writes")
	case err != nil && d.remote:
		return nil, fault.New(fault.NotSupported, "nothing was armed: %w", err).
			WithHint("what records tells its rows by a socket of this machine: run the server where the program runs")
	case err != nil:
		return nil, fault.New(fault.NotSupported, "nothing was armed: %w", err)
	}
	link.Add(nil, func(s *live.State) { s.How = liveHow(armed, w) })
	return link, nil
}

// fieldOf is the parameter that says what is recorded.
func fieldOf(w live.Spec) string {
	switch {
	case w.Written != "":
		return "expression"
	case w.File != "":
		return "location"
	}
	return "functions"
}

// liveHow says by what it is recorded, and what that costs and misses.
func liveHow(a inside.Armed, w live.Spec) string {
	way := "code put into its functions"
	if a.Monitoring {
		way = "sys.monitoring"
	}
	missed := "children that it forks or starts are not seen"
	if w.Written != "" {
		missed = "writes by setattr(), __dict__, C code or code that is loaded later are not seen, nor those that leave the same object there; " + missed
		if !a.Monitoring {
			missed = "only assignments in functions of its own code are seen; " + missed
		}
	}
	cost := fmt.Sprintf("a hit costs the program about %d µs", max(a.Cost/1000, 1))
	return fmt.Sprintf("in the program, by %s (Python %s), at %s: %s, and what showing its values costs, armed and not reached nothing; above 20,000 hits a second it is taken out; %s",
		way, formatVersion(a.Version), live.Places(a.Places), cost, missed)
}
