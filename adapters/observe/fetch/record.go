package fetch

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// Record is what one hit has left, as the kernel wrote it.
type Record []byte

func (r Record) word(at int) uint64 { return binary.LittleEndian.Uint64(r[at:]) }

// IsWhole says that it has a head.
func (r Record) IsWhole() bool { return len(r) >= HeadSize }

// Time is when it was, by the system's monotonic clock.
func (r Record) Time() time.Duration { return time.Duration(r.word(headTime)) }

// Thread is the system's number of the thread.
func (r Record) Thread() int { return int(uint32(r.word(headThread))) }

// Task is the number of the goroutine; 0 in other languages.
func (r Record) Task() int64 { return int64(r.word(headTask)) }

// Frame is the address of the frame.
func (r Record) Frame() uint64 { return r.word(headFrame) }

// Probe is which probe it was.
func (r Record) Probe() int { return int(r.word(headProbe)) }

// Shown is a value as text.
type Shown struct {
	Text    string
	Missing string // why there is none
	Cut     bool   // the text goes on
}

// Show is the value of a shape in a record.
func (s *Shape) Show(r Record) Shown {
	switch {
	case s.missing != "":
		return Shown{Missing: s.missing}
	case s.leaf == nil:
		return s.parts(r)
	}
	at := HeadSize + s.leaf.slot*SlotSize
	if len(r) < at+SlotSize {
		return Shown{Missing: "the record is not whole"}
	}
	switch int64(r.word(at)) {
	case unread:
		return Shown{Missing: "not readable here"}
	case nothing:
		return Shown{Text: "nil"}
	}
	word := r.word(at + 8)
	if s.leaf.kind == pointer && len(s.fields) > 0 && word != 0 {
		inner := s.parts(r)
		if s.isWhole {
			inner = s.fields[0].Show(r)
		}
		inner.Text = "&" + inner.Text
		return inner
	}
	return s.text(r, at, word)
}

// parts shows the fields or elements.
func (s *Shape) parts(r Record) Shown {
	var list []string
	cut := false
	for i := range s.fields {
		f := &s.fields[i]
		of := f.Show(r)
		text := of.Text
		if of.Missing != "" {
			text = "?"
		}
		cut = cut || of.Cut
		if !s.isArray && f.Name != "" {
			text = f.Name + ": " + text
		}
		list = append(list, text)
	}
	if s.more > 0 {
		list = append(list, fmt.Sprintf("… %d more", s.more))
	}
	open, end := "{", "}"
	if s.isArray {
		open, end = "[", "]"
	}
	return Shown{Text: open + strings.Join(list, ", ") + end, Cut: cut}
}

// text shows one leaf.
func (s *Shape) text(r Record, at int, word uint64) Shown {
	switch s.leaf.kind {
	case cText, cBytes, sizedText:
		return s.letters(r, at)
	case boolean:
		return Shown{Text: strconv.FormatBool(word != 0)}
	case float32bits:
		return Shown{Text: strconv.FormatFloat(float64(math.Float32frombits(uint32(word))), 'g', -1, 32)}
	case float64bits:
		return Shown{Text: strconv.FormatFloat(math.Float64frombits(word), 'g', -1, 64)}
	case pointer:
		if word == 0 {
			return Shown{Text: "nil"}
		}
		return Shown{Text: fmt.Sprintf("0x%x", word)}
	case holder:
		if word == 0 {
			return Shown{Text: "nil"}
		}
		return Shown{Text: "not nil"}
	case count:
		return Shown{Text: fmt.Sprintf("%s of %d", s.typ, word)}
	case character:
		if word >= ' ' && word < 0x7f {
			return Shown{Text: fmt.Sprintf("%d %q", int64(word), rune(word))}
		}
		return Shown{Text: strconv.FormatInt(int64(word), 10)}
	case unsigned:
		return Shown{Text: strconv.FormatUint(word, 10)}
	}
	if name := s.names[int64(word)]; name != "" {
		return Shown{Text: name}
	}
	return Shown{Text: strconv.FormatInt(int64(word), 10)}
}

// letters shows a text. Those that end with a 0 have their length with it.
func (s *Shape) letters(r Record, at int) Shown {
	size := int(min(r.word(at), TextMax))
	text := r[at+8 : at+8+size]
	cut := r.word(at) > TextMax
	if s.leaf.kind != sizedText {
		end := bytes.IndexByte(text, 0)
		cut = end < 0 || end == TextMax-1
		if end >= 0 {
			text = text[:end]
		}
	}
	return Shown{Text: strconv.Quote(string(text)), Cut: cut}
}
