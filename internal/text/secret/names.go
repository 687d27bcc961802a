package secret

import (
	"slices"
	"strings"
	"unicode"
)

// The words of names whose values are secrets: alone, and in pairs.
var (
	words = []string{
		"token", "secret", "secrets", "password", "passwd", "passphrase", "passcode", "pwd",
		"credential", "credentials", "auth", "authorization", "apikey", "bearer",
	}
	pairs = [][2]string{
		{"api", "key"}, {"access", "key"}, {"private", "key"}, {"account", "key"}, {"signing", "key"},
		{"encryption", "key"}, {"master", "key"}, {"session", "key"}, {"shared", "key"}, {"app", "key"},
		{"connection", "string"}, {"pass", "phrase"},
	}
	endings = []string{"token", "secret", "password", "passwd", "passphrase", "apikey"} // run together: authtoken

	// What follows such a word in the name of something that is no secret: where
	// it is, how long, of which kind.
	harmless = []string{
		"file", "path", "dir", "sock", "socket", "url", "uri", "host", "port", "type", "method", "mode", "name", "id", "user",
		"length", "size", "limit", "count", "ttl", "timeout", "expiry", "enabled", "required", "provider", "store", "manager",
	}
)

// Name says that the value of an environment variable, an option or a member of
// an object with this name is a secret.
func Name(name string) bool {
	parts := splitWords(name)
	if len(parts) == 0 || slices.Contains(harmless, parts[len(parts)-1]) || name == "PWD" || name == "OLDPWD" {
		return false
	}
	for i, word := range parts {
		if slices.Contains(words, word) || slices.ContainsFunc(endings, func(e string) bool { return strings.HasSuffix(word, e) }) {
			return true
		}
		if i > 0 && slices.Contains(pairs, [2]string{parts[i-1], word}) {
			return true
		}
	}
	return false
}

// splitWords cuts a name into its words, in lower case: GITHUB_TOKEN, --api-key and
// accessKey have two each.
func splitWords(name string) []string {
	var parts []string
	begin, previous := 0, rune(0)
	add := func(end int) {
		if end > begin {
			parts = append(parts, strings.ToLower(name[begin:end]))
		}
		begin = end
	}
	for i, r := range name {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			add(i)
			begin = i + len(string(r))
		case unicode.IsUpper(r) && unicode.IsLower(previous):
			add(i)
		}
		previous = r
	}
	add(len(name))
	return parts
}
