package gateway

import (
	"bufio"
	"bytes"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"aidb-mcp/internal/system/boundedfile"
)

// maxTokens is the size of a file of tokens, in bytes.
const maxTokens = 1 << 20

// leastToken is how long a token must be that somebody else has made.
const leastToken = 16

// LocalToken is the token of this user for a server of this user, made when it
// is first asked for. Only the user can read the file.
func LocalToken(file string) (string, error) {
	token, err := readLocal(file)
	if !errors.Is(err, fs.ErrNotExist) {
		return token, err
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return "", fmt.Errorf("making the folder of the token: %w", err)
	}
	made, err := os.CreateTemp(filepath.Dir(file), ".token-*") // for this user only
	if err != nil {
		return "", fmt.Errorf("making the token: %w", err)
	}
	defer os.Remove(made.Name())
	if _, err = made.WriteString(rand.Text() + rand.Text() + "\n"); err == nil {
		err = made.Sync()
	}
	if err = errors.Join(err, made.Close()); err != nil {
		return "", fmt.Errorf("writing the token: %w", err)
	}
	// Another server may make one in the same moment: the first counts.
	if err := os.Link(made.Name(), file); err != nil && !errors.Is(err, fs.ErrExist) {
		if err := os.Rename(made.Name(), file); err != nil { // a file system without links
			return "", fmt.Errorf("keeping the token: %w", err)
		}
	}
	return readLocal(file)
}

func readLocal(file string) (string, error) {
	text, err := readSecret(file)
	if err != nil {
		return "", err
	}
	token := strings.TrimSpace(string(text))
	if len(token) < leastToken || strings.ContainsAny(token, " \t\r\n") {
		return "", fmt.Errorf("%s holds no token; remove it, and a new one is made", file)
	}
	return token, nil
}

// ReadTokens reads a file with a name and a token on each line; "#" begins a comment.
func ReadTokens(file string) ([]Token, error) {
	text, err := readSecret(file)
	if err != nil {
		return nil, err
	}
	return ParseTokens(file, bytes.NewReader(text))
}

// ParseTokens reads what such a file holds, from where it is called.
func ParseTokens(file string, from io.Reader) ([]Token, error) {
	var tokens []Token
	lines := bufio.NewScanner(io.LimitReader(from, maxTokens))
	lines.Buffer(nil, maxTokens)
	for n := 1; lines.Scan(); n++ {
		line, _, _ := strings.Cut(lines.Text(), "#")
		fields := strings.Fields(line)
		if len(fields) == 0 {
			continue
		}
		if len(fields) != 2 || len(fields[1]) < leastToken {
			return nil, fmt.Errorf("%s, line %d: want a name and a token of at least %d characters", file, n, leastToken)
		}
		for _, t := range tokens {
			if t.Name == fields[0] || t.Secret == fields[1] {
				return nil, fmt.Errorf("%s, line %d: the name or the token stands there twice", file, n)
			}
		}
		tokens = append(tokens, Token{fields[0], fields[1]})
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("reading the tokens of %s: %w", file, err)
	}
	if len(tokens) == 0 {
		return nil, fmt.Errorf("%s holds no tokens: want a name and a token on each line", file)
	}
	return tokens, nil
}

// FirstToken reads the token of a client: a line with nothing else, or the first of
// a file that ReadTokens reads.
func FirstToken(file string) (string, error) {
	text, err := readSecret(file)
	if err != nil {
		return "", err
	}
	for line := range strings.Lines(string(text)) {
		line, _, _ = strings.Cut(line, "#")
		if fields := strings.Fields(line); len(fields) > 0 {
			return fields[len(fields)-1], nil
		}
	}
	return "", fmt.Errorf("%s holds no token", file)
}

// readSecret reads a file that nobody else may read.
func readSecret(file string) ([]byte, error) {
	text, info, err := boundedfile.ReadInfo(file, maxTokens)
	if err != nil {
		return nil, fmt.Errorf("reading the token: %w", err)
	}
	if why := othersAccess(info); why != "" {
		return nil, fmt.Errorf("%s %s: anybody who reads it can run programs as you (chmod 600)", file, why)
	}
	return text, nil
}

// CheckRules refuses a file of what principals may do that others may change.
func CheckRules(info fs.FileInfo) error {
	if why := othersWriteAccess(info); why != "" {
		return fmt.Errorf("%s %s: whoever does says what everybody may do (chmod 644)", info.Name(), why)
	}
	return nil
}

// CheckKey refuses a private key that others may use as well.
func CheckKey(file string) error {
	info, err := os.Stat(file)
	if err != nil {
		return fmt.Errorf("reading the key: %w", err)
	}
	if why := othersKeyAccess(info); why != "" {
		return fmt.Errorf("%s %s: whoever has it can pretend to be this server (chmod 600)", file, why)
	}
	return nil
}
