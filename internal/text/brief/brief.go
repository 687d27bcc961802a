// Package brief writes texts and durations in little room. It knows nothing of what they
// are about.
package brief

import (
	"time"
	"unicode/utf8"
)

// mark stands for what is missing of a text.
const mark = "…"

// Text cuts s to at most so many bytes, at a rune boundary, the last three of them a mark
// where something is missing.
func Text(s string, most int) string {
	if len(s) <= most {
		return s
	}
	if most <= len(mark) {
		return ""
	}
	return Clip(s, most-len(mark)) + mark
}

// Clip cuts s to at most so many bytes, at a rune boundary.
func Clip(s string, most int) string {
	if len(s) <= most {
		return s
	}
	for most > 0 && !utf8.RuneStart(s[most]) {
		most--
	}
	return s[:most]
}

// Duration writes a duration for people: "850ms", "2.5s", "3m20s".
func Duration(d time.Duration) string {
	switch {
	case d < time.Second:
		return d.Round(time.Millisecond).String()
	case d < time.Minute:
		return d.Round(100 * time.Millisecond).String()
	}
	return d.Round(time.Second).String()
}
