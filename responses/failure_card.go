package responses

import "slices"

// FailureCard is a diagnosis in short.
type FailureCard struct {
	Verdict  string   `json:"verdict"`
	Message  string   `json:"message,omitempty"`
	Location string   `json:"location,omitempty"`
	Function string   `json:"function,omitempty"`
	Culprit  *Culprit `json:"culprit,omitempty"`
	Expected string   `json:"expected,omitempty"`
	Actual   string   `json:"actual,omitempty"`
	Left     string   `json:"left,omitempty"`
	Right    string   `json:"right,omitempty"`
	Places   []string `json:"places,omitempty"` // of the user's code that led there
	Values   []string `json:"values,omitempty"` // that the failed statement read, where nothing tells what it compared
	Unread   bool     `json:"unread,omitempty"` // it compared something of which nobody has read the values
}

// longestCardText is how much of a text is on a card, in bytes.
const longestCardText = 300

// How many values are on a card, and how much of one, in bytes.
const (
	mostCardValues   = 6
	longestCardValue = 80
)

// Card is the diagnosis in short.
func (d *Diagnosis) Card() FailureCard {
	short := func(text string) string { return Shorten(text, longestCardText) }
	var places []string
	for _, f := range d.Frames[:min(len(d.Frames), 3)] {
		if f.At != d.Location {
			places = append(places, f.At)
		}
	}
	for i := 0; d.Calls != nil && i < len(d.Calls.Rows); i++ {
		if at := d.Calls.Rows[i][0]; !slices.Contains(places, at) && len(places) < 5 {
			places = append(places, at)
		}
	}
	var values []string
	if d.Expected+d.Actual+d.Left+d.Right == "" {
		for _, p := range d.Parts[:min(len(d.Parts), mostCardValues)] {
			if p.Value != "" && (d.Culprit == nil || p.Expression != d.Culprit.Expression) {
				values = append(values, p.Expression+" = "+Shorten(p.Value, longestCardValue))
			}
		}
	}
	return FailureCard{
		Verdict: d.Verdict, Message: short(d.Message), Location: d.Location, Function: d.Function, Culprit: d.Culprit,
		Expected: short(d.Expected), Actual: short(d.Actual), Left: short(d.Left), Right: short(d.Right), Places: places, Values: values,
	}
}

// Mask has a function mask the texts that a program has made: a card is kept, and read by
// others.
func (f *FailureCard) Mask(text func(string) string) {
	for _, said := range []*string{&f.Message, &f.Expected, &f.Actual, &f.Left, &f.Right} {
		*said = text(*said)
	}
	for i, value := range f.Values {
		f.Values[i] = text(value)
	}
	if f.Culprit != nil {
		culprit := *f.Culprit
		culprit.Value = text(culprit.Value)
		f.Culprit = &culprit
	}
}
