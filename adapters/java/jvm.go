package java

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/system/boundedfile"
	"aidb-mcp/internal/system/process"
)

// jvm is a running JVM that recorders are put into, or that is profiled.
type jvm struct {
	adapter *adapter
	pid     int // 0: it is not known yet
	tools   jdk
	roots   []string // of the user's sources
}

var errNoJcmd = errors.New("there is no jcmd")

// runJcmd has the JVM carry out a diagnostic command by the JDK's own tool, and gives what
// that prints, also where it fails.
func (v jvm) runJcmd(ctx context.Context, words ...string) (text string, err error) {
	tool := v.tools.tool("jcmd")
	if tool == "" {
		return "", errNoJcmd
	}
	printed, complained, err := process.Run(ctx, process.Spec{
		Name: "jcmd", Path: tool, Log: v.adapter.Log, Env: localeEnviron(),
		Args: append([]string{"-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC", "-J-XX:-UsePerfData", strconv.Itoa(v.pid)}, words...),
	})
	return strings.TrimSpace(string(printed) + string(complained)), err
}

// noAttach turns off what agents and tools of the JDK come in by.
const noAttach = "-XX:+DisableAttachMechanism"

// reachable says why a running JVM cannot be entered, so far as that can be seen from outside.
// What cannot be looked at is tried.
func reachable(pid int) error {
	if uid := process.OwnerOf(pid); uid >= 0 && uid != os.Geteuid() {
		return fault.New(fault.NotSupported, "process %d belongs to another user (uid %d): a JVM lets nobody in but its own user", pid, uid).
			WithHint("run the server as that user")
	}
	line, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
	if err != nil && os.IsNotExist(err) && procIsThere() {
		return fault.New(fault.InvalidParam, "there is no process %d", pid).WithField("pid").
			WithHint("look with ps or jps; processes end and their numbers are used again")
	}
	says := countersOf(pid)
	if strings.Contains(string(line), noAttach) || strings.HasPrefix(says["sun.rt.jvmCapabilities"], "0") {
		return fault.New(fault.NotSupported, "process %d was started with %s: nothing can be put into it while it runs", pid, noAttach).
			WithHint("start it without, or let a debugger in at its start: %s", openForDebugging)
	}
	if version := major(says["java.property.java.vm.specification.version"]); version != 0 && version < oldest {
		return fault.New(fault.NotSupported, "process %d runs on Java %d: what is put into it needs %d or newer", pid, version, oldest)
	}
	return nil
}

// catchesQuit says that a JVM is ready to be asked, for which tools send it SIGQUIT: before, that
// would end it.
func catchesQuit(pid int) bool {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return !procIsThere()
	}
	const quit = 1 << 2 // SIGQUIT is the third
	for line := range strings.Lines(string(text)) {
		if set, is := strings.CutPrefix(line, "SigCgt:"); is {
			caught, err := strconv.ParseUint(strings.TrimSpace(set), 16, 64)
			return err == nil && caught&quit != 0
		}
	}
	return true
}

func procIsThere() bool {
	_, err := os.Stat("/proc/self/cmdline")
	return err == nil
}

// countersOf reads the texts in which we are interested out of what a JVM tells tools of itself
// (hsperfdata): nothing where it tells nothing.
func countersOf(pid int) map[string]string {
	inside := strconv.Itoa(pid)
	if status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid)); err == nil {
		for line := range strings.Lines(string(status)) {
			if ids, is := strings.CutPrefix(line, "NSpid:"); is && strings.TrimSpace(ids) != "" {
				list := strings.Fields(ids)
				inside = list[len(list)-1]
			}
		}
	}
	found := map[string]string{}
	files, _ := filepath.Glob(fmt.Sprintf("/proc/%d/root/tmp/hsperfdata_*/%s", pid, inside)) // the pattern is right
	for _, file := range files {
		text, err := boundedfile.ReadText(file)
		if err != nil {
			continue
		}
		for _, name := range []string{"sun.rt.jvmCapabilities", "java.property.java.vm.specification.version"} {
			if _, after, has := bytes.Cut(text, []byte(name+"\x00")); has {
				value, _, _ := bytes.Cut(bytes.TrimLeft(after, "\x00"), []byte{0})
				found[name] = string(value)
			}
		}
	}
	return found
}
