package launch

import (
	"cmp"
	"encoding/xml"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"aidb-mcp/internal/system/boundedfile"
	"aidb-mcp/internal/text/pattern"
)

// ideaFile is a file with run configurations of JetBrains' IDEs.
type ideaFile struct {
	Configurations []ideaEntry `xml:"configuration"`
}

// ideaEntry is one of them: attributes, options and elements with a value.
type ideaEntry struct {
	Name     string     `xml:"name,attr"`
	Type     string     `xml:"type,attr"`
	Factory  string     `xml:"factoryName,attr"`
	Default  string     `xml:"default,attr"`
	Attrs    []xml.Attr `xml:",any,attr"`
	Options  []ideaPair `xml:"option"`
	Envs     []ideaPair `xml:"envs>env"`
	Tests    []ideaPair `xml:"test-names>test-name"`
	ToRun    []ideaRun  `xml:"toRun"`
	Elements []ideaAny  `xml:",any"`
}

type (
	ideaPair struct {
		Name  string `xml:"name,attr"`
		Value string `xml:"value,attr"`
	}
	ideaRun struct {
		Name string `xml:"name,attr"`
	}
	ideaAny struct {
		XMLName xml.Name
		Value   string `xml:"value,attr"`
		Name    string `xml:"name,attr"`
	}
)

// readJetBrains takes the run configurations that are kept in files of their own.
func (s *Set) readJetBrains(folder Folder) {
	left := mostFiles
	for _, dir := range []string{".run", ".idea/runConfigurations"} {
		dir = filepath.Join(folder.Path, filepath.FromSlash(dir))
		if !s.allows(dir) {
			continue
		}
		files, err := os.ReadDir(dir)
		if err != nil {
			continue // there are none
		}
		for _, f := range files {
			if left > 0 && strings.HasSuffix(f.Name(), ".xml") {
				left--
				s.readIdea(filepath.Join(dir, f.Name()), folder)
			}
		}
	}
}

func (s *Set) readIdea(path string, folder Folder) {
	if !s.allows(path) {
		return
	}
	name := s.rel(path)
	text, err := boundedfile.ReadText(path)
	if err != nil {
		s.problem(name, "%s cannot be read: %s", name, err)
		return
	}
	var file ideaFile
	if err := xml.Unmarshal(text, &file); err != nil {
		s.problem(name, "%s cannot be read: %s", name, whyXML(err))
		return
	}
	for _, e := range file.Configurations {
		switch {
		case e.Default == "true": // a template
		case e.Type == "CompoundRunConfigurationType":
			compound := &Compound{Name: e.Name, File: name, scope: scope{folder: folder}}
			for _, r := range e.ToRun {
				compound.Members = append(compound.Members, Member{Name: r.Name})
			}
			s.Compounds = append(s.Compounds, compound)
		default:
			s.Entries = append(s.Entries, s.ideaEntry(e, name, folder))
		}
	}
}

// whyXML is why a file is not XML: "line 3: …".
func whyXML(err error) string {
	if wrong, ok := errors.AsType[*xml.SyntaxError](err); ok {
		return fmt.Sprintf("line %d: %s", wrong.Line, wrong.Msg)
	}
	return err.Error()
}

func (s *Set) ideaEntry(e ideaEntry, file string, folder Folder) *Entry {
	kind, known := ideaKinds[e.Type]
	made := &Entry{Name: e.Name, Type: cmp.Or(kind.language, e.Type), Request: "launch", File: file, scope: scope{folder: folder}}
	if e.Type == "Remote" {
		made.Request = "attach"
	}
	made.resolve = func(v *variables) (*Config, error) {
		if !known {
			return nil, v.invalid("is of JetBrains' type %q, which is not read", e.Type).WithField("launch_config_name").
				WithHint("start with target, test or module instead")
		}
		c := &Config{}
		i := idea{v: v, e: e, c: c}
		c.Env = i.environment()
		kind.read(i)
		return c, nil
	}
	return made
}

// idea is one configuration that is being resolved.
type idea struct {
	v *variables
	e ideaEntry
	c *Config
}

// ideaKinds are the types that are read.
var ideaKinds = map[string]struct {
	language string
	read     func(idea)
}{
	"GoApplicationRunConfiguration":          {"go", idea.goProgram},
	"GoTestRunConfiguration":                 {"go", idea.goTest},
	"PythonConfigurationType":                {"python", idea.python},
	"tests":                                  {"python", idea.pythonTest},
	"NodeJSConfigurationType":                {"node", idea.node},
	"JavaScriptTestRunnerJest":               {"node", idea.nodeTest},
	"JavaScriptTestRunnerVitest":             {"node", idea.nodeTest},
	"Application":                            {"java", idea.java},
	"SpringBootApplicationConfigurationType": {"java", idea.java},
	"JUnit":                                  {"java", idea.junit},
	"Remote":                                 {"java", idea.remote},
}

// text is the value of an option, an attribute or an element, whichever there is.
func (i idea) text(param string, names ...string) string {
	for _, name := range names {
		for _, o := range i.e.Options {
			if o.Name == name && o.Value != "" {
				return i.fill(param, o.Value)
			}
		}
		for _, a := range i.e.Attrs {
			if a.Name.Local == name && a.Value != "" {
				return i.fill(param, a.Value)
			}
		}
		for _, x := range i.e.Elements {
			if x.XMLName.Local == name && x.Value != "" {
				return i.fill(param, x.Value)
			}
		}
	}
	return ""
}

// words is a text of parameters, split before its macros are filled in.
func (i idea) words(param string, names ...string) []string {
	bare := i
	bare.v = nil
	list, err := splitWords(bare.text(param, names...))
	if err != nil {
		i.v.lack(param, i.v.invalid("has parameters that cannot be read: %w", err))
	}
	for j := range list {
		list[j] = i.fill(param, list[j])
	}
	return list
}

func (i idea) environment() map[string]string {
	env := map[string]string{}
	for _, pair := range i.e.Envs {
		if pair.Name == "PYTHONUNBUFFERED" {
			continue // it is in every new configuration, and changes nothing here
		}
		env[pair.Name] = i.fill("env."+pair.Name, pair.Value)
	}
	if len(env) == 0 {
		return nil
	}
	return env
}

var macro = pattern.New(`\$[A-Za-z_]+\$`)

// fill fills in the macros of a text.
func (i idea) fill(param, text string) string {
	if i.v == nil {
		return text
	}
	v := i.v
	return macro.ReplaceAllStringFunc(text, func(whole string) string {
		switch name := strings.Trim(whole, "$"); name {
		case "PROJECT_DIR", "ProjectFileDir", "MODULE_DIR", "MODULE_WORKING_DIR", "ModuleFileDir", "ContentRoot":
			return v.scope.folder.Path
		case "USER_HOME":
			if home, err := os.UserHomeDir(); err == nil {
				return home
			}
		case "FilePath", "FileDir", "FileName", "FileNameWithoutExtension":
			if v.o.File == "" {
				v.lack(param, v.invalid("uses %s: the file that is open in an editor", whole).WithHint("name the file: as target, or in breakpoints"))
				return ""
			}
			value, _ := v.fileVariable(map[string]string{"FilePath": "file", "FileDir": "fileDirname", "FileName": "fileBasename", "FileNameWithoutExtension": "fileBasenameNoExtension"}[name])
			return value
		}
		v.lack(param, v.invalid("uses %s, which only an editor knows", whole))
		return ""
	})
}
