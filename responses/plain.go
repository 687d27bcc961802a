package responses

import (
	"bytes"
	"fmt"
	"strconv"
	"unicode/utf8"
)

// plain is a finished reply without characters that do something to a terminal,
// or to the eye of a reader: programs and adapters say what they like. They are
// shown as a programmer would write them, so that nothing is hidden: \x1b,
// \u202e. Line ends and tabs stay; a carriage return before a line end goes.
func plain(encoded []byte) []byte {
	if !mayHide(encoded) {
		return encoded
	}
	out := make([]byte, 0, len(encoded)+len(encoded)/8)
	for i := 0; i < len(encoded); {
		r, size := rune(encoded[i]), 1
		switch {
		case r == '\\':
			r, size = readEscape(encoded[i:])
		case r >= utf8.RuneSelf:
			r, size = utf8.DecodeRune(encoded[i:])
		}
		switch {
		case r == '\r' && bytes.HasPrefix(encoded[i+size:], []byte(`\n`)):
		case isControl(r) && (r >= 0x7f || encoded[i] == '\\'):
			out = append(out, escapeRune(r)...)
		default:
			out = append(out, encoded[i:i+size]...)
		}
		i += size
	}
	return out
}

// mayHide says that there may be such a character: most replies have none, and
// are looked at several times until they fit.
func mayHide(encoded []byte) bool {
	for i, b := range encoded {
		switch b {
		case '\\':
			if next := encoded[i+1]; next == 'u' || next == 'r' || next == 'b' || next == 'f' {
				return true
			}
		case 0x7f, 0xc2, 0xcd, 0xd8, 0xe1, 0xe2, 0xe3, 0xef, 0xf3: // DEL, and how the others begin
			return true
		}
	}
	return false
}

// readEscape is the character that an escape of JSON stands for, and the length of
// the escape; those of no interest are -1.
func readEscape(text []byte) (r rune, size int) {
	switch {
	case bytes.HasPrefix(text, []byte(`\u`)) && len(text) >= 6:
		n, err := strconv.ParseUint(string(text[2:6]), 16, 32)
		if err != nil {
			return -1, 6
		}
		return rune(n), 6
	case len(text) >= 2:
		if r, ok := map[byte]rune{'r': '\r', 'b': '\b', 'f': '\f'}[text[1]]; ok {
			return r, 2
		}
		return -1, 2
	}
	return -1, len(text)
}

// isControl says that a character is an order and no letter: the controls but line end
// and tab, what turns the direction of a text round, what ends a line for some
// readers only, and the letters that nobody can see.
func isControl(r rune) bool {
	switch {
	case r == '\n' || r == '\t' || r < 0:
		return false
	case r < 0x20, r >= 0x7f && r < 0xa0:
		return true
	}
	switch r {
	case 0xad, 0x34f, 0x61c, 0x115f, 0x1160, 0x17b4, 0x17b5, 0x180e, 0x3164, 0xfeff, 0xffa0: // one by one: a soft hyphen, joiners, fillers, a mark of direction
		return true
	}
	return r >= 0x200b && r <= 0x200f || r >= 0x2028 && r <= 0x202e || r >= 0x2060 && r <= 0x206f || r >= 0xfff9 && r <= 0xfffb || r >= 0xe0000 && r <= 0xe0fff
}

// escapeRune is a character as one would write it in a source, in JSON.
func escapeRune(r rune) string {
	switch {
	case r == '\r':
		return `\\r`
	case r <= 0xff:
		return fmt.Sprintf(`\\x%02x`, r)
	case r <= 0xffff:
		return fmt.Sprintf(`\\u%04x`, r)
	}
	return fmt.Sprintf(`\\U%08x`, r)
}
