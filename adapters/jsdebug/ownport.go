package jsdebug

import (
	"net"
	"slices"
	"strconv"
	"strings"
)

// ownPort is where a node opens its inspector when it is told to: what its command
// line and its NODE_OPTIONS say, else node's own choice. Port 0 is any that is free.
func ownPort(args []string, options string) (host string, port int) {
	host, port = "127.0.0.1", inspectorPort
	for _, place := range append(inspectPlaces(strings.Fields(options)), inspectPlaces(args)...) {
		h, p, both := cutLast(place, ":")
		switch n, err := strconv.Atoi(strings.TrimSpace(p)); {
		case err == nil && n >= 0 && n <= 65535:
			port = n
			if both {
				host = strings.Trim(h, "[]")
			}
		case !both && place != "":
			host = place // a host alone leaves the port as it is
		}
	}
	if ip := net.ParseIP(host); ip != nil && ip.IsUnspecified() || host == "localhost" {
		host = "127.0.0.1"
	}
	return host, port
}

// cutLast cuts at the last separator; without one all is after it.
func cutLast(s, sep string) (before, after string, found bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return "", s, false
}

// Options of node: those that say where the inspector is, and others whose value is
// the next argument.
var (
	inspectOptions = []string{"--inspect-port", "--debug-port", "--inspect", "--inspect-brk", "--inspect-wait"}
	valuedOptions  = []string{"-r", "--require", "--import", "--loader", "--experimental-loader", "-C", "--conditions", "--env-file",
		"--title", "--icu-data-dir", "--input-type", "--inspect-port", "--debug-port"}
)

// inspectPlaces are the values of the first kind, in their order, as far as node's own
// arguments reach.
func inspectPlaces(args []string) (places []string) {
	for i := 0; i < len(args) && strings.HasPrefix(args[i], "-") && args[i] != "--"; i++ {
		name, value, given := strings.Cut(strings.ReplaceAll(args[i], "_", "-"), "=")
		if !given && slices.Contains(valuedOptions, name) && i+1 < len(args) {
			i++
			value = args[i]
		}
		if slices.Contains(inspectOptions, name) {
			places = append(places, value)
		}
	}
	return places
}
