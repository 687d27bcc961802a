package responses

import (
	"slices"
	"strings"
)

// Output is what the program and its logpoints have printed: the tail of each stream.
type Output struct {
	Stdout, Stderr, Log Stream
}

// Stream is the tail of one stream.
type Stream struct {
	Text    string
	Dropped int                 // bytes before Text that are not shown
	Earlier func() (Call, bool) // the call that shows them; may be nil
}

// MarshalJSON writes {"stdout": …, "stderr": …, "log": …} without the empty ones.
func (o *Output) MarshalJSON() ([]byte, error) {
	return encode(struct {
		Stdout string `json:"stdout,omitempty"`
		Stderr string `json:"stderr,omitempty"`
		Log    string `json:"log,omitempty"`
	}{o.Stdout.Text, o.Stderr.Text, o.Log.Text})
}

// IsZero says that there is no text, so that views leave the output out.
func (o *Output) IsZero() bool {
	return o == nil || o.Stdout.Text == "" && o.Stderr.Text == "" && o.Log.Text == ""
}

// Empty says that there is nothing to show and nothing left out.
func (o *Output) Empty() bool {
	return o.IsZero() && o.Stdout.Dropped == 0 && o.Stderr.Dropped == 0 && o.Log.Dropped == 0
}

func (o *Output) omissions() []Omission {
	if o == nil {
		return nil
	}
	return slices.Concat(o.Stdout.omission("stdout (bytes)"), o.Stderr.omission("stderr (bytes)"), o.Log.omission("log (bytes)"))
}

func (s *Stream) omission(what string) []Omission {
	if s.Dropped == 0 {
		return nil
	}
	o := Omission{What: what, Shown: len(s.Text), Total: s.Total()}
	if s.Earlier != nil {
		if call, ok := s.Earlier(); ok {
			o.Get = &call
		}
	}
	return []Omission{o}
}

// Total is the length of all output, shown or not, in bytes.
func (s *Stream) Total() int { return len(s.Text) + s.Dropped }

// Lines counts the lines shown.
func (s *Stream) Lines() int {
	n := strings.Count(s.Text, "\n")
	if s.Text != "" && !strings.HasSuffix(s.Text, "\n") {
		n++
	}
	return n
}

// trim keeps the last bytes of each stream.
func (o *Output) trim(keep int) trim {
	return func(int) bool {
		if o == nil {
			return false
		}
		out, err, log := o.Stdout.cut(keep), o.Stderr.cut(keep), o.Log.cut(keep)
		return out || err || log
	}
}

func (s *Stream) cut(keep int) bool {
	tail := Tail(s.Text, keep)
	if len(tail) == len(s.Text) {
		return false
	}
	s.Dropped += len(s.Text) - len(tail)
	s.Text = tail
	return true
}
