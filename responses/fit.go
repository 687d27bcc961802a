package responses

import "fmt"

// trim makes one part of a reply smaller, by about over bytes where it can. It
// reports whether it changed anything, and must report false in the end.
type trim func(over int) bool

// trimmer is data that can say less: its trims, the least useful detail first.
// What they cut, omissions must name.
type trimmer interface {
	omitter
	trims() []trim
}

// Fit writes the envelope in at most max bytes, each of the forms by itself. Over
// budget, the data gives up its least useful detail first, then suggestions go, then
// the details of an error; what is gone is named in omitted. The result is always
// whole, and within max when that is 1,000 or more. Data that can say less is used up.
func Fit(e *Envelope, max int, form Form) Reply {
	return fit(e, max, form, Reply.longest)
}

// FitDrawn is Fit for a client whose model reads the text, and which draws the data beside it:
// the text alone is measured.
func FitDrawn(e *Envelope, max int) Reply {
	return fit(e, max, Both, func(r Reply) int { return len(r.Text) })
}

func fit(e *Envelope, max int, form Form, size func(Reply) int) Reply {
	fitted := *e
	if _, err := encode(&fitted); err != nil { // a bug of ours, which must not cost the answer
		fitted = *Failure(fmt.Errorf("write the answer: %w", err))
	}
	for _, t := range fitted.allTrims() {
		for r := fitted.render(form); ; r = fitted.render(form) {
			over := size(r) - max
			if over <= 0 {
				return r
			}
			if !t(over) {
				break
			}
		}
	}
	return fitted.render(form)
}

// allTrims is everything that can be given up, in order.
func (e *Envelope) allTrims() []trim {
	var all []trim
	if t, ok := e.Data.(trimmer); ok {
		all = append(all, t.trims()...)
	}
	return append(all,
		e.trimNotes, e.trimPersons, e.trimSteps(1), e.trimDetails, e.trimSteps(0), e.trimOmitted(3),
		e.trimData, e.trimProblem, e.trimOmitted(0), e.trimSummary)
}

// trimNotes gives up explanations, and all but the last events.
func (e *Envelope) trimNotes(int) bool {
	const few = 3
	changed := len(e.Notes) > 0
	e.Notes = nil
	if extra := len(e.Events) - few; extra > 0 {
		e.note(Omission{What: "events", Shown: few, Total: len(e.Events)})
		e.Events, changed = e.Events[extra:], true
	}
	for i, event := range e.Events {
		if short := shortenEncoded(event, 100); short != event {
			e.Events[i], changed = short, true
		}
	}
	return changed
}

func (e *Envelope) trimSteps(keep int) trim {
	return func(int) bool {
		if len(e.NextSteps) <= keep {
			return false
		}
		e.NextSteps = e.NextSteps[:keep]
		return true
	}
}

// trimOmitted keeps the first entries of the bookkeeping; one line stands for the others.
func (e *Envelope) trimOmitted(keep int) trim {
	const rest = "details of what was left out"
	return func(int) bool {
		n := len(e.Omitted)
		if n <= keep || n == keep+1 && e.Omitted[keep].What == rest {
			return false
		}
		e.Omitted = append(e.Omitted[:keep:keep], Omission{What: rest, Total: n - keep})
		return true
	}
}

// trimDetails shortens the details of an error: lists from the end, then long texts.
func (e *Envelope) trimDetails(over int) bool {
	if e.Error == nil || e.Error.Details == nil {
		return false
	}
	whole := size(e.Error.Details)
	problem := *e.Error
	problem.Details = shrink(e.Error.Details, whole-over-omissionRoom)
	e.Error = &problem
	e.note(Omission{What: "error details (bytes)", Shown: size(problem.Details), Total: whole})
	return size(problem.Details) < whole
}

// trimData drops data that could not be made small enough in any other way.
func (e *Envelope) trimData(int) bool {
	if e.Data == nil {
		return false
	}
	e.note(Omission{What: "data (bytes)", Total: size(e.Data)})
	e.Data = nil
	return true
}

func (e *Envelope) trimProblem(int) bool {
	if e.Error == nil {
		return false
	}
	short := *e.Error
	short.Message, short.Hint = shortenEncoded(short.Message, 250), shortenEncoded(short.Hint, 150)
	short.Field, short.Details = shortenEncoded(short.Field, 50), nil
	changed := size(short) < size(e.Error)
	e.Error = &short
	return changed
}

func (e *Envelope) trimSummary(int) bool {
	before := len(e.Summary) + len(e.SessionID)
	e.Summary, e.SessionID = shortenEncoded(e.Summary, 150), shortenEncoded(e.SessionID, 70)
	return len(e.Summary)+len(e.SessionID) < before
}

// note records an omission, in place of an earlier one about the same thing.
func (e *Envelope) note(o Omission) {
	if e.Again.Tool != "" {
		o.Get = &e.Again
	}
	notes := make([]Omission, 0, len(e.Omitted)+1)
	for _, old := range e.Omitted {
		if old.What != o.What {
			notes = append(notes, old)
		} else {
			o.Total = old.Total
		}
	}
	e.Omitted = append(notes, o)
}
