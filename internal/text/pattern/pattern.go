// Package pattern holds regular expressions that are compiled when they are first
// used. The adapters know some two hundred, and a server that starts needs none: all
// at once they would cost it milliseconds and megabytes. It knows nothing of what
// they are for.
package pattern

import (
	"os"
	"regexp"
	"strings"
	"sync"
)

// Pattern is a regular expression. Its methods are those of regexp.Regexp. A nil Pattern
// matches nothing, so that who has no words for something leaves them out.
type Pattern struct{ compile func() *regexp.Regexp }

// New is the pattern with that text, which must be right: a wrong one panics in any
// test of its package, and elsewhere when it is first used.
func New(text string) *Pattern {
	p := &Pattern{compile: sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })}
	if inTest {
		p.compile()
	}
	return p
}

var inTest = strings.HasSuffix(strings.TrimSuffix(os.Args[0], ".exe"), ".test")

// nothing matches no text.
var nothing = New(`[^\s\S]`)

func (p *Pattern) regexp() *regexp.Regexp {
	if p == nil {
		p = nothing
	}
	return p.compile()
}

// String is the text of the pattern.
func (p *Pattern) String() string { return p.regexp().String() }

// SubexpIndex is Regexp's.
func (p *Pattern) SubexpIndex(name string) int { return p.regexp().SubexpIndex(name) }

// MatchString is Regexp.MatchString.
func (p *Pattern) MatchString(s string) bool { return p.regexp().MatchString(s) }

// Match is Regexp.Match.
func (p *Pattern) Match(b []byte) bool { return p.regexp().Match(b) }

// FindString is Regexp.FindString.
func (p *Pattern) FindString(s string) string { return p.regexp().FindString(s) }

// FindStringIndex is Regexp.FindStringIndex.
func (p *Pattern) FindStringIndex(s string) []int { return p.regexp().FindStringIndex(s) }

// FindStringSubmatch is Regexp.FindStringSubmatch.
func (p *Pattern) FindStringSubmatch(s string) []string { return p.regexp().FindStringSubmatch(s) }

// FindStringSubmatchIndex is Regexp.FindStringSubmatchIndex.
func (p *Pattern) FindStringSubmatchIndex(s string) []int {
	return p.regexp().FindStringSubmatchIndex(s)
}

// FindAllStringSubmatch is Regexp.FindAllStringSubmatch.
func (p *Pattern) FindAllStringSubmatch(s string, n int) [][]string {
	return p.regexp().FindAllStringSubmatch(s, n)
}

// FindAllStringSubmatchIndex is Regexp.FindAllStringSubmatchIndex.
func (p *Pattern) FindAllStringSubmatchIndex(s string, n int) [][]int {
	return p.regexp().FindAllStringSubmatchIndex(s, n)
}

// FindSubmatch is Regexp.FindSubmatch.
func (p *Pattern) FindSubmatch(b []byte) [][]byte { return p.regexp().FindSubmatch(b) }

// FindAllSubmatch is Regexp.FindAllSubmatch.
func (p *Pattern) FindAllSubmatch(b []byte, n int) [][][]byte {
	return p.regexp().FindAllSubmatch(b, n)
}

// FindAllIndex is Regexp.FindAllIndex.
func (p *Pattern) FindAllIndex(b []byte, n int) [][]int { return p.regexp().FindAllIndex(b, n) }

// ReplaceAll is Regexp.ReplaceAll.
func (p *Pattern) ReplaceAll(b, with []byte) []byte { return p.regexp().ReplaceAll(b, with) }

// ReplaceAllFunc is Regexp.ReplaceAllFunc.
func (p *Pattern) ReplaceAllFunc(b []byte, with func([]byte) []byte) []byte {
	return p.regexp().ReplaceAllFunc(b, with)
}

// ReplaceAllString is Regexp.ReplaceAllString.
func (p *Pattern) ReplaceAllString(s, with string) string {
	return p.regexp().ReplaceAllString(s, with)
}

// ReplaceAllLiteralString is Regexp.ReplaceAllLiteralString.
func (p *Pattern) ReplaceAllLiteralString(s, with string) string {
	return p.regexp().ReplaceAllLiteralString(s, with)
}

// ReplaceAllStringFunc is Regexp.ReplaceAllStringFunc.
func (p *Pattern) ReplaceAllStringFunc(s string, with func(string) string) string {
	return p.regexp().ReplaceAllStringFunc(s, with)
}

// ExpandString is Regexp.ExpandString.
func (p *Pattern) ExpandString(to []byte, template, s string, found []int) []byte {
	return p.regexp().ExpandString(to, template, s, found)
}
