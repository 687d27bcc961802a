package page

import (
	"embed"
	"fmt"
	"path"
	"strings"
)

//go:embed apps
var apps embed.FS

// App is a page that a client shows beside a tool's result: one HTML text with all its code
// and style inside, which asks nothing of anybody but the client.
func App() (string, error) {
	style, err := apps.ReadFile("apps/app.css")
	if err != nil {
		return "", fmt.Errorf("reading a view's style: %w", err)
	}
	var code strings.Builder
	for _, name := range []string{"web/js/dom.js", "web/js/findings.js", "apps/stop.js", "apps/app.js"} {
		files := web
		if path.Dir(name) == "apps" {
			files = apps
		}
		text, err := files.ReadFile(name)
		if err != nil {
			return "", fmt.Errorf("reading a view's code: %w", err)
		}
		code.WriteString(joined(string(text)))
	}
	return "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width\">\n<title>aidb</title>\n<style>\n" +
		string(style) + "</style>\n</head>\n<body>\n<main id=\"view\" aria-live=\"polite\"></main>\n<script type=\"module\">\n" + code.String() + "</script>\n</body>\n</html>\n", nil
}

// joined is a module's code as a part of one module with the others: in our own files each
// import and export is at the beginning of a line.
func joined(module string) string {
	var out strings.Builder
	for line := range strings.Lines(module) {
		if strings.HasPrefix(line, "import ") {
			continue
		}
		out.WriteString(strings.TrimPrefix(line, "export "))
	}
	return out.String()
}
