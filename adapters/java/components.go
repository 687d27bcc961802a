package java

import (
	_ "embed"

	"aidb-mcp/adapters/install"
)

//go:embed pins/junit-console.txt
var junitPins string

//go:embed pins/asm.txt
var asmPins string

//go:embed pins/asm-tree.txt
var asmTreePins string

// components are what is downloaded: what runs tests, and what the recorder weaves with.
func components() []install.Component { return append([]install.Component{junitConsole()}, asm()...) }

// junitConsole is JUnit's runner, of the version for whoever names none.
func junitConsole() install.Component {
	const version = "1.11.4"
	return install.Component{
		Name: consoleComponent, Version: version, Optional: true, Languages: []string{"java"},
		What:    "JUnit's console runner",
		Source:  install.Source{Client: "mvn", Packages: []string{consoleGroup + ":" + consoleName + ":" + version}, Size: "3 MB"},
		Archive: consoleName + "-" + version + ".jar of Maven Central",
		Layout:  []install.Move{{To: "lib/"}},
		Pinned:  junitPins,
	}
}

// asm are the parts of ASM with which the recorder reads and writes class files.
func asm() []install.Component {
	return []install.Component{asmPart("asm", "126 KB", asmPins), asmPart("asm-tree", "52 KB", asmTreePins)}
}

func asmPart(name, size, pins string) install.Component {
	const version = "9.9"
	return install.Component{
		Name: name, Version: version, Optional: true, Languages: []string{"java"},
		What:    "ASM (for trace and why)",
		Source:  install.Source{Client: "mvn", Packages: []string{"org.ow2.asm:" + name + ":" + version}, Size: size},
		Archive: name + "-" + version + ".jar of Maven Central",
		Layout:  []install.Move{{To: "lib/"}},
		Pinned:  pins,
	}
}
