package responses

// Reply is one finished answer, within its budget, in each of the forms in which
// it is sent.
type Reply struct {
	Text    []byte // readable; nil when JSON alone is sent
	JSON    []byte // compact; nil when text alone is sent
	IsError bool
	Asked   bool // there is none yet: the client is asked something first, and makes the call again
}

// Read is what a client's model reads of the reply.
func (r Reply) Read() []byte {
	if r.Text != nil {
		return r.Text
	}
	return r.JSON
}

// longest is the size of the longer form, in bytes.
func (r Reply) longest() int { return max(len(r.Text), len(r.JSON)) }
