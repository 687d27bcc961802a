//go:build linux

package cases

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"golang.org/x/tools/txtar"
)

// A claim is a program of which something is true that could be concluded wrongly, the
// questions about it, and what their answers must and must never say. It is written as a
// txtar archive: the program, below lines that are
//
//	truth: TEXT       what is true, and how that is known without the server (needed)
//	short             it is tried in the short run, too
//	needs NAME...     npm packages of testdata/javascript that it uses
//	in FOLDER         where the server is started, in place of the program's own folder
//	sh COMMAND        a command of the shell, in the program's folder
//	TOOL ARGUMENTS    a call, with its arguments as JSON; all are of one server
//	says REGEXP       what the answer of the last call must have
//	never REGEXP      what it must not have
//	# COMMENT
//
// In arguments and expressions <MARK> is the number of the line with the comment
// "@mark MARK". Expressions ask for the fact: an answer in other words passes, and so
// does an honest "cannot tell" where the fact may be out of reach.
type claim struct {
	Truth string
	Short bool
	Needs []string
	In    string
	Steps []step
	Files []txtar.File
}

// step is one line of a claim that does something: a command, or a call.
type step struct {
	Line      int
	Shell     string
	Tool      string
	Arguments string
	Says      []string
	Never     []string
}

// parse reads a claim.
func parse(archive *txtar.Archive) (*claim, error) {
	c := &claim{Files: archive.Files}
	for i, line := range strings.Split(string(archive.Comment), "\n") {
		if line = strings.TrimSpace(line); line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		if err := c.read(line, i+1); err != nil {
			return nil, fmt.Errorf("line %d: %w", i+1, err)
		}
	}
	switch {
	case c.Truth == "":
		return nil, fmt.Errorf("it does not say what is true")
	case len(c.Steps) == 0:
		return nil, fmt.Errorf("it asks nothing")
	}
	for _, s := range c.Steps {
		if s.Tool != "" && len(s.Says)+len(s.Never) == 0 && s.Tool != "session_start" {
			return nil, fmt.Errorf("line %d: nothing is expected of the answer", s.Line)
		}
	}
	return c, nil
}

// read takes one line.
func (c *claim) read(line string, number int) error {
	word, rest, _ := strings.Cut(line, " ")
	rest = strings.TrimSpace(rest)
	switch word {
	case "truth:":
		c.Truth = rest
	case "short":
		c.Short = true
	case "needs":
		c.Needs = append(c.Needs, strings.Fields(rest)...)
	case "in":
		c.In = rest
	case "sh":
		c.Steps = append(c.Steps, step{Line: number, Shell: rest})
	case "says", "never":
		return c.expect(word, rest)
	default:
		if !json.Valid([]byte(marks.ReplaceAllString(rest, "1"))) {
			return fmt.Errorf("the arguments of %s are no JSON: %s", word, rest)
		}
		c.Steps = append(c.Steps, step{Line: number, Tool: word, Arguments: rest})
	}
	return nil
}

// expect adds an expression to the call before it.
func (c *claim) expect(word, expression string) error {
	if len(c.Steps) == 0 || c.Steps[len(c.Steps)-1].Tool == "" {
		return fmt.Errorf("%s stands behind no call", word)
	}
	if _, err := regexp.Compile("(?m)" + marks.ReplaceAllString(expression, "1")); err != nil {
		return err
	}
	last := &c.Steps[len(c.Steps)-1]
	if word == "says" {
		last.Says = append(last.Says, expression)
	} else {
		last.Never = append(last.Never, expression)
	}
	return nil
}

// marks are those that stand for the numbers of their lines.
var marks = regexp.MustCompile(`<([a-z][a-z0-9-]*)>`)
