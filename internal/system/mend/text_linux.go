//go:build amd64 || arm64

package mend

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
)

// mapping is a piece of a file that a program executes. Its pages are the file's until
// somebody writes into them: a breakpoint makes a copy of its page for the program.
type mapping struct {
	start, end uint64
	offset     int64 // of start in the file
	inode      uint64
	path       string
}

// findTraps compares the pages of a program's text that are copies with the file.
func findTraps(pid int) ([]Trap, error) {
	mappings, err := textOf(pid)
	if err != nil {
		return nil, err
	}
	memory, err := os.Open(processFile(pid, "mem"))
	if err != nil {
		return nil, fmt.Errorf("looking at the text of process %d: %w", pid, err)
	}
	defer memory.Close()
	pages, err := os.Open(processFile(pid, "pagemap"))
	if err != nil {
		return nil, fmt.Errorf("looking at the text of process %d: %w", pid, err)
	}
	defer pages.Close()
	var traps []Trap
	for _, m := range mappings {
		found, err := m.findTraps(pid, memory, pages)
		if err != nil {
			return traps, err
		}
		traps = append(traps, found...)
	}
	return traps, nil
}

// textOf lists what a program executes of files, as its own copy.
func textOf(pid int) ([]mapping, error) {
	file, err := os.Open(processFile(pid, "maps"))
	if err != nil {
		return nil, fmt.Errorf("looking at the text of process %d: %w", pid, err)
	}
	defer file.Close()
	var mappings []mapping
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<16)
	for lines.Scan() {
		if m, ok := parseMapping(lines.Text()); ok {
			mappings = append(mappings, m)
		}
	}
	return mappings, lines.Err()
}

// parseMapping reads a line of maps (proc_pid_maps(5)): addresses, permissions, offset,
// device, inode, and a path that may hold spaces.
func parseMapping(line string) (m mapping, ok bool) {
	fields := strings.SplitN(line, " ", 6)
	if len(fields) < 6 || len(fields[1]) < 4 || fields[1][2] != 'x' || fields[1][3] != 'p' {
		return m, false
	}
	start, end, _ := strings.Cut(fields[0], "-")
	var errs [4]error
	m.start, errs[0] = strconv.ParseUint(start, 16, 64)
	m.end, errs[1] = strconv.ParseUint(end, 16, 64)
	m.offset, errs[2] = strconv.ParseInt(fields[2], 16, 64)
	m.inode, errs[3] = strconv.ParseUint(fields[4], 10, 64)
	m.path = strings.TrimLeft(fields[5], " ")
	return m, errs == [4]error{} && m.inode != 0
}

func (m mapping) findTraps(pid int, memory, pages *os.File) ([]Trap, error) {
	copies, err := m.copies(pages)
	if err != nil || len(copies) == 0 {
		return nil, err
	}
	file, err := m.open(pid)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	size := uint64(os.Getpagesize())
	ours, theirs := make([]byte, size), make([]byte, size)
	var traps []Trap
	for _, address := range copies {
		if _, err := memory.ReadAt(ours, int64(address)); err != nil {
			continue // it is not there any more
		}
		clear(theirs)
		if n, err := file.ReadAt(theirs, m.offset+int64(address-m.start)); n == 0 && err != nil {
			continue // behind the end of the file
		}
		traps = append(traps, compare(address, ours, theirs)...)
	}
	return traps, nil
}

// copies are the addresses of the pages that are the program's own and not the file's.
func (m mapping) copies(pages *os.File) ([]uint64, error) {
	const entry, present, swapped, ofFile = 8, 1 << 63, 1 << 62, 1 << 61 // proc_pid_pagemap(5)
	size := uint64(os.Getpagesize())
	table := make([]byte, (m.end-m.start)/size*entry)
	n, err := pages.ReadAt(table, int64(m.start/size*entry))
	if n < len(table) && err != nil {
		return nil, fmt.Errorf("looking at the pages of %s: %w", m.path, err)
	}
	var addresses []uint64
	for i := 0; i < len(table); i += entry {
		page := binary.NativeEndian.Uint64(table[i:])
		if page&(present|swapped) != 0 && page&ofFile == 0 {
			addresses = append(addresses, m.start+uint64(i/entry)*size)
		}
	}
	return addresses, nil
}

// open opens the very file that was mapped, though it may have been replaced since.
func (m mapping) open(pid int) (*os.File, error) {
	places := []string{
		processFile(pid, fmt.Sprintf("map_files/%x-%x", m.start, m.end)), // only root may follow it
		processFile(pid, "root"+m.path),
		processFile(pid, "exe"),
	}
	for _, place := range places {
		file, err := os.Open(place)
		if err != nil {
			continue
		}
		if info, err := file.Stat(); err == nil {
			if stat, ok := info.Sys().(*syscall.Stat_t); ok && stat.Ino == m.inode {
				return file, nil
			}
		}
		file.Close()
	}
	return nil, fmt.Errorf("%s, which process %d executes, is not there any more, so that nobody can compare with it", m.path, pid)
}

// compare finds the breakpoint instructions of a page that its file does not have.
func compare(address uint64, ours, theirs []byte) []Trap {
	if bytes.Equal(ours, theirs) {
		return nil
	}
	var traps []Trap
	for i := 0; i+len(breakpoint) <= len(ours); i += alignment {
		end := i + len(breakpoint)
		if bytes.Equal(ours[i:end], breakpoint) && !bytes.Equal(theirs[i:end], breakpoint) {
			traps = append(traps, Trap{Address: address + uint64(i), original: bytes.Clone(theirs[i:end])})
		}
	}
	return traps
}
