package responses

// Reply is one finished answer: compact JSON within its budget.
type Reply struct {
	JSON    []byte
	IsError bool
	Asked   bool // there is none yet: the client is asked something first, and makes the call again
}
