package workspace_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"golang.org/x/tools/txtar"

	"aidb-mcp/internal/project/workspace"
	"aidb-mcp/internal/project/workspace/workspacetest"
)

// What is proposed first in the layouts of large projects that everybody knows.
func TestSkeletons(t *testing.T) {
	for name, want := range map[string]struct{ test, program workspace.Start }{
		"kubernetes": {
			test:    workspace.Start{Language: "go", Test: true, Target: "pkg/capabilities", Name: "TestGet"},
			program: workspace.Start{Language: "go", Target: "cmd/cloud-controller-manager"},
		},
		"django": {
			test:    workspace.Start{Language: "python", Test: true, Target: "tests/admin_changelist/test_date_hierarchy.py", Name: "DateHierarchyTests::test_bounded_params"},
			program: workspace.Start{Language: "python", Target: "django"},
		},
		"vite": {
			test:    workspace.Start{Language: "javascript", Test: true, Target: "packages/create-vite/__tests__/cli.spec.ts", Name: "prompts for the project name if none supplied"},
			program: workspace.Start{Language: "javascript", Target: "packages/vite/bin/vite.js"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			tests, programs := workspacetest.Starts(t, known, skeleton(t, name))
			if len(tests) == 0 || len(programs) == 0 {
				t.Fatalf("tests %v, programs %v", tests, programs)
			}
			ignored := cmpopts.IgnoreFields(workspace.Start{}, "Cwd", "Framework")
			if diff := cmp.Diff(want.test, tests[0], ignored); diff != "" {
				t.Errorf("test (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(want.program, programs[0], ignored); diff != "" {
				t.Errorf("program (-want +got):\n%s", diff)
			}
		})
	}
}

// skeleton lays out the files of testdata/skeletons/NAME.txtar.
func skeleton(t *testing.T, name string) string {
	t.Helper()
	archive, err := txtar.ParseFile(filepath.Join("testdata", "skeletons", name+".txtar"))
	if err != nil {
		t.Fatal(err)
	}
	root := filepath.Join(t.TempDir(), name)
	for _, f := range archive.Files {
		file := filepath.Join(root, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, f.Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root
}
