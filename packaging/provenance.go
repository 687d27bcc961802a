package packaging

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// The provenance is a statement in the form of in-toto, with SLSA's predicate: which
// files were made of which source, how. Nothing signs it here; who publishes the
// files can, and until then it proves nothing that is not believed anyhow.
type (
	statement struct {
		Type          string     `json:"_type"`
		Subject       []resource `json:"subject"`
		PredicateType string     `json:"predicateType"`
		Predicate     predicate  `json:"predicate"`
	}
	resource struct {
		Name   string            `json:"name,omitempty"`
		URI    string            `json:"uri,omitempty"`
		Digest map[string]string `json:"digest,omitempty"`
	}
	predicate struct {
		Definition struct {
			Type       string            `json:"buildType"`
			External   map[string]string `json:"externalParameters"`
			Dependency []resource        `json:"resolvedDependencies"`
		} `json:"buildDefinition"`
		Run struct {
			Builder struct {
				ID string `json:"id"`
			} `json:"builder"`
		} `json:"runDetails"`
	}
)

// Checksums and statement of provenance, beside the packages.
const (
	checksumsName  = "checksums.txt"
	provenanceName = "provenance.intoto.json"
)

// Provenance writes the checksums of the packages of a release beside them, and
// into GoReleaser's directory what all its files were made of.
func Provenance(r Release, dist string) error {
	packages := filepath.Join(dist, "packages")
	files, err := sums(packages)
	if err != nil {
		return err
	}
	var list strings.Builder
	for _, f := range files {
		fmt.Fprintf(&list, "%s  %s\n", f.Digest["sha256"], f.Name)
	}
	if err := os.WriteFile(filepath.Join(packages, checksumsName), []byte(list.String()), 0o644); err != nil {
		return err
	}
	archives, err := sums(dist)
	if err != nil {
		return err
	}
	made := statement{
		Type: "https://in-toto.io/Statement/v1", PredicateType: "https://slsa.dev/provenance/v1", Subject: append(archives, files...),
	}
	definition := &made.Predicate.Definition
	definition.Type = "https://goreleaser.com"
	definition.External = map[string]string{"version": r.Version, "command": "make release-snapshot"}
	definition.Dependency = []resource{{URI: "pkg:golang/stdlib@" + strings.TrimPrefix(r.GoVersion, "go")}}
	if r.Revision != "" {
		definition.Dependency = append(definition.Dependency, resource{Name: "source", Digest: map[string]string{"gitCommit": r.Revision}})
	}
	made.Predicate.Run.Builder.ID = "local" // whoever has run it
	return os.WriteFile(filepath.Join(dist, provenanceName), manifest("", made).text, 0o644)
}

// sums are the files of a directory that are released, with their checksums.
func sums(dir string) ([]resource, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var files []resource
	for _, e := range entries {
		switch {
		case !e.Type().IsRegular(), e.Name() == checksumsName, e.Name() == provenanceName, e.Name() == "artifacts.json", e.Name() == "metadata.json", e.Name() == "config.yaml":
			continue // GoReleaser's own notes, and ours
		}
		content, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return nil, err
		}
		sum := sha256.Sum256(content)
		files = append(files, resource{Name: e.Name(), Digest: map[string]string{"sha256": hex.EncodeToString(sum[:])}})
	}
	return files, nil
}
