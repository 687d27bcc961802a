package workspace

import (
	"cmp"
	"maps"
	"net"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"aidb-mcp/internal/system/boundedfile"
	"aidb-mcp/internal/text/pattern"
)

// Container is a service of a compose file whose debug port is open to this machine.
type Container struct {
	File     string // that says so, relative to the root
	Service  string
	Language string
	Host     string // empty: this machine
	Port     int    // on this machine
	Mounts   []Mount
}

// Mount is a directory of this machine that a container has as another one.
type Mount struct {
	Local  string // absolute
	Remote string
}

// composeFiles are the names under which compose looks for its files, and those
// that editors write for debugging. What comes later adds to what came before.
var composeFiles = []string{
	"docker-compose.yml", "docker-compose.yaml", "compose.yml", "compose.yaml",
	"docker-compose.override.yml", "docker-compose.override.yaml", "compose.override.yml", "compose.override.yaml",
	"docker-compose.debug.yml", "docker-compose.debug.yaml", "compose.debug.yml", "compose.debug.yaml",
}

// Containers reads the compose files of a directory. What cannot be read is left out.
func (l Languages) Containers(root string) []Container {
	services, from := map[string]service{}, map[string]string{}
	for _, name := range composeFiles {
		text, err := boundedfile.Read(filepath.Join(root, name), MaxSource)
		if err != nil {
			continue
		}
		var file struct{ Services map[string]service }
		if yaml.Unmarshal(text, &file) != nil {
			continue
		}
		for n, s := range file.Services {
			services[n], from[n] = services[n].mergedWith(s), name
		}
	}
	var list []Container
	for _, name := range slices.Sorted(maps.Keys(services)) {
		for _, c := range services[name].containers(root, l) {
			c.Service, c.File = name, from[name]
			list = append(list, c)
		}
	}
	return list
}

// service is what is read of one; its lists may be written in several ways.
type service struct {
	Command, Entrypoint, Environment words
	Ports                            []port
	Volumes                          []volume
}

// mergedWith is a service as a later file changes it.
func (s service) mergedWith(later service) service {
	if later.Command != nil {
		s.Command = later.Command
	}
	if later.Entrypoint != nil {
		s.Entrypoint = later.Entrypoint
	}
	s.Environment = slices.Concat(s.Environment, later.Environment)
	s.Ports, s.Volumes = slices.Concat(s.Ports, later.Ports), slices.Concat(s.Volumes, later.Volumes)
	return s
}

func (s service) containers(root string, known Languages) []Container {
	languages := s.debugPorts(known)
	var mounts []Mount
	for _, v := range s.Volumes {
		if local := v.local(root); local != "" {
			mounts = append(mounts, Mount{local, strings.TrimRight(v.Target, "/")})
		}
	}
	var list []Container
	for _, p := range s.Ports {
		language := cmp.Or(languages[p.target], known.languageOfPort(p.target))
		if language == "" || p.published == 0 || slices.ContainsFunc(list, func(c Container) bool { return c.Port == p.published }) {
			continue
		}
		list = append(list, Container{Language: language, Host: p.host, Port: p.published, Mounts: mounts})
	}
	return list
}

// debugPorts are the ports at which the service listens for debuggers by its own word.
func (s service) debugPorts(known Languages) map[int]string {
	ports := map[int]string{}
	for _, text := range append([]string{strings.Join(slices.Concat(s.Entrypoint, s.Command), " ")}, s.Environment...) {
		for _, language := range known {
			if language.DebugWords == nil {
				continue
			}
			m := language.DebugWords.FindStringSubmatch(text)
			if m == nil {
				continue
			}
			port, err := strconv.Atoi(m[1])
			if err != nil {
				port = language.DebugPorts[0]
			}
			ports[port] = language.Name
		}
	}
	return ports
}

// languageOfPort is the language whose debuggers listen at a port unless told otherwise.
func (l Languages) languageOfPort(port int) string {
	for _, language := range l {
		if slices.Contains(language.DebugPorts, port) {
			return language.Name
		}
	}
	return ""
}

// words are a text, a list of texts, or a map of them.
type words []string

// UnmarshalYAML takes all three.
func (w *words) UnmarshalYAML(n *yaml.Node) error {
	switch n.Kind {
	case yaml.MappingNode:
		for i := 0; i+1 < len(n.Content); i += 2 {
			*w = append(*w, n.Content[i].Value+"="+n.Content[i+1].Value)
		}
	case yaml.SequenceNode:
		for _, x := range n.Content {
			*w = append(*w, x.Value)
		}
	case yaml.ScalarNode:
		*w = words{n.Value}
	}
	return nil
}

// port is one of a container that is open to this machine; 0 is not known.
type port struct {
	host              string
	published, target int
}

// UnmarshalYAML takes "127.0.0.1:5678:5678/tcp" and its long form.
func (p *port) UnmarshalYAML(n *yaml.Node) error {
	if n.Kind == yaml.MappingNode {
		var long struct {
			Target, Published string
			HostIP            string `yaml:"host_ip"`
		}
		if n.Decode(&long) == nil {
			*p = port{localHost(long.HostIP), number(long.Published), number(long.Target)}
		}
		return nil
	}
	text, _, _ := strings.Cut(expand(n.Value), "/")
	at := strings.LastIndexByte(text, ':')
	if at < 0 {
		return nil // any port of this machine
	}
	p.target = number(text[at+1:])
	host, published, err := net.SplitHostPort(text[:at])
	if err != nil {
		host, published = "", text[:at]
	}
	p.host, p.published = localHost(host), number(published)
	return nil
}

// localHost gives a host, and nothing for an address that stands for all of this machine.
func localHost(host string) string {
	if ip := net.ParseIP(host); ip == nil || ip.IsUnspecified() || ip.IsLoopback() {
		return ""
	}
	return host
}

func number(text string) int {
	n, err := strconv.Atoi(expand(text))
	if err != nil || n < 1 || n > 65535 {
		return 0
	}
	return n
}

// variable matches ${NAME:-default}.
var variable = pattern.New(`\$\{\w+:?-([^}]*)\}`)

// expand puts the defaults of variables in their places.
func expand(text string) string { return variable.ReplaceAllString(text, "$1") }

// volume is a directory of a container.
type volume struct{ Type, Source, Target string }

// UnmarshalYAML takes "./api:/app:ro" and its long form.
func (v *volume) UnmarshalYAML(n *yaml.Node) error {
	if n.Kind == yaml.MappingNode {
		type long volume
		_ = n.Decode((*long)(v))
		return nil
	}
	parts := strings.Split(expand(n.Value), ":")
	if len(parts) > 1 {
		v.Type, v.Source, v.Target = "bind", parts[0], parts[1]
	}
	return nil
}

// local is the directory of this machine, empty for a volume that has none.
func (v volume) local(root string) string {
	switch {
	case v.Type != "" && v.Type != "bind" || v.Target == "":
		return ""
	case filepath.IsAbs(v.Source):
		return filepath.Clean(v.Source)
	case strings.HasPrefix(v.Source, "."):
		return filepath.Join(root, v.Source)
	}
	return "" // a name, or a home
}
