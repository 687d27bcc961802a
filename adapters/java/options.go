package java

// options are what adapter_options may hold.
type options struct {
	ClassPath  []string `json:"classPath"`  // directories and archives, in place of the build tool's
	ModulePath []string `json:"modulePath"` // for programs made of modules
	MainClass  string   `json:"mainClass"`
	VMArgs     []string `json:"vmArgs"` // for the program's Java: ["-Xmx1g", "-Dkey=value"]
}

const optionsExample = `{"classPath":["build/classes","lib/gson.jar"],"mainClass":"shop.Main","vmArgs":["-Xmx512m"]}`
