package project

import (
	"slices"
	"strings"

	"aidb-mcp/adapters/jsdebug/project/npmscript"
	"aidb-mcp/internal/project/workspace"
	"aidb-mcp/internal/text/pattern"
)

// devServers are the commands of frameworks that serve a project as it is written and
// run its server's code: the framework, by the command and its first argument.
var devServers = map[string]map[string]string{
	"next":         {"": "Next.js", "dev": "Next.js"},
	"nuxt":         {"dev": "Nuxt"},
	"nuxi":         {"dev": "Nuxt"},
	"astro":        {"dev": "Astro"},
	"react-router": {"dev": "React Router"},
	"nest":         {"start": "NestJS"},
	"vite":         {"": "Vite", "dev": "Vite", "serve": "Vite"},
}

// viteServes matches a configuration of Vite that has it run code of the project's on
// the server. Without any Vite only hands out what a browser runs.
var viteServes = pattern.New(`\bconfigureServer\b|\bssrLoadModule\b|\bcreateServerModuleRunner\b`)

// commands are what a script of the package starts. The command of Nest is what it
// would build and run, where the project can run that as it is.
func (m *npmManifest) commands(script string) []npmscript.Command {
	list := m.Scripts.Commands(script)
	for i, c := range list {
		if c.Tool == "nest" && slices.Equal(wordsOf(c.Args), []string{"start"}) && (m.Wants("ts-node") || m.Wants("tsx")) {
			list[i] = npmscript.Command{File: "src/main.ts", Env: c.Env}
		}
	}
	return list
}

// wordsOf are the arguments that are no options.
func wordsOf(args []string) []string {
	return slices.DeleteFunc(slices.Clone(args), func(arg string) bool { return strings.HasPrefix(arg, "-") })
}

// devServer adds the server that a script of a package starts with a framework's command.
func (s *scan) devServer(dir workspace.Directory, m *npmManifest, script string, c npmscript.Command) {
	first := ""
	if len(c.Args) > 0 && !strings.HasPrefix(c.Args[0], "-") {
		first = c.Args[0]
	}
	framework := devServers[c.Tool][first]
	switch {
	case framework == "":
		return
	case c.Tool == "vite" && m.Wants("@sveltejs/kit"):
		framework = "SvelteKit"
	case c.Tool == "vite" && !s.viteServes(dir):
		return
	}
	s.AddProgram(workspace.Program{
		Language: "javascript", Framework: framework, Path: dir.Rel, Target: dir.Rel, Module: script,
		File: workspace.Join(dir.Rel, "package.json"), Line: 1, Doc: workspace.Sentence(m.Description), Serves: true,
	})
}

func (s *scan) viteServes(dir workspace.Directory) bool {
	return slices.ContainsFunc(dir.Files(jsScripts...), func(name string) bool {
		return strings.HasPrefix(name, "vite.config.") && viteServes.MatchString(s.Read(workspace.Join(dir.Rel, name)))
	})
}
