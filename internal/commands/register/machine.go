package register

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"time"
)

// Machine is what clients go by when they look for their settings, and how their
// commands are found and run.
type Machine struct {
	OS       string // as runtime.GOOS has it
	Home     string // of the user
	Project  string // the folder whose settings the scope project means
	Env      func(name string) string
	LookPath func(name string) (string, error)
	// Run runs a client's command in the project and returns all that it prints.
	Run func(ctx context.Context, command []string) (string, error)
}

// patience is for a client's command, which may start a server to see how it does.
const patience = time.Minute

// ThisMachine is the machine at hand.
func ThisMachine(project string) (Machine, error) {
	home, err := os.UserHomeDir()
	if err != nil {
		return Machine{}, errors.New("nothing says where the home of this user is: set HOME (on Windows USERPROFILE)")
	}
	return Machine{
		OS: runtime.GOOS, Home: home, Project: project, Env: os.Getenv, LookPath: exec.LookPath,
		Run: func(ctx context.Context, command []string) (string, error) {
			ctx, cancel := context.WithTimeout(ctx, patience)
			defer cancel()
			cmd := exec.CommandContext(ctx, command[0], command[1:]...)
			cmd.Dir, cmd.WaitDelay = project, time.Second
			printed, err := cmd.CombinedOutput()
			return string(printed), err
		},
	}, nil
}

// dir is the folder that a variable names, else one below the home.
func (m Machine) dir(variable string, below ...string) string {
	if dir := m.Env(variable); dir != "" {
		return dir
	}
	return filepath.Join(append([]string{m.Home}, below...)...)
}

// xdg is the folder of settings where a client goes by the XDG's rules on every system.
func (m Machine) xdg() string { return m.dir("XDG_CONFIG_HOME", ".config") }

// appData is the folder of settings as each system has its own.
func (m Machine) appData() string {
	switch m.OS {
	case "windows":
		return m.dir("APPDATA", "AppData", "Roaming")
	case "darwin":
		return filepath.Join(m.Home, "Library", "Application Support")
	}
	return m.xdg()
}

// exists says whether something is there.
func exists(path string) bool {
	_, err := os.Stat(path)
	return !errors.Is(err, fs.ErrNotExist)
}

// firstExisting is the first of some files that exists, else the first.
func firstExisting(paths ...string) string {
	for _, path := range paths {
		if exists(path) {
			return path
		}
	}
	return paths[0]
}
