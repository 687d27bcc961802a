//go:build linux

package torture

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"aidb-mcp/internal/testkit"
)

// place is where the sessions of one server could leave something.
type place struct {
	server *testkit.Server
	ward   *ward
	token  string   // of the session, in command lines
	dir    string   // of the program
	roots  []string // the private directories that the server had
	before census
}

// census is what there was before a session.
type census struct {
	pids  map[int]bool
	files map[string]bool
	fds   map[string]int // by what they are: "socket", "/dev/null"
}

func newPlace(s *testkit.Server, w *ward, token, dir string) *place {
	p := &place{server: s, ward: w, token: token, dir: dir}
	p.before = census{pids: map[int]bool{}, files: map[string]bool{}, fds: descriptors(s.PID())}
	for _, proc := range p.processes() { // of the server, and of an earlier session
		p.before.pids[proc.PID] = true
	}
	for _, file := range p.files() {
		p.before.files[file] = true
	}
	return p
}

// alive says that the server has not ended.
func (p *place) alive() bool {
	select {
	case <-p.server.Exited():
		return false
	default:
		return true
	}
}

// settle waits until nothing is left, bounded, and says what is.
func (p *place) settle() []string { return settled(p.left) }

// settled counts until nothing is left, bounded, and returns what is.
func settled(count func() []string) []string {
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	late := time.After(settleLimit)
	for {
		left := count()
		if len(left) == 0 {
			return nil
		}
		select {
		case <-tick.C:
		case <-late:
			return left
		}
	}
}

// left is what is there now and was not before, in words.
func (p *place) left() []string {
	var left []string
	for _, proc := range p.processes() {
		left = append(left, "process "+proc.String())
	}
	for _, file := range p.files() {
		if !p.before.files[file] {
			left = append(left, "file "+file)
		}
	}
	if p.alive() {
		now := descriptors(p.server.PID())
		for _, kind := range slices.Sorted(maps.Keys(now)) {
			if more := now[kind] - p.before.fds[kind]; more > 0 {
				left = append(left, fmt.Sprintf("%d more descriptors of the server: %s", more, kind))
			}
		}
	}
	return left
}

// processes are those of the session: below the server, or with its signs
// wherever they are by now.
func (p *place) processes() []testkit.Proc {
	mine := map[int]testkit.Proc{}
	if p.alive() {
		for _, proc := range testkit.Descendants(p.server.PID()) {
			mine[proc.PID] = proc
		}
	}
	for _, proc := range testkit.Processes() {
		if proc.PID != p.server.PID() && p.bears(proc) && (!p.alive() || !proc.Keeper()) {
			mine[proc.PID] = proc
		}
	}
	for pid := range p.before.pids {
		delete(mine, pid)
	}
	return slices.SortedFunc(maps.Values(mine), func(a, b testkit.Proc) int { return a.PID - b.PID })
}

// bears says that a process has a sign of this session.
func (p *place) bears(proc testkit.Proc) bool {
	if proc.State == "Z" {
		p.ward.bury(proc)
		return false
	}
	if strings.Contains(proc.Command, p.token) {
		return true
	}
	if cwd, err := os.Readlink(fmt.Sprintf("/proc/%d/cwd", proc.PID)); err == nil && cwd == p.dir {
		return true
	}
	env, err := os.ReadFile(fmt.Sprintf("/proc/%d/environ", proc.PID))
	return err == nil && strings.Contains(string(env), p.server.Mark)
}

// files are those in the temporary directory, and private directories elsewhere
// that the server had. While it lives the directories themselves are its own.
func (p *place) files() []string {
	var list []string
	own := map[string]bool{}
	if p.alive() {
		for _, root := range rootsOf(p.server.PID()) {
			own[root], own[filepath.Join(root, "lock")] = true, true
			if !slices.Contains(p.roots, root) {
				p.roots = append(p.roots, root)
			}
		}
	}
	for _, top := range append([]string{p.server.Tmp}, p.roots...) {
		_ = filepath.WalkDir(top, func(path string, _ os.DirEntry, err error) error {
			if err == nil && path != p.server.Tmp && !own[path] && !slices.Contains(list, path) {
				list = append(list, path)
			}
			return nil
		})
	}
	return list
}

// rootsOf are the private directories of a server, which it holds by their locks.
func rootsOf(pid int) []string {
	var roots []string
	for _, name := range links(pid) {
		dir, found := strings.CutSuffix(name, "/lock")
		if found && strings.HasPrefix(filepath.Base(dir), "aidb-") {
			roots = append(roots, dir)
		}
	}
	return roots
}

// descriptors counts those of a process by what they are.
func descriptors(pid int) map[string]int {
	count := map[string]int{}
	for _, name := range links(pid) {
		kind, _, numbered := strings.Cut(name, ":[") // a socket, a pipe
		if kind == "anon_inode" || !numbered {
			kind = name
		}
		count[kind]++
	}
	return count
}

func links(pid int) []string {
	var names []string
	fds, _ := filepath.Glob(fmt.Sprintf("/proc/%d/fd/*", pid)) // the pattern is fine
	for _, fd := range fds {
		if name, err := os.Readlink(fd); err == nil {
			names = append(names, name)
		}
	}
	return names
}
