package tools

// ContextParams are the arguments of context.
type ContextParams struct {
	DetailLevel        string `json:"detail_level" enum:"brief,detailed,full" default:"brief"`
	IncludeSuggestions bool   `json:"include_suggestions" default:"true"`
	Explain            bool   `json:"explain" doc:"by the client's model, too"`
	SessionRef
	NoWait
	Reply
}

// Context is the definition of context.
func Context() Typed[*ContextParams] {
	return define[ContextParams]("context", "Where am I",
		"Where am I, what did I do, what did it show: state, recent operations, values over time, what to try next. Use it when "+
			"you have lost track.",
		Annotations{ReadOnly: true, Idempotent: true})
}
