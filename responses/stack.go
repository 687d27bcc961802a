package responses

import "fmt"

// Frame is one frame of a stack.
type Frame struct {
	Function string
	Location string // file:line, empty when there is no source
	Library  bool   // runtime or library code
}

// String is how a frame is shown: "main.add calc.go:7".
func (f Frame) String() string {
	if f.Location == "" {
		return inline(f.Function)
	}
	return inline(f.Function + " " + f.Location)
}

// FrameLines shows each frame on a line of its own, so that a frame's number is
// its place in the list.
func FrameLines(frames []Frame) []string {
	lines := make([]string, len(frames))
	for i, f := range frames {
		lines[i] = f.String()
	}
	return lines
}

// Stack is the nearest frames of a stack: the top one and the user's each on a
// line, runs of other library frames folded into one line that says how many, and their numbers
// where frames follow.
type Stack struct {
	Page
	Frames []Frame
}

// IsZero says that there is no frame, so that views leave the stack out.
func (s *Stack) IsZero() bool { return s == nil || len(s.Frames) == 0 }

// MarshalJSON writes an array of texts.
func (s *Stack) MarshalJSON() ([]byte, error) { return encode(s.lines()) }

func (s *Stack) lines() []string {
	lines := []string{}
	for i := 0; i < len(s.Frames); {
		if i == 0 && s.Start == 0 { // where the program stands is never folded
			lines = append(lines, s.Frames[0].String())
			i++
			continue
		}
		end := i
		for end < len(s.Frames) && s.Frames[end].Library {
			end++
		}
		if end-i < 2 { // a single library frame says more by its name
			lines = append(lines, s.Frames[i].String())
			i++
			continue
		}
		fold := fmt.Sprintf("(%d library frames: %d to %d)", end-i, s.Start+i, s.Start+end-1)
		if end == len(s.Frames) { // no later frame needs its number
			fold = fmt.Sprintf("(%d library frames)", end-i)
		}
		lines = append(lines, fold)
		i = end
	}
	return lines
}

func (s *Stack) omissions() []Omission {
	if s == nil {
		return nil
	}
	return s.omission(len(s.Frames))
}

// trim keeps the nearest frames.
func (s *Stack) trim(keep int) trim {
	return func(over int) bool {
		if s == nil || len(s.Frames) <= keep {
			return false
		}
		s.Total = max(s.Total, s.Start+len(s.Frames))
		s.Frames = s.Frames[:keep]
		return true
	}
}
