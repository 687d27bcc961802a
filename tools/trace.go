package tools

import (
	"cmp"
	"encoding/json"
	"reflect"
)

// Start is embedded by the tools that run the program themselves: what is run. All
// of it is left out where a session's start is to be made again.
type Start struct {
	Target   string            `json:"target"`
	Test     string            `json:"test"`
	Args     []string          `json:"args" list:"no"`
	Env      map[string]string `json:"env" list:"no"`
	Cwd      string            `json:"cwd" list:"no"`
	Stdin    *string           `json:"stdin" list:"no"`
	Mode     string            `json:"mode" list:"no"`
	Language string            `json:"language" list:"no"`
	More     json.RawMessage   `json:"start" doc:"more of session_start"`
}

// Given says that a start is asked for, and not that of a session.
func (s *Start) Given() bool {
	return s.Target != "" || s.Test != "" || len(s.More) > 0
}

// TraceParams are the arguments of trace.
type TraceParams struct {
	Action      string          `json:"action" enum:"run,arm,read,disarm"`
	ID          string          `json:"id"`
	What        string          `json:"what" enum:"values,writes,calls,lines,first"`
	Location    string          `json:"location" doc:"values: file:line"`
	Expressions []Expression    `json:"expressions" doc:"values, lines"`
	Condition   Expression      `json:"condition" doc:"first: result, each(TYPE)"`
	Scope       []string        `json:"scope" doc:"first: functions, files, lines"`
	Expression  Expression      `json:"expression" doc:"writes: to what"`
	Functions   []string        `json:"functions" doc:"calls: names, patterns, files"`
	Function    string          `json:"function" doc:"lines: of which call"`
	Call        int             `json:"call" min:"1" doc:"lines: the n-th"`
	Stack       bool            `json:"stack" doc:"arm: callers"`
	Limit       int             `json:"limit" min:"1" max:"1000" list:"bare"`
	Against     json.RawMessage `json:"against" doc:"second run: args, env, stdin, test, target, patch (diff)"`
	Trigger     *Trigger        `json:"trigger" list:"flat"`
	Start
	SessionRef
	Wait
	Reply
}

// Trace is the definition of trace.
func Trace() Typed[*TraceParams] {
	return define[TraceParams]("trace", "Trace a run",
		"Run the program again: expressions at a line (values), who wrote a variable (writes), "+
			"calls with results (calls), lines of a call (lines), what first made a condition hold (first). arm, read, disarm: in a running program. Example: {\"what\":\"calls\",\"functions\":[\"total\"]}",
		Annotations{OpenWorld: true})
}

// AgainstParams are what differs in the second run of a trace.
type AgainstParams struct {
	Target string            `json:"target"`
	Test   string            `json:"test"`
	Args   []string          `json:"args"`
	Env    map[string]string `json:"env"`
	Stdin  *string           `json:"stdin"`
	Patch  string            `json:"patch"`
}

// ReadAgainst reads what differs in the second run, nil where there is none.
func ReadAgainst(raw json.RawMessage) (*AgainstParams, error) {
	if len(raw) == 0 {
		return nil, nil
	}
	var p AgainstParams
	value := reflect.ValueOf(&p).Elem()
	if err := decodeInto("trace", raw, fieldsOf(value.Type()), value); err != nil {
		return nil, err
	}
	return &p, nil
}

// StartParams are the arguments of session_start that a start says in other words.
// Errors name the field of start at fault.
func StartParams(s *Start) (*SessionStartParams, error) {
	more := s.More
	if len(more) == 0 {
		more = json.RawMessage("{}")
	}
	p, err := SessionStart().Decode(more)
	if err != nil {
		return nil, err
	}
	p.Target, p.Test = cmp.Or(s.Target, p.Target), cmp.Or(s.Test, p.Test)
	p.Cwd, p.Mode, p.Language = cmp.Or(s.Cwd, p.Cwd), cmp.Or(s.Mode, p.Mode), cmp.Or(s.Language, p.Language)
	if s.Args != nil {
		p.Args = s.Args
	}
	if s.Env != nil {
		p.Env = s.Env
	}
	if s.Stdin != nil {
		p.Stdin = s.Stdin
	}
	return p, nil
}
