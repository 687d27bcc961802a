//go:build linux

package packages

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	v1 "github.com/google/go-containerregistry/pkg/v1"

	"aidb-mcp/internal/testkit"
)

// sameAsContainerfile holds the image that is made without an engine to what the
// Containerfile says to one.
func sameAsContainerfile(t *testing.T, config v1.Config) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(testkit.Root(), "packaging", "Containerfile"))
	if err != nil {
		t.Fatal(err)
	}
	var said v1.Config
	for line := range strings.Lines(string(text)) {
		word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		var err error
		switch word {
		case "ENV":
			said.Env = strings.Fields(rest)
		case "WORKDIR":
			said.WorkingDir = rest // the last counts
		case "ENTRYPOINT":
			err = json.Unmarshal([]byte(rest), &said.Entrypoint)
		case "CMD":
			err = json.Unmarshal([]byte(rest), &said.Cmd)
		}
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
	}
	if !slices.Equal(said.Env, config.Env) || !slices.Equal(said.Entrypoint, config.Entrypoint) || !slices.Equal(said.Cmd, config.Cmd) || said.WorkingDir != config.WorkingDir {
		t.Errorf("Containerfile says %+v, the image %+v", said, config)
	}
}
