package project

import (
	"strings"

	"aidb-mcp/internal/project/workspace"
	"aidb-mcp/internal/text/pattern"
)

// pyServers are the modules that serve what the classes of frameworks make.
var pyServers = map[string]string{
	"FastAPI": "uvicorn", "Starlette": "uvicorn", "Litestar": "uvicorn", "Quart": "uvicorn",
	"Flask": "flask",
}

var (
	pyWeb = pattern.New(`(?m)^\s*(?:from|import)\s+(?:fastapi|starlette|litestar|quart|flask)\b`)
	pyApp = pattern.New(`(?m)^(\w+)\s*(?::[^=\n]+)?=\s*(?:\w+\.)?(FastAPI|Starlette|Litestar|Quart|Flask)\(`)
	// what makes an application when it is called, without arguments
	pyFactory = pattern.New(`(?m)^def\s+((?:create|make|get)_app(?:lication)?)\s*\(\s*(?:\w+[^=,()]*=[^,()]*,?\s*|\*\*?\w+,?\s*)*\)`)
	pyMade    = pattern.New(`(?m)^[ \t]+(?:\w+\s*(?::[^=\n]+)?=|return)\s*(?:\w+\.)?(FastAPI|Starlette|Litestar|Quart|Flask)\(`)
)

// webApp adds the server of a file that makes a web application, and says whether it
// does. The file itself is what is started where its main part runs the application.
func (s *scan) webApp(dir workspace.Directory, rel, text string) bool {
	if !pyWeb.MatchString(text) {
		return false
	}
	name, class, line, factory := pythonApp(text)
	if class == "" {
		return false
	}
	p := workspace.Program{Language: "python", Framework: class, Path: dir.Rel, File: rel, Line: line, Doc: pythonDoc(text), Serves: true}
	if pyMain.MatchString(text) && strings.Contains(text, ".run(") {
		p.Target = rel
		s.script(p)
		return true
	}
	root, module := s.pythonModule(rel, text)
	if module == "" {
		return false
	}
	home, in := root, ""
	if at := s.pythonHome(root); root == workspace.Join(at, "src") {
		home, in = at, "src"
	}
	if home != "." {
		p.Cwd = home
	}
	p.Target = rel
	switch p.Runner = pyServers[class]; p.Runner {
	case "flask":
		p.Args = flaskArgs(name, module, in)
	default:
		p.Args = []string{module + ":" + name}
		if in != "" {
			p.Args = append(p.Args, "--app-dir", in)
		}
		if factory {
			p.Args = append(p.Args, "--factory")
		}
		p.Args = append(p.Args, "--port", "0")
	}
	s.script(p)
	return true
}

// pythonApp is the application that a file makes at its top, or what makes one when
// it is called.
func pythonApp(text string) (name, class string, line int, factory bool) {
	if m := pyApp.FindStringSubmatch(text); m != nil {
		return m[1], m[2], workspace.LineOf(pyApp, text), false
	}
	f, made := pyFactory.FindStringSubmatch(text), pyMade.FindStringSubmatch(text)
	if f == nil || made == nil {
		return "", "", 0, false
	}
	return f[1], made[1], workspace.LineOf(pyFactory, text), true
}

// flaskArgs name the application by its module, or by its path where that is not below
// the directory in which it runs. Flask finds what is called as usual by itself. The
// reloader would run the program a second time.
func flaskArgs(name, module, in string) []string {
	app := module
	if in != "" {
		app = in + "/" + strings.ReplaceAll(module, ".", "/")
	}
	switch name {
	case "app", "application", "create_app", "make_app":
	default:
		app += ":" + name
	}
	return []string{"--app", app, "run", "--no-reload", "--port", "0"}
}
