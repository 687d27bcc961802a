package tools

// AdapterParams are the arguments of adapter.
type AdapterParams struct {
	Action   string `json:"action" enum:"list,verify" default:"list"`
	Language string `json:"language"`
	Reply
}

func adapterTool() *Definition {
	return define("adapter", "Debug adapters",
		"Which debug adapters there are, whether they can run here, and how to mend what is missing.",
		Annotations{ReadOnly: true, Idempotent: true},
		new(AdapterParams))
}
