package responses

import (
	"errors"
	"slices"
)

// Form is how replies are sent.
type Form int

// The forms. None says less than another.
const (
	Text Form = iota // readable text
	JSON             // compact JSON, as text and as structured content
	Both             // readable text, and JSON as structured content
)

var forms = []string{"text", "json", "both"}

// FormNamed is the form of this name.
func FormNamed(name string) (Form, error) {
	i := slices.Index(forms, name)
	if i < 0 {
		return Text, errors.New("want text, json or both")
	}
	return Form(i), nil
}

func (f Form) String() string { return forms[f] }
