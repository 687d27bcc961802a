package packaging

import (
	"bytes"
	"fmt"

	reference "github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/static"
	dockerarchive "github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/google/go-containerregistry/pkg/v1/types"
)

// image is a container image in a file, as "docker load" and "podman load" read
// it: the binary, and the directories that it needs. Containerfile says the same
// for those who build images themselves.
func image(r Release, b Build, binary []byte) (pack, error) {
	tag, err := reference.NewTag(name + ":" + r.Version)
	if err != nil {
		return pack{}, err
	}
	form := func(r Release, files []file) ([]byte, error) {
		root, err := tarball(r, files)
		if err != nil {
			return nil, err
		}
		made, err := mutate.Append(empty.Image, mutate.Addendum{
			Layer:   static.NewLayer(root, types.DockerUncompressedLayer), // the whole is compressed below
			History: v1.History{Created: v1.Time{Time: r.Time}, CreatedBy: name, Comment: "the binary"},
		})
		if err != nil {
			return nil, err
		}
		config, err := made.ConfigFile()
		if err != nil {
			return nil, err
		}
		config = config.DeepCopy()
		config.OS, config.Architecture, config.Author, config.Created = b.OS, b.Arch, author, v1.Time{Time: r.Time}
		config.Config = imageConfig(r)
		if made, err = mutate.ConfigFile(made, config); err != nil {
			return nil, err
		}
		var out bytes.Buffer
		if err := dockerarchive.Write(tag, made, &out); err != nil {
			return nil, err
		}
		return zipped(out.Bytes())
	}
	return pack{fmt.Sprintf("%s-image-%s-%s.tar.gz", name, r.Version, b), form, []file{
		{"usr/", 0o755, nil}, {"usr/bin/", 0o755, nil}, program("usr/bin/"+name, binary),
		{"root/", 0o700, nil}, {"workspace/", 0o755, nil}, {"tmp/", 0o1777, nil},
	}}, nil
}

func imageConfig(r Release) v1.Config {
	labels := map[string]string{
		"org.opencontainers.image.title":       title,
		"org.opencontainers.image.description": description,
		"org.opencontainers.image.version":     r.Version,
		"org.opencontainers.image.licenses":    license,
		"io.modelcontextprotocol.server.name":  registered, // by it the MCP registry knows that the image is ours
	}
	if r.Revision != "" {
		labels["org.opencontainers.image.revision"] = r.Revision
	}
	return v1.Config{
		Entrypoint: []string{"/usr/bin/" + name}, Cmd: []string{"serve"}, WorkingDir: "/workspace", Labels: labels,
		Env: []string{"PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME=/root"},
	}
}
