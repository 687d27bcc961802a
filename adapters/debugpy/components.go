package debugpy

import (
	_ "embed"

	"aidb-mcp/adapters/install"
)

//go:embed pins/debugpy.txt
var pins string

// components are what is downloaded: debugpy.
func components() []install.Component { return []install.Component{debugpy()} }

func debugpy() install.Component {
	return install.Component{
		Name: component, Version: "1.8.22", Languages: []string{language},
		Source:   install.Source{Client: "pip", Packages: []string{"debugpy==1.8.22"}, Size: "5 MB"},
		Archive:  "the wheel debugpy-1.8.22-py2.py3-none-any.whl",
		Layout:   []install.Move{{From: "debugpy/", To: "debugpy/"}, {From: "debugpy-1.8.22.dist-info/licenses/", To: "licenses/"}},
		Unwanted: []string{".pdb"},
		Pinned:   pins,
	}
}
