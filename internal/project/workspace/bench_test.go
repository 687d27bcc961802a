package workspace_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// BenchmarkDetect looks at a workspace of 20,000 files: AIDB_WORKSPACE names another.
func BenchmarkDetect(b *testing.B) {
	root := os.Getenv("AIDB_WORKSPACE")
	if root == "" {
		root = b.TempDir()
		for dir := range 1_000 {
			at := filepath.Join(root, fmt.Sprintf("part%d", dir%10), fmt.Sprintf("package%d", dir))
			if err := os.MkdirAll(at, 0o755); err != nil {
				b.Fatal(err)
			}
			for file := range 20 {
				text := fmt.Sprintf("import pytest\n\n\ndef test_%d():\n    assert %d\n", file, dir)
				if err := os.WriteFile(filepath.Join(at, fmt.Sprintf("test_%d.py", file)), []byte(text), 0o644); err != nil {
					b.Fatal(err)
				}
			}
		}
	}
	for b.Loop() {
		p, err := known.Detect(root)
		if err != nil || len(p.Tests) == 0 {
			b.Fatal(err, len(p.Tests))
		}
	}
}
