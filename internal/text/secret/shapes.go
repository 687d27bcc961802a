package secret

import (
	"strings"

	"aidb-mcp/internal/text/pattern"
)

// Mask stands in the place of a secret.
const Mask = "‹masked›"

// shapes are texts that are secrets whatever they are called: the tokens of
// well-known services, signed web tokens, private keys. docs/security.md lists
// whose.
var shapes = pattern.New(`(?:` + strings.Join([]string{
	`-----BEGIN [A-Z ]*PRIVATE KEY-----(?:(?s:.*?)-----END [A-Z ]*PRIVATE KEY-----|(?s:.*))`,
	`\bgh[pousr]_[A-Za-z0-9]{20,}`,
	`\bgithub_pat_[A-Za-z0-9_]{20,}`,
	`\bglpat-[A-Za-z0-9_-]{16,}`,
	`\bsk-(?:[a-z]+-)?[A-Za-z0-9_]*[0-9][A-Za-z0-9_-]{16,}`,
	`\b[sr]k_(?:live|test)_[A-Za-z0-9]{10,}`,
	`\bxox[abeoprs]-[A-Za-z0-9-]{10,}`,
	`\b(?:AKIA|ASIA)[0-9A-Z]{16}\b`,
	`\bAIza[A-Za-z0-9_-]{35}`,
	`\bnpm_[A-Za-z0-9]{30,}`,
	`\bpypi-[A-Za-z0-9_-]{20,}`,
	`\bhf_[A-Za-z0-9]{20,}`,
	`\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*`,
}, `|`) + `)`)

var (
	// address is a URL with the password of a user.
	address = pattern.New(`([A-Za-z][A-Za-z0-9+.-]*://[^\s:/@"'\\]*):[^\s/@"'\\]+@`)
	// bearer is the header that carries a token.
	bearer = pattern.New(`(?i)\b((?:bearer|basic)\s+)[A-Za-z0-9._~+/=-]{16,}`)
	// assigned is a variable of an environment as a shell writes it, option an
	// option with its value. In other text an equals sign is a program's.
	assigned = pattern.New(`\b([A-Z][A-Z0-9_]*)=("[^"]*"|'[^']*'|[^\s=,;"'\\][^\s,;"'\\]*)`)
	option   = pattern.New(`(^|\s)(--?[A-Za-z][A-Za-z0-9_.-]*)=("[^"]*"|'[^']*'|[^\s=,;"'\\][^\s,;"'\\]*)`)
)

// maskShapes masks what looks like a secret in a text.
func maskShapes(text string) string {
	text = shapes.ReplaceAllString(text, Mask)
	text = address.ReplaceAllString(text, "${1}:"+Mask+"@")
	text = bearer.ReplaceAllString(text, "${1}"+Mask)
	text = maskNamed(assigned, text)
	return maskNamed(option, text)
}

// maskNamed masks the values of matches whose name, the last group but one, is that
// of a secret.
func maskNamed(what *pattern.Pattern, text string) string {
	var out strings.Builder
	end := 0
	for _, m := range what.FindAllStringSubmatchIndex(text, -1) {
		value := len(m) - 2
		if !Name(text[m[value-2]:m[value-1]]) {
			continue
		}
		out.WriteString(text[end:m[value]])
		out.WriteString(Mask)
		end = m[value+1]
	}
	out.WriteString(text[end:])
	return out.String()
}
