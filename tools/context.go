package tools

// ContextParams are the arguments of context.
type ContextParams struct {
	DetailLevel        string `json:"detail_level" enum:"brief,detailed,full" default:"brief"`
	IncludeSuggestions bool   `json:"include_suggestions" default:"true"`
	SessionRef
	Reply
}

func contextTool() *Definition {
	return define("context", "Where am I",
		"Where am I, what did I do and what did it show: state, recent operations with outcomes, values seen over time, and what to try next. "+
			"Use it after an interruption or when the trail is lost.",
		Annotations{ReadOnly: true, Idempotent: true},
		new(ContextParams))
}
