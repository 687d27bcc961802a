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
	Cut     int                 // bytes before Text that are not shown
	Lost    int                 // bytes before those that are kept no more
	Partial bool                // Text begins within a line
	Earlier func() (Call, bool) // the call that shows what was cut; may be nil
}

// MarshalJSON writes {"stdout": …, "stderr": …, "log": …} without the empty ones.
func (o *Output) MarshalJSON() ([]byte, error) {
	return encode(struct {
		Stdout string `json:"stdout,omitempty"`
		Stderr string `json:"stderr,omitempty"`
		Log    string `json:"log,omitempty"`
	}{o.Stdout.shownText(), o.Stderr.shownText(), o.Log.shownText()})
}

// shownText is the text, with an ellipsis where a line is cut.
func (s *Stream) shownText() string {
	if s.Partial && s.Text != "" {
		return "…" + s.Text
	}
	return s.Text
}

// IsZero says that there is no text, so that views leave the output out.
func (o *Output) IsZero() bool {
	return o == nil || o.Stdout.Text == "" && o.Stderr.Text == "" && o.Log.Text == ""
}

// Empty says that there is nothing to show and nothing left out.
func (o *Output) Empty() bool {
	return o == nil || o.Stdout.Total()+o.Stderr.Total()+o.Log.Total() == 0
}

func (o *Output) omissions() []Omission {
	if o == nil {
		return nil
	}
	return slices.Concat(o.Stdout.omissions("stdout"), o.Stderr.omissions("stderr"), o.Log.omissions("log"))
}

func (s *Stream) omissions(name string) []Omission {
	var all []Omission
	if s.Cut > 0 {
		o := Omission{What: name + " (bytes)", Shown: len(s.Text), Total: len(s.Text) + s.Cut}
		if s.Earlier != nil {
			if call, ok := s.Earlier(); ok {
				o.Get = &call
			}
		}
		all = append(all, o)
	}
	if s.Lost > 0 {
		all = append(all, Omission{What: name + " printed before that, kept no more (bytes)", Total: s.Lost})
	}
	return all
}

// Total is the length of all output, shown or not, in bytes.
func (s *Stream) Total() int { return len(s.Text) + s.Cut + s.Lost }

// Lines counts the lines that are shown whole.
func (s *Stream) Lines() int {
	n := strings.Count(s.Text, "\n")
	if s.Text != "" && !strings.HasSuffix(s.Text, "\n") {
		n++
	}
	if s.Partial && n > 0 {
		n--
	}
	return n
}

// trim keeps the last bytes of each stream.
func (o *Output) trim(keep int) trim {
	return func(int) bool {
		if o == nil {
			return false
		}
		out, err, log := o.Stdout.trim(keep), o.Stderr.trim(keep), o.Log.trim(keep)
		return out || err || log
	}
}

func (s *Stream) trim(keep int) bool {
	tail := Tail(s.Text, keep)
	cut := len(s.Text) - len(tail)
	if cut == 0 {
		return false
	}
	s.Partial = s.Text[cut-1] != '\n'
	s.Cut += cut
	s.Text = tail
	return true
}
