//go:build unix

package install

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// command puts a program in front of PATH, or makes PATH hold nothing else.
func command(t *testing.T, name, script string, alone bool) {
	t.Helper()
	dir := t.TempDir()
	must(t, os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"+script), 0o755))
	path := dir
	if !alone {
		path += ":" + os.Getenv("PATH")
	}
	t.Setenv("PATH", path)
}

func TestFetchingWithAClient(t *testing.T) {
	c, inside := tool("1.0")
	log := filepath.Join(t.TempDir(), "log")
	command(t, "npm", "echo \"$@\" >> "+log+"\ncp "+tarball(t, inside)+" fetched.tgz\n", false)
	i := installer(t)
	again := c
	again.Name = "twin"
	done, err := i.Install(t.Context(), []Component{c, again}, Options{})
	must(t, err)
	must(t, errors.Join(done[0].Err, done[1].Err))
	said, err := os.ReadFile(log)
	must(t, err)
	if text := string(said); strings.Count(text, "\n") != 1 || !strings.HasPrefix(text, "pack ") || !strings.HasSuffix(text, " tool@1.0\n") {
		t.Errorf("npm was called with %q", text)
	}
	onlyIn(t, i, lockFile, "tool", "twin")
}

func TestAClientThatFailsIsQuoted(t *testing.T) {
	c, _ := tool("1.0")
	for name, tt := range map[string]struct{ script, want string }{
		"error":   {"echo 'npm notice hello' >&2; echo 'npm ERR! 404 no such thing' >&2; echo 'npm ERR! hello' >&2; exit 1", ": 404 no such thing"},
		"unknown": {"echo 'what is this' >&2; exit 1", "what is this"},
		"silent":  {"exit 7", "exit code 7"},
		"nothing": {"exit 0", "left no package"},
	} {
		t.Run(name, func(t *testing.T) {
			command(t, "npm", tt.script, false)
			i := installer(t)
			err := install(t, i, c, Options{}).Err
			refused(t, err, tt.want, "tool@1.0", "npm config get registry")
			if strings.Contains(err.Error(), "hello") {
				t.Errorf("noise in %q", err)
			}
			onlyIn(t, i, lockFile)
		})
	}
}

func TestAMissingClientIsNamed(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	npm, _ := tool("1.0")
	pip := npm
	pip.Source.Client = "pip"
	refused(t, install(t, installer(t), npm, Options{}).Err, "npm", "Node.js")
	refused(t, install(t, installer(t), pip, Options{}).Err, "python3 -m pip", "uv", "python3-pip")
}

// A Python without pip does not keep another way from being found.
func TestEveryWayToPipIsTried(t *testing.T) {
	command(t, "python3", "exit 1", true)
	dir := t.TempDir()
	must(t, os.WriteFile(filepath.Join(dir, "uv"), []byte("#!/bin/sh\nexit 0\n"), 0o755))
	t.Setenv("PATH", os.Getenv("PATH")+":"+dir)
	got, err := clients()["pip"].command(t.Context())
	if err != nil || strings.Join(got, " ") != "uv tool run pip" {
		t.Errorf("found %q, %v", got, err)
	}
}

// Cancelling ends the client with all that it started.
func TestCancellingEndsTheClient(t *testing.T) {
	fifo := filepath.Join(t.TempDir(), "alive")
	must(t, exec.Command("mkfifo", fifo).Run())
	command(t, "npm", "exec 3> "+fifo+"\nsleep 1000 &\necho x >&3\nwait\n", false)
	ctx, cancel := context.WithCancel(t.Context())
	i := installer(t)
	left := make(chan error, 1) // how the pipe that all of them hold ends
	go func() {
		alive, err := os.Open(fifo) // once npm runs
		if err != nil {
			left <- err
			return
		}
		defer alive.Close()
		_, err = alive.Read(make([]byte, 2))
		cancel()
		if err == nil {
			_, err = alive.Read(make([]byte, 2))
		}
		left <- err
	}()
	c, _ := tool("1.0")
	done, err := i.Install(ctx, []Component{c}, Options{})
	must(t, err)
	if !errors.Is(done[0].Err, context.Canceled) {
		t.Errorf("error is %v", done[0].Err)
	}
	select {
	case err := <-left:
		if !errors.Is(err, io.EOF) {
			t.Errorf("the pipe ended with %v", err)
		}
	case <-time.After(20 * time.Second):
		t.Error("something of npm still runs")
	}
	onlyIn(t, i, lockFile)
}

// Of what clients say, the reason is told.
func TestReasons(t *testing.T) {
	for name, tt := range map[string]struct{ said, want string }{
		"npm": {`npm error code ECONNREFUSED
npm error syscall connect
npm error FetchError: request to http://mirror/x failed, reason: connect ECONNREFUSED
npm error     at ClientRequest.emit (node:events:524:28)
npm error   type: 'system'
npm error }
npm error If you are behind a proxy, please make sure that the 'proxy' config is set properly.`,
			"code ECONNREFUSED; FetchError: request to http://mirror/x failed, reason: connect ECONNREFUSED"},
		"pip": {`WARNING: Retrying (Retry(total=0)) after connection broken by 'NewConnectionError('<x>: Failed to establish a new connection: [Errno 111] Connection refused')': /debugpy/
ERROR: Could not find a version that satisfies the requirement debugpy==1.8.22 (from versions: none)
ERROR: No matching distribution found for debugpy==1.8.22`,
			"Failed to establish a new connection: [Errno 111] Connection refused; " +
				"ERROR: Could not find a version that satisfies the requirement debugpy==1.8.22 (from versions: none); ERROR: No matching distribution found for debugpy==1.8.22"},
		"mvn": {`[ERROR] Failed to execute goal org.apache.maven.plugins:maven-dependency-plugin:2.8:copy (default-cli) on project standalone-pom: Unable to find artifact. Cannot access central
[ERROR] 
[ERROR] Try downloading the file manually from the project website.`,
			"(default-cli) on project standalone-pom: Unable to find artifact. Cannot access central"},
	} {
		if got := clients()[name].explain(errors.New("exit code 1"), tt.said).Error(); got != tt.want {
			t.Errorf("%s says %q, want %q", name, got, tt.want)
		}
	}
}

// A registry that takes the connection and says nothing does not hold its client for long.
func TestAMuteRegistry(t *testing.T) {
	mute, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	t.Cleanup(func() { mute.Close() })
	var asked atomic.Int64
	go func() {
		for {
			conn, err := mute.Accept()
			if err != nil {
				return
			}
			asked.Add(1)
			defer conn.Close() // at the end of the test
		}
	}()
	address := "http://" + mute.Addr().String() + "/"
	home := t.TempDir()
	settings := "<settings><localRepository>" + filepath.Join(home, "repository") + "</localRepository><mirrors><mirror><id>mute</id><mirrorOf>*</mirrorOf><url>" +
		address + "</url></mirror></mirrors></settings>"
	must(t, os.Mkdir(filepath.Join(home, ".m2"), 0o700))
	must(t, os.WriteFile(filepath.Join(home, ".m2", "settings.xml"), []byte(settings), 0o600))
	t.Setenv("MAVEN_OPTS", "-Duser.home="+home)
	t.Setenv("npm_config_registry", address)
	t.Setenv("npm_config_cache", filepath.Join(home, "npm"))
	t.Setenv("npm_config_fetch_retries", "0")
	for client, name := range map[string]string{"npm": "tool@1.0.0", "mvn": "org.example:tool:1.0"} {
		f := &fetcher{log: slog.New(slog.DiscardHandler), dir: t.TempDir(), stall: 200 * time.Millisecond, done: map[string]fetched{}}
		limited, cancel := context.WithTimeout(t.Context(), time.Minute)
		before := asked.Load()
		_, err := f.fetch(limited, Source{Client: client, Packages: []string{name}}, func(string) {})
		if err == nil || limited.Err() != nil || asked.Load() == before {
			t.Errorf("%s: %v, after asking %d times", client, err, asked.Load()-before)
		}
		cancel()
	}
}
