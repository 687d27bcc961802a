package offspring

import (
	"fmt"

	"github.com/cilium/ebpf/asm"
	"github.com/cilium/ebpf/btf"
)

// layout is the offsets of the fields that are read of this kernel's tasks.
type layout struct {
	pid, tgid, leader, signal, exitCode, name int32 // in a task
	live, flags, groupCode                    int32 // in what its threads share
}

// readLayout reads them from the kernel's own description of its types (BTF).
func readLayout() (l layout, err error) {
	spec, err := btf.LoadKernelSpec()
	if err != nil {
		return l, fmt.Errorf("the kernel does not describe its types: %w", err)
	}
	for of, members := range map[string]map[string]*int32{
		"task_struct":   {"pid": &l.pid, "tgid": &l.tgid, "group_leader": &l.leader, "signal": &l.signal, "exit_code": &l.exitCode, "comm": &l.name},
		"signal_struct": {"live": &l.live, "flags": &l.flags, "group_exit_code": &l.groupCode},
	} {
		var known *btf.Struct
		if err := spec.TypeByName(of, &known); err != nil {
			return l, fmt.Errorf("the kernel's %s: %w", of, err)
		}
		for name, to := range members {
			at, found := offsetIn(known, name)
			if !found {
				return l, fmt.Errorf("the kernel's %s has no %s", of, name)
			}
			*to = at
		}
	}
	return l, nil
}

// offsetIn is the offset of a member in a structure, also in an anonymous one within it.
func offsetIn(of btf.Type, name string) (int32, bool) {
	var members []btf.Member
	switch t := btf.UnderlyingType(of).(type) {
	case *btf.Struct:
		members = t.Members
	case *btf.Union:
		members = t.Members
	}
	for _, m := range members {
		if m.Name == name {
			return int32(m.Offset.Bytes()), true
		}
		if m.Name == "" {
			if within, found := offsetIn(m.Type, name); found {
				return int32(m.Offset.Bytes()) + within, true
			}
		}
	}
	return 0, false
}

// compiler makes the programs that run in the kernel.
type compiler struct {
	layout
	device, inode        uint64 // of the namespace to which the process id root belongs
	root                 uint32
	followed, ring, lost int // descriptors of maps
}

// Where the programs keep what they read, below their frame's end.
const (
	recordAt = -recordSize  // what parseRecord reads
	wordAt   = recordAt - 8 // something that was read
	numberAt = wordAt - 8   // two words: the ids of a thread and its process in our namespace
	keyAt    = numberAt - 8 // the number of a process in the kernel's first namespace
	valueAt  = keyAt - valueSize
)

// What is kept of each process that is followed: its parent's numbers in the kernel's first namespace
// and in ours, the moment of its own birth, and that of its parent's (0 of the one from which on all
// are followed). A number is given again once its process is gone; number and birth never are.
const (
	parentField, parentPIDField, birthField, parentBirthField = 0, 4, 8, 16
	valueSize                                                 = 24
)

const groupExits = 4 // SIGNAL_GROUP_EXIT: all threads end with the code that they share

// readInto reads from the address in a register, at an offset.
func readInto(stack, size int32, from asm.Register, offset int32) asm.Instructions {
	return asm.Instructions{
		asm.Mov.Reg(asm.R1, asm.RFP), asm.Add.Imm(asm.R1, stack),
		asm.Mov.Imm(asm.R2, size),
		asm.Mov.Reg(asm.R3, from), asm.Add.Imm(asm.R3, offset),
		asm.FnProbeReadKernel.Call(),
	}
}

// load reads a value of 4 or 8 bytes into a register.
func load(to, from asm.Register, offset int32, size asm.Size) asm.Instructions {
	return append(readInto(wordAt, int32(size.Sizeof()), from, offset), asm.LoadMem(to, asm.RFP, wordAt, size))
}

// ownNumber puts the id of the current process in our namespace into R0: 0 where it has none there.
func (c compiler) ownNumber() asm.Instructions {
	return asm.Instructions{
		asm.Mov.Imm(asm.R1, 0), asm.StoreMem(asm.RFP, numberAt, asm.R1, asm.DWord),
		asm.LoadImm(asm.R1, int64(c.device), asm.DWord), asm.LoadImm(asm.R2, int64(c.inode), asm.DWord),
		asm.Mov.Reg(asm.R3, asm.RFP), asm.Add.Imm(asm.R3, numberAt), asm.Mov.Imm(asm.R4, 8),
		asm.FnGetNsCurrentPidTgid.Call(),
		asm.LoadMem(asm.R0, asm.RFP, numberAt+4, asm.Word),
	}
}

// find looks up the stored key among the processes that are followed: R0 is 0, or points to the
// value.
func (c compiler) find() asm.Instructions {
	return asm.Instructions{
		asm.LoadMapPtr(asm.R1, c.followed), asm.Mov.Reg(asm.R2, asm.RFP), asm.Add.Imm(asm.R2, keyAt), asm.FnMapLookupElem.Call(),
	}
}

// self stores the current process's id in the kernel's first namespace as the key, and keeps it in R7.
func self() asm.Instructions {
	return asm.Instructions{
		asm.FnGetCurrentPidTgid.Call(), asm.RSh.Imm(asm.R0, 32), asm.Mov.Reg(asm.R7, asm.R0),
		asm.StoreMem(asm.RFP, keyAt, asm.R7, asm.Word),
	}
}

// fork follows the new process of one that is followed, or of root.
func (c compiler) fork() asm.Instructions {
	code := asm.Instructions{asm.LoadMem(asm.R6, asm.R1, 8, asm.DWord)} // the new task
	code = append(code, load(asm.R8, asm.R6, c.pid, asm.Word)...)
	code = append(code, load(asm.R9, asm.R6, c.tgid, asm.Word)...)
	code = append(code, asm.JNE.Reg(asm.R8, asm.R9, "out")) // a thread
	code = append(code, self()...)
	code = append(code, c.ownNumber()...)
	code = append(code,
		asm.Mov.Reg(asm.R8, asm.R0), asm.Mov.Imm(asm.R1, 0), asm.StoreMem(asm.RFP, valueAt+parentBirthField, asm.R1, asm.DWord),
		asm.JEq.Imm(asm.R8, int32(c.root), "follow"),
	)
	code = append(code, c.find()...)
	code = append(code,
		asm.JEq.Imm(asm.R0, 0, "out"),
		asm.LoadMem(asm.R1, asm.R0, birthField, asm.DWord), asm.StoreMem(asm.RFP, valueAt+parentBirthField, asm.R1, asm.DWord),
		asm.StoreMem(asm.RFP, keyAt, asm.R9, asm.Word).WithSymbol("follow"),
		asm.StoreMem(asm.RFP, valueAt+parentField, asm.R7, asm.Word), asm.StoreMem(asm.RFP, valueAt+parentPIDField, asm.R8, asm.Word),
		asm.FnKtimeGetNs.Call(), asm.StoreMem(asm.RFP, valueAt+birthField, asm.R0, asm.DWord),
		asm.LoadMapPtr(asm.R1, c.followed),
		asm.Mov.Reg(asm.R2, asm.RFP), asm.Add.Imm(asm.R2, keyAt),
		asm.Mov.Reg(asm.R3, asm.RFP), asm.Add.Imm(asm.R3, valueAt),
		asm.Mov.Imm(asm.R4, 0), asm.FnMapUpdateElem.Call(),
		asm.JEq.Imm(asm.R0, 0, "out"),
	)
	return append(code, c.lose()...) // too many at once
}

// lose notes that something is not kept, and ends the program.
func (c compiler) lose() asm.Instructions {
	return asm.Instructions{
		asm.StoreImm(asm.RFP, keyAt, 0, asm.Word),
		asm.LoadMapPtr(asm.R1, c.lost), asm.Mov.Reg(asm.R2, asm.RFP), asm.Add.Imm(asm.R2, keyAt), asm.FnMapLookupElem.Call(),
		asm.JEq.Imm(asm.R0, 0, "out"),
		asm.Mov.Imm(asm.R1, 1), asm.StoreMem(asm.R0, 0, asm.R1, asm.DWord),
		asm.Mov.Imm(asm.R0, 0).WithSymbol("out"), asm.Return(),
	}
}

// end writes a record of a followed process when its last thread has ended, and follows it no more: its
// number may be given to another one soon. Of two threads that end as the last ones at the same time,
// the one that takes the process out writes.
func (c compiler) end() asm.Instructions {
	code := asm.Instructions{asm.LoadMem(asm.R6, asm.R1, 0, asm.DWord)} // the task
	code = append(code, self()...)
	code = append(code, c.find()...)
	code = append(code, asm.JEq.Imm(asm.R0, 0, "out"), asm.StoreMem(asm.RFP, recordAt+processIn, asm.R7, asm.Word))
	for _, w := range []struct {
		from, to int16
		size     asm.Size
	}{{parentField, parentIn, asm.Word}, {parentPIDField, parentPIDIn, asm.Word}, {birthField, birthIn, asm.DWord}, {parentBirthField, parentBirthIn, asm.DWord}} {
		code = append(code, asm.LoadMem(asm.R1, asm.R0, w.from, w.size), asm.StoreMem(asm.RFP, recordAt+w.to, asm.R1, w.size))
	}
	code = append(code, load(asm.R8, asm.R6, c.signal, asm.DWord)...)
	code = append(code, load(asm.R1, asm.R8, c.live, asm.Word)...)
	code = append(code,
		asm.JNE.Imm(asm.R1, 0, "out"),
		asm.LoadMapPtr(asm.R1, c.followed), asm.Mov.Reg(asm.R2, asm.RFP), asm.Add.Imm(asm.R2, keyAt), asm.FnMapDeleteElem.Call(),
		asm.JNE.Imm(asm.R0, 0, "out"),
	)
	code = append(code, load(asm.R6, asm.R6, c.leader, asm.DWord)...)
	code = append(code, load(asm.R9, asm.R6, c.exitCode, asm.Word)...)
	code = append(code, load(asm.R1, asm.R8, c.flags, asm.Word)...)
	code = append(code, asm.And.Imm(asm.R1, groupExits), asm.JEq.Imm(asm.R1, 0, "told"))
	code = append(code, load(asm.R9, asm.R8, c.groupCode, asm.Word)...)
	code = append(code, asm.StoreMem(asm.RFP, recordAt+statusIn, asm.R9, asm.Word).WithSymbol("told"))
	code = append(code, c.ownNumber()...)
	code = append(code, asm.Mov.Imm(asm.R1, 0), asm.StoreMem(asm.RFP, recordAt+unusedIn, asm.R1, asm.Word), asm.StoreMem(asm.RFP, recordAt+pidIn, asm.R0, asm.Word))
	code = append(code, readInto(recordAt+nameIn, nameLength, asm.R6, c.name)...)
	code = append(code,
		asm.LoadMapPtr(asm.R1, c.ring),
		asm.Mov.Reg(asm.R2, asm.RFP), asm.Add.Imm(asm.R2, recordAt),
		asm.Mov.Imm(asm.R3, recordSize), asm.Mov.Imm(asm.R4, 0), asm.FnRingbufOutput.Call(),
		asm.JEq.Imm(asm.R0, 0, "out"),
	)
	return append(code, c.lose()...) // there was no room
}
