package java

import "encoding/json"

// options are what adapter_options may hold.
type options struct {
	ClassPath  list   `json:"classPath"`  // directories and archives, in place of the build tool's
	ModulePath list   `json:"modulePath"` // for programs made of modules
	MainClass  string `json:"mainClass"`
	VMArgs     list   `json:"vmArgs"`         // for the program's Java: ["-Xmx1g", "-Dkey=value"]
	Follow     bool   `json:"followChildren"` // debug the JVMs that the program starts, too
}

const optionsExample = `{"classPath":["build/classes","lib/gson.jar"],"mainClass":"shop.Main","vmArgs":["-Xmx512m"],"followChildren":true}`

// list is several texts; one alone may stand without brackets.
type list []string

func (l *list) UnmarshalJSON(text []byte) error {
	var one string
	if json.Unmarshal(text, &one) == nil {
		*l = list{one}
		return nil
	}
	return json.Unmarshal(text, (*[]string)(l))
}
