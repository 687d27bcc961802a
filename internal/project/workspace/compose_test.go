package workspace_test

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"aidb-mcp/internal/project/workspace"
	"aidb-mcp/internal/testkit/filetree"
)

// Of compose files are read the debug ports that are open to this machine, and the
// directories that the containers have of it.
func TestContainers(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	filetree.Write(t, root, map[string]string{
		"compose.yaml": `
services:
  api:
    build: ./api
    command: python -m debugpy --listen 0.0.0.0:5679 --wait-for-client app.py
    ports: ["8000:8000", "127.0.0.1:15679:5679"]
    volumes: ["./api:/app:ro", "data:/data", {type: bind, source: ./lib, target: /lib/}]
  web:
    command: ["node", "--inspect=0.0.0.0", "server.js"]
    ports:
      - {target: 9229, published: "${INSPECT:-9230}", host_ip: 0.0.0.0}
    volumes: [.:/srv]
  shop:
    environment:
      JAVA_TOOL_OPTIONS: -agentlib:jdwp=transport=dt_socket,server=y,suspend=n,address=*:8001
    ports: ["8001:8001/tcp", 5005]
  go:
    entrypoint: dlv exec /app --headless --listen=:4000 --accept-multiclient
  db:
    image: postgres
    ports: ["5432:5432"]
`,
		"docker-compose.debug.yml": `
services:
  go: {ports: ["4001:4000"]}
`,
		"compose.override.yaml": "services: [",
	})
	want := []workspace.Container{
		{File: "compose.yaml", Service: "api", Language: "python", Port: 15679, Mounts: []workspace.Mount{{Local: filepath.Join(root, "api"), Remote: "/app"}, {Local: filepath.Join(root, "lib"), Remote: "/lib"}}},
		{File: "docker-compose.debug.yml", Service: "go", Language: "go", Port: 4001},
		{File: "compose.yaml", Service: "shop", Language: "java", Port: 8001},
		{File: "compose.yaml", Service: "web", Language: "javascript", Port: 9230, Mounts: []workspace.Mount{{Local: root, Remote: "/srv"}}},
	}
	if diff := cmp.Diff(want, known.Containers(root)); diff != "" {
		t.Error(diff)
	}
	if got := known.Containers(t.TempDir()); got != nil {
		t.Errorf("nothing holds %v", got)
	}
}
