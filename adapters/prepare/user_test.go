package prepare

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"aidb-mcp/adapters"
)

func TestScriptsSayWhoRunsThem(t *testing.T) {
	dir := t.TempDir()
	for text, want := range map[string]bool{
		"#!/usr/bin/env python3\nx\n": true, "#!/usr/bin/python -u": true, "#!/bin/sh\n# python\n": false, "python\n": false, "": false,
	} {
		file := filepath.Join(dir, "script")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := IsRunBy(file, "python"); got != want {
			t.Errorf("%q is run by it: %v", text, got)
		}
	}
	if IsRunBy(filepath.Join(dir, "none"), "python") || IsRunBy(dir, "python") {
		t.Error("what is no file is run by it")
	}
}

func TestRootsOfTheUsersCode(t *testing.T) {
	dir := Physical(t.TempDir())
	r := adapters.Request{Workspace: filepath.Join(dir, "work"), SourcePaths: []string{"lib"}}
	got := Roots(r, "", filepath.Join(dir, "work", "src"), filepath.Join(dir, "beside"))
	want := []string{filepath.Join(dir, "beside"), filepath.Join(dir, "work"), filepath.Join(dir, "work", "lib")}
	if !slices.Equal(got, want) {
		t.Errorf("roots are %v, want %v", got, want)
	}
}
