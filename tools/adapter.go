package tools

// AdapterParams are the arguments of adapter.
type AdapterParams struct {
	Action   string `json:"action" enum:"list,verify" default:"list"`
	Language string `json:"language"`
	Reply
}

func adapterTool() *Definition {
	return define("adapter", "Debug adapters",
		"Which debug adapters are there, their versions, and whether they can run on this machine; says how to mend what is missing.",
		Annotations{ReadOnly: true, Idempotent: true},
		new(AdapterParams))
}
