package exprsyntax

import (
	"slices"
	"strings"
)

// The words of a statement that are no value and say nothing of what follows. Each language
// has its own: what is a word of one is what a program of another calls its functions.
var (
	wordsOfC = strings.Fields(`if else while for switch case return throw throws assert yield new delete auto const final static move typeof
	sizeof and or not do try catch export co_await co_return co_yield int long double float char bool byte short
	unsigned signed struct class enum`)

	wordsOfRust = strings.Fields(`if else while for match return assert await yield let const static mut ref move in as do try async unsafe dyn
	bool char struct enum fn`)

	wordsOfGo = strings.Fields(`if else for switch case return new delete defer go var const range int byte bool struct`)

	wordsOfJava = strings.Fields(`if else while for switch case return throw throws assert yield new var const final static instanceof do try
	catch int long double float char boolean byte short class enum`)

	wordsOfJavaScript = strings.Fields(`if else while for switch case return throw await yield new delete var let const static typeof in of as from
	instanceof with async do try catch export class enum`)

	wordsOfPython = strings.Fields(`if elif else while for match case return raise assert await yield del in is not and or as from with async try
	except class def`)
)

// constant are words that are values which nobody needs to be shown.
var constant = strings.Fields("nil null None nullptr undefined true false True False NULL NaN Infinity")

// flow are words that only say where a program goes on.
var flow = strings.Fields("break continue pass loop default goto until")

// skips says that a word is one of those.
func (l Language) skips(name string) bool { return slices.Contains(l.words, name) }

// Reserved says of a word that it is none of the program's names.
func (l Language) Reserved(name string) bool {
	return l.skips(name) || slices.Contains(constant, name) || slices.Contains(flow, name)
}
