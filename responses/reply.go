package responses

// Reply is one finished answer: compact JSON within its budget.
type Reply struct {
	JSON    []byte
	IsError bool
}
