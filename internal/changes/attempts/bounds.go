package attempts

import (
	"bytes"
	"encoding/json"
	"strings"
	"time"
	"unicode/utf8"
)

// MostOfProblem is how many attempts are kept of a problem; the oldest go.
const MostOfProblem = 500

// How many bytes are kept of an attempt's texts.
const (
	LongestHypothesis = 500
	LongestChange     = 64 << 10
	LongestFailure    = 4 << 10
)

// cut ends a text of which the rest is not kept.
const cut = "…"

// Bounded is the attempt as it is kept, with texts that every memory takes. A change or a
// failure that is too long, or is no JSON, is kept as a JSON string of its beginning: it can
// be read, and cannot be taken for one that is whole.
func (a *Attempt) Bounded() Attempt {
	kept := *a
	if kept.At.IsZero() {
		kept.At = time.Now()
	}
	kept.At = kept.At.UTC().Truncate(time.Millisecond)
	kept.Hypothesis = head(plainText(a.Hypothesis), LongestHypothesis)
	kept.Change = boundedJSON(a.Change, LongestChange)
	kept.Failure = boundedJSON(a.Failure, LongestFailure)
	return kept
}

// longestCheck is how many bytes are kept of a problem's check.
const longestCheck = 4 << 10

// Bounded is the problem as it is kept; a check that is too long is as a change is.
func (p *Problem) Bounded() Problem {
	kept := *p
	if kept.At.IsZero() {
		kept.At = time.Now()
	}
	kept.At = kept.At.UTC().Truncate(time.Millisecond)
	kept.Check = boundedJSON(p.Check, longestCheck)
	return kept
}

func boundedJSON(text json.RawMessage, most int) json.RawMessage {
	if len(text) == 0 {
		return nil
	}
	if len(text) <= most && utf8.Valid(text) && json.Valid(text) {
		return bytes.Clone(text)
	}
	begin := plainText(string(text[:min(len(text), most)]))
	for n := most - 2; ; n = n * 3 / 4 { // a character may need up to six bytes
		told, err := json.Marshal(head(begin, n))
		if err == nil && len(told) <= most {
			return told
		}
	}
}

// head is a text of no more bytes than that.
func head(text string, most int) string {
	if len(text) <= most {
		return text
	}
	end := max(0, most-len(cut))
	for end > 0 && !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end] + cut
}

// plainText makes a text one that every database takes.
func plainText(text string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(text, "?"), "\x00", "?")
}
