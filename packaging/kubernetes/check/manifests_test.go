// Package check holds the manifests of packaging/kubernetes and packaging/compose against the
// types of the APIs themselves, and the commands in them against the built server. It is a
// module of its own, so that the server needs nothing of Kubernetes.
package check

import (
	"bytes"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/compose-spec/compose-go/v2/loader"
	compose "github.com/compose-spec/compose-go/v2/types"
	apps "k8s.io/api/apps/v1"
	core "k8s.io/api/core/v1"
	networking "k8s.io/api/networking/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/kyaml/filesys"
	"sigs.k8s.io/yaml"
)

// objects are those that kustomize makes of the base, read strictly by the API's own types.
func objects(t *testing.T) (all []runtime.Object) {
	t.Helper()
	made, err := krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(filesys.MakeFsOnDisk(), "../base")
	if err != nil {
		t.Fatal(err)
	}
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{apps.AddToScheme, core.AddToScheme, networking.AddToScheme} {
		if err := add(scheme); err != nil {
			t.Fatal(err)
		}
	}
	decoder := serializer.NewCodecFactory(scheme, serializer.EnableStrict).UniversalDeserializer()
	for _, r := range made.Resources() {
		text, err := r.AsYAML()
		if err != nil {
			t.Fatal(err)
		}
		o, _, err := decoder.Decode(text, nil, nil)
		if err != nil {
			t.Errorf("%s: %v", r.CurId(), err)
			continue
		}
		all = append(all, o)
	}
	return all
}

// Each object is what the API takes; no pod has a privilege, and selectors choose the pods
// that are made.
func TestManifests(t *testing.T) {
	pods := map[string]core.PodTemplateSpec{}
	kinds := map[string]int{}
	var selectors []map[string]string
	for _, o := range objects(t) {
		kinds[o.GetObjectKind().GroupVersionKind().Kind]++
		switch o := o.(type) {
		case *apps.Deployment:
			pods[o.Name] = o.Spec.Template
			selectors = append(selectors, o.Spec.Selector.MatchLabels)
		case *apps.StatefulSet:
			pods[o.Name] = o.Spec.Template
			selectors = append(selectors, o.Spec.Selector.MatchLabels)
		case *core.Service:
			selectors = append(selectors, o.Spec.Selector)
		case *networking.NetworkPolicy:
			selectors = append(selectors, o.Spec.PodSelector.MatchLabels)
		}
	}
	for kind, n := range map[string]int{"Deployment": 1, "StatefulSet": 1, "Service": 2, "NetworkPolicy": 2, "PersistentVolumeClaim": 1} {
		if kinds[kind] != n {
			t.Errorf("%d of %s, want %d", kinds[kind], kind, n)
		}
	}
	for _, s := range selectors {
		if !slices.ContainsFunc([]core.PodTemplateSpec{pods["aidb-gateway"], pods["aidb-worker"]}, func(p core.PodTemplateSpec) bool {
			for key, value := range s {
				if p.Labels[key] != value {
					return false
				}
			}
			return len(s) > 0
		}) {
			t.Errorf("no pod has %v", s)
		}
	}
	for name, pod := range pods {
		checkPod(t, name, pod.Spec)
	}
}

func checkPod(t *testing.T, name string, p core.PodSpec) {
	t.Helper()
	if s := p.SecurityContext; s == nil || s.RunAsNonRoot == nil || !*s.RunAsNonRoot || s.SeccompProfile == nil || p.AutomountServiceAccountToken == nil || *p.AutomountServiceAccountToken {
		t.Errorf("%s: %+v", name, s)
	}
	for _, c := range p.Containers {
		s := c.SecurityContext
		if s == nil || s.AllowPrivilegeEscalation == nil || *s.AllowPrivilegeEscalation || s.ReadOnlyRootFilesystem == nil || !*s.ReadOnlyRootFilesystem || !slices.Equal(s.Capabilities.Drop, []core.Capability{"ALL"}) || len(s.Capabilities.Add) > 0 {
			t.Errorf("%s: %+v", name, s)
		}
		knows(t, c.Args)
	}
}

// knows says that the server has every flag of a command.
func knows(t *testing.T, args []string) {
	t.Helper()
	built := os.Getenv("BUILT_SERVER")
	if built == "" {
		t.Fatal("BUILT_SERVER names no server")
	}
	if len(args) == 0 || slices.Contains(args, "") {
		t.Errorf("no command: %q", args)
		return
	}
	if out, err := exec.Command(built, append(slices.Clone(args), "--help")...).CombinedOutput(); err != nil {
		t.Errorf("%q: %v\n%s", args, err, out)
	}
}

// The custom part of a debug container is one.
func TestDebugContainer(t *testing.T) {
	text, err := os.ReadFile("../debug-container.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var c core.Container
	if err := yaml.UnmarshalStrict(text, &c); err != nil {
		t.Fatal(err)
	}
	if c.SecurityContext.Privileged != nil || !slices.Equal(c.SecurityContext.Capabilities.Add, []core.Capability{"SYS_PTRACE", "DAC_READ_SEARCH"}) {
		t.Errorf("%+v", c.SecurityContext)
	}
}

// The compose file is one, and its commands are the server's.
func TestCompose(t *testing.T) {
	const file = "../../compose/compose.yaml"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	project, err := loader.LoadWithContext(t.Context(), compose.ConfigDetails{
		WorkingDir: "../../compose", ConfigFiles: []compose.ConfigFile{{Filename: file, Content: text}},
	}, func(o *loader.Options) {
		o.SetProjectName("aidb", true)
		o.Profiles = []string{"debug"}
	})
	if err != nil {
		t.Fatal(err)
	}
	for name, s := range project.Services {
		if s.Privileged {
			t.Errorf("%s has privileges", name)
		}
		if strings.HasPrefix(s.Image, "aidb-mcp") {
			knows(t, s.Command)
		}
		if name == "beside" && (s.Pid != "service:app" || s.NetworkMode != "service:app") {
			t.Errorf("beside shares processes with %q and the network with %q", s.Pid, s.NetworkMode)
		}
	}
	if len(project.Services) != 4 || !bytes.Contains(text, []byte("--target-pid=1")) {
		t.Errorf("%d services", len(project.Services))
	}
}
