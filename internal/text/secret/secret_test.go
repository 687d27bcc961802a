package secret

import (
	"bytes"
	"encoding/json"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestName(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{
		"TOKEN": true, "GITHUB_TOKEN": true, "GITHUBTOKEN": true, "DB_PASSWORD": true, "MYSQL_PWD": true, "PASSWD": true,
		"API_KEY": true, "OPENAI_API_KEY": true, "apiKey": true, "--api-key": true, "AWS_SECRET_ACCESS_KEY": true, "accessKey": true,
		"PRIVATE_KEY": true, "GOOGLE_APPLICATION_CREDENTIALS": true, "AUTH": true, "HTTP_AUTHORIZATION": true, "client_secret": true,
		"_authToken": true, "npm_config__auth": true,
		"PWD": false, "OLDPWD": false, "SSH_AUTH_SOCK": false, "GIT_AUTHOR_NAME": false, "XAUTHORITY": false, "MAX_TOKENS": false,
		"TOKENIZERS_PARALLELISM": false, "KEY": false, "KEYBOARD": false, "PATH": false, "HOME": false, "TOKEN_FILE": false,
		"PASSWORD_MIN_LENGTH": false, "monkey": false, "": false, "--": false, "EDITOR": false, "COMPASS": false, "AUTH_METHOD": false,
	} {
		if got := Name(name); got != want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestText(t *testing.T) {
	t.Parallel()
	m := New([]string{"DEPLOY_PASSWORD=correct-horse-9", "ROOT_PASSWORD=postgres", "PATH=/usr/bin", "EMPTY_TOKEN="})
	for text, want := range map[string]string{
		"a ghp_abcdefghijklmnopqrstuvwxyz012345 b":                                 "a ‹masked› b",
		"github_pat_11ABCDEFG0abcdefghij_klmn":                                     "‹masked›",
		"glpat-abcdefghij0123456789":                                               "‹masked›",
		"sk-proj-0abcdefghijklmnopqrstuvwxyz":                                      "‹masked›",
		"sk-ant-api03-abcdefghijklmnopqrst":                                        "‹masked›",
		"xoxb-123456789012-abcdef":                                                 "‹masked›",
		"AKIAIOSFODNN7EXAMPLE":                                                     "‹masked›",
		"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJl":                    "‹masked›",
		"-----BEGIN RSA PRIVATE KEY-----\nMII\n-----END RSA PRIVATE KEY----- rest": "‹masked› rest",
		"-----BEGIN PRIVATE KEY-----\nMII":                                         "‹masked›",
		"postgres://app:s3cr3t@db:5432/x":                                          "postgres://app:‹masked›@db:5432/x",
		"https://example.com:8080/a@b":                                             "https://example.com:8080/a@b",
		"Authorization: Bearer abcdefghijklmnop0123":                               "Authorization: Bearer ‹masked›",
		"exec: API_KEY=abc DEBUG=1 ./run":                                          "exec: API_KEY=‹masked› DEBUG=1 ./run",
		`TOKEN="a b" x`:                                                            `TOKEN=‹masked› x`,
		"run --token=abc --level=2":                                                "run --token=‹masked› --level=2",
		"could not log in with correct-horse-9":                                    "could not log in with ‹masked›",
		"no database postgres":                                                     "no database postgres",
		"unexpected token: }":                                                      "unexpected token: }",
		"if token == expected {":                                                   "if token == expected {",
		"    password=getpass()":                                                   "    password=getpass()",
		"TOKEN==x":                                                                 "TOKEN==x",
		"argument --password is required":                                          "argument --password is required",
		"task-management-is-risk-assessment-work":                                  "task-management-is-risk-assessment-work",
		"the class sk-spinner-bounce-delay-long-enough":                            "the class sk-spinner-bounce-delay-long-enough",
		"main.go:12: undefined: basic authentication xy":                           "main.go:12: undefined: basic authentication xy",
	} {
		if got := m.Text(text); got != want {
			t.Errorf("%q becomes %q", text, got)
		}
	}
	var none *Masker
	if got := none.Text("TOKEN=abc") + none.Command("--token abc") + none.Variable("TOKEN", "abc"); strings.Contains(got, Mask) {
		t.Errorf("a nil masker: %s", got)
	}
}

func TestCommand(t *testing.T) {
	t.Parallel()
	m := New(nil)
	for line, want := range map[string]string{
		"app --token abc --level 3":       "app --token ‹masked› --level 3",
		"app --password --verbose":        "app --password --verbose",
		"env db_password=abc app":         "env db_password=‹masked› app",
		"app -H x token=1":                "app -H x token=‹masked›",
		"curl https://me:pw@example.com/": "curl https://me:‹masked›@example.com/",
		"app":                             "app",
	} {
		if got := m.Command(line); got != want {
			t.Errorf("%q becomes %q", line, got)
		}
	}
}

func TestJSON(t *testing.T) {
	t.Parallel()
	m := New(nil)
	for raw, want := range map[string]string{
		`{"env":{"A":"1", "API_KEY": "abc"},"n":1}`:                                 `{"env":{"A":"1", "API_KEY": "‹masked›"},"n":1}`,
		`{"env":["A=1","API_KEY=abc"]}`:                                             `{"env":["A=1","API_KEY=‹masked›"]}`,
		`{"args":["--token","abc","--level","2"]}`:                                  `{"args":["--token","‹masked›","--level","2"]}`,
		`{"environment":[{"name":"TOKEN","value":"abc"},{"name":"A","value":"1"}]}`: `{"environment":[{"name":"TOKEN","value":"‹masked›"},{"name":"A","value":"1"}]}`,
		`{"output":"say \"hi\"\n"}`:                                                 `{"output":"say \"hi\"\n"}`,
		`{"token":""}`:                                                              `{"token":""}`,
		`broken "TOKEN=abc" TOKEN=d`:                                                `broken "TOKEN=‹masked›" TOKEN=‹masked›`,
		`{"other":"TOKEN=abc`:                                                       `{"other":"TOKEN=‹masked›`,
	} {
		if got := string(m.JSON([]byte(raw))); got != want {
			t.Errorf("%s\nbecomes %s", raw, got)
		}
	}
}

func TestLearn(t *testing.T) {
	t.Parallel()
	m := New(nil)
	m.Learn(map[string]string{"SOME_TOKEN": "from-the-env-1", "NAME": "harmless-value-1"}, []string{"--password", "from-the-args-2", "secret=from-the-args-3"})
	m.LearnJSON([]byte(`{"env":{"MY_SECRET":"from-the-plan-4"},"list":["X_TOKEN=from-the-plan-5"]}`))
	got := m.Text("from-the-env-1 harmless-value-1 from-the-args-2 from-the-args-3 from-the-plan-4 from-the-plan-5")
	if want := "‹masked› harmless-value-1 ‹masked› ‹masked› ‹masked› ‹masked›"; got != want {
		t.Errorf("%s", got)
	}
	for range 2 * maxKnown {
		m.Learn(map[string]string{"TOKEN": "from-the-env-1"}, nil)
	}
	if len(m.known) != 5 {
		t.Errorf("%d values are known", len(m.known))
	}
}

func TestHandler(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	log := slog.New(Handler(slog.NewTextHandler(&out, nil), New(nil))).With("what", "TOKEN=one").WithGroup("g")
	log.Info("start API_KEY=two", "error", errors.New("PASSWORD=three"), "token", "four", slog.Group("in", "x", "SECRET=five"), "n", 7, "list", []string{"--token", "six"})
	for _, secret := range []string{"one", "two", "three", "four", "five", "six"} {
		if strings.Contains(out.String(), secret) {
			t.Errorf("%s stands in %s", secret, &out)
		}
	}
	if !strings.Contains(out.String(), "g.n=7") || strings.Count(out.String(), Mask) != 6 {
		t.Errorf("%s", &out)
	}
}

func FuzzMask(f *testing.F) {
	for _, seed := range []string{"TOKEN=abc", `{"token":"a","b":["--password","x"]}`, "a://b:c@d", "-----BEGIN PRIVATE KEY-----", `"\`, "ghp_0123456789012345678901234567890123456789"} {
		f.Add(seed)
	}
	m := New([]string{"A_TOKEN=known-value-0"})
	f.Fuzz(func(t *testing.T, text string) {
		once := m.Text(text)
		if twice := m.Text(once); twice != once {
			t.Errorf("%q, then %q, then %q", text, once, twice)
		}
		if utf8.ValidString(text) && !utf8.ValidString(once) {
			t.Errorf("%q becomes %q", text, once)
		}
		if strings.Contains(once, "known-value-0") {
			t.Errorf("%q shows what is known", once)
		}
		if masked := m.JSON([]byte(text)); json.Valid([]byte(text)) && !json.Valid(masked) {
			t.Errorf("%q becomes %q, which is no JSON", text, masked)
		}
	})
}

// A token that a program reads is an object; one that opens a door is a text.
func TestTokensThatAreNoSecrets(t *testing.T) {
	m := New(nil)
	for _, c := range []struct {
		name, value string
		masked      bool
	}{
		{"token", "Token(kind='NUM', text='x')", false},
		{"token", "Token('NUM', 'x')", false},
		{"next_token", "Token {kind: 'NUM', text: 'x'}", false},
		{"tok.token", "*main.Token {Kind: 1, Text: \"x\"}", false},
		{"token", "{kind: 'NUM', text: 'x'}", false},
		{"token", "'abc'", true},
		{"token", "'Token(kind=1)'", true},
		{"token", `{"access": "abc"}`, true},
		{"access_token", "Token(value='abc')", true},
		{"API_TOKEN", "Token(value='abc')", true},
		{"password", "Secret(value='abc')", true},
	} {
		if got := m.Variable(c.name, c.value); (got == Mask) != c.masked {
			t.Errorf("%s = %s is told as %s", c.name, c.value, got)
		}
	}
}
