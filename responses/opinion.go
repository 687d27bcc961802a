package responses

// Opinion is what a model makes of a stop, and whose it is.
type Opinion struct {
	Text   string `json:"text"`
	Model  string `json:"model,omitempty"`
	Note   string `json:"note"`
	Length int    `json:"-"` // of the whole text, when Text is cut
}

// longestOpinion is what is shown of a model's text, in bytes.
const longestOpinion = 4000

// NewOpinion shows what a model has said.
func NewOpinion(text, model string) *Opinion {
	return &Opinion{
		Text: Shorten(text, longestOpinion), Length: len(text), Model: Shorten(model, 100),
		Note: "the opinion of the client's model, not checked",
	}
}

// omissions names what is cut, which nobody has any more.
func (o *Opinion) omissions() []Omission {
	if o == nil || o.Length <= len(o.Text) {
		return nil
	}
	return []Omission{{What: "text of the opinion (bytes)", Shown: len(o.Text), Total: o.Length}}
}

// trim keeps the first bytes of the text.
func (o *Opinion) trim(keep int) trim {
	return func(int) bool {
		if o == nil || len(o.Text) <= keep {
			return false
		}
		o.Text = shortenEncoded(o.Text, keep)
		return true
	}
}
