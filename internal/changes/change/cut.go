package change

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
)

// Cut is what takes one file of a change back: the piece that was there, in place of
// what came for it. It is as small as the change.
type Cut struct {
	File   string `json:"file"`
	From   int    `json:"from"`             // bytes before the piece
	Length int    `json:"length"`           // of what came in its place
	Piece  string `json:"piece,omitempty"`  // what was there
	Absent bool   `json:"absent,omitempty"` // the file was not there
	Sum    string `json:"sum,omitempty"`    // of the file as the change leaves it; empty: it leaves none
}

// Cuts are what take an applied change back; see Restore.
func (c *Change) Cuts() []Cut {
	var cuts []Cut
	for _, f := range c.Files {
		cut := Cut{File: f.Name, Absent: f.Before == nil}
		before, after := content(f.Before), content(f.After)
		for cut.From < min(len(before), len(after)) && before[cut.From] == after[cut.From] {
			cut.From++
		}
		tail := 0
		for tail < min(len(before), len(after))-cut.From && before[len(before)-1-tail] == after[len(after)-1-tail] {
			tail++
		}
		cut.Length, cut.Piece = len(after)-tail-cut.From, before[cut.From:len(before)-tail]
		if f.After != nil {
			cut.Sum = sum(after)
		}
		cuts = append(cuts, cut)
	}
	return cuts
}

func content(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}

func sum(text string) string {
	s := sha256.Sum256([]byte(text))
	return hex.EncodeToString(s[:])
}

// Restore is the change that takes another one back. A file that is not as that has left
// it is *Moved.
func Restore(dir string, cuts []Cut) (*Change, error) {
	c := &Change{}
	for _, cut := range cuts {
		text, err := c.read(dir, cut.File)
		absent := errors.Is(err, errAbsent)
		switch {
		case err != nil && !absent:
			return nil, err
		case absent != (cut.Sum == "") || !absent && sum(text) != cut.Sum:
			return nil, &Moved{cut.File}
		case cut.From < 0 || cut.Length < 0 || cut.From+cut.Length > len(text):
			return nil, fmt.Errorf("what takes %s back does not fit it", cut.File)
		}
		f := File{Name: cut.File}
		if !absent {
			f.Before = &text
		}
		if !cut.Absent {
			restored := text[:cut.From] + cut.Piece + text[cut.From+cut.Length:]
			f.After = &restored
		}
		c.Files = append(c.Files, f)
	}
	return c, nil
}
