// Package clustertest gives tests NATS servers in processes of their own, which they can
// kill, and keys of members that these know.
package clustertest

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/nats-io/nats-server/v2/server"

	"aidb-mcp/internal/cluster/span"
)

// configVariable names the configuration of the server that this process is to be.
const configVariable = "AIDB_TEST_NATS"

// Serve is a NATS server, when this process has been started as one, and does not return
// then. Called first in TestMain, it makes a test binary its own server.
func Serve() {
	file := os.Getenv(configVariable)
	if file == "" {
		return
	}
	o, err := server.ProcessConfigFile(file)
	if err == nil {
		o.NoLog, o.NoSigs = true, true
		var s *server.Server
		if s, err = server.NewServer(o); err == nil {
			s.Start()
			s.WaitForShutdown()
			os.Exit(0)
		}
	}
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

// Variable is what the environment of a server's process needs.
func Variable(config string) string { return configVariable + "=" + config }

// User is a member with its key, in the folder of its aidb-mcp, for the configuration of a server.
func User(home string, role span.Role, name string) (string, error) {
	key, _, err := span.Key(filepath.Join(home, "cluster", string(role)+"-"+name+".nk"))
	if err != nil {
		return "", err
	}
	public, err := key.PublicKey()
	if err != nil {
		return "", fmt.Errorf("reading the key of %s: %w", name, err)
	}
	publish, subscribe := span.Permissions(role, name)
	answers := ""
	if role == span.Machine {
		answers = `, allow_responses: { max: -1, expires: "24h" }`
	}
	return fmt.Sprintf("{ nkey: %s, permissions: { publish: %s, subscribe: %s%s } }", public, list(publish), list(subscribe), answers), nil
}

// Config is the configuration of one of several servers that replace each other: at its
// addresses for members and for the others.
func Config(name, at, routesAt string, routes, users []string) string {
	return fmt.Sprintf(`server_name: %s
listen: %q
ping_interval: "2s"
ping_max: 2
cluster { name: test, listen: %q, no_advertise: true, routes: %s, ping_interval: "2s", ping_max: 2 }
authorization { users: [ %s ] }
`, name, at, routesAt, list(routes), strings.Join(users, "\n"))
}

func list(all []string) string {
	var quoted []string
	for _, one := range all {
		quoted = append(quoted, fmt.Sprintf("%q", one))
	}
	return "[" + strings.Join(quoted, ", ") + "]"
}
