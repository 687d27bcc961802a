"""The copies of instructions under breakpoints in LLDB, where they lie in the program."""

import lldb

from aidb.record.beside import ROOM, SLOT, beside

MMAP, READ_EXECUTE, ONLY_THERE = 9, 5, 0x100022  # private, no file, MAP_FIXED_NOREPLACE
CALLS = ("rax", "rdi", "rsi", "rdx", "r10", "r8", "r9")


class Copies:
    """Their memory is there in each run, so that all else lies where it lies in the others."""

    def __init__(self, target, process):
        self.target, self.process, self.of, self.left = target, process, {}, {}
        self.next = self.end = 0
        base = target.GetModuleAtIndex(0).GetObjectFileHeaderAddress().GetLoadAddress(target)
        if target.GetTriple().startswith("x86_64") and "linux" in target.GetTriple() and process.GetState() == lldb.eStateStopped:
            near = base - 2 * ROOM & -4096  # its code and its data within reach
            if self.system_call(MMAP, near, ROOM, READ_EXECUTE, ONLY_THERE, (1 << 64) - 1, 0) == near:
                self.next, self.end = near, near + ROOM

    def system_call(self, *words):
        """The kernel's answer to a thread that stands where the program has not begun."""
        thread, error = self.process.GetThreadAtIndex(0), lldb.SBError()
        frame = thread.GetFrameAtIndex(0)
        pc = frame.GetPC()
        code = self.process.ReadMemory(pc, 2, error)
        if error.Fail() or self.process.WriteMemory(pc, b"\x0f\x05", error) != 2:
            return None
        registers = [(frame.FindRegister(r), r) for r in (*CALLS, "rcx", "r11")]
        kept = [(name, r.GetValueAsUnsigned()) for r, name in registers]
        for name, word in zip(CALLS, words):
            frame.FindRegister(name).SetValueFromCString(str(word))
        thread.StepInstruction(False)
        frame = thread.GetFrameAtIndex(0)
        answer = frame.FindRegister("rax").GetValueAsUnsigned()
        for name, word in kept:
            frame.FindRegister(name).SetValueFromCString(str(word))
        self.process.WriteMemory(pc, code, error)
        frame.SetPC(pc)
        return answer

    def forget(self):
        """Makes no copy any more, and uses none."""
        self.of, self.end = {}, 0

    def last(self, frame, points):
        """Says that of the breakpoints at a place this is the last to be called at this stop."""
        if len(points) == 1:
            return True
        stop, thread = self.process.GetStopID(), frame.GetThread().GetThreadID()
        if self.left.get(thread, (None, 0))[0] != stop:
            self.left[thread] = stop, sum(b.IsEnabled() for b in points)
        self.left[thread] = stop, self.left[thread][1] - 1
        return self.left[thread][1] == 0

    def pass_by(self, frame, pc):
        """Lets a thread that stands at a breakpoint go on without it."""
        to = self.of.get(pc)
        if to is None and self.end:
            to = self.of[pc] = self.copied(pc)
        if to:
            frame.SetPC(to)

    def copied(self, pc):
        """Where the copy is; 0 where there is none."""
        if self.next + SLOT > self.end:
            return 0
        error = lldb.SBError()
        instruction = self.target.ReadInstructions(lldb.SBAddress(pc, self.target), 1)[0]
        code = self.process.ReadMemory(pc, instruction.GetByteSize(), error)
        if error.Fail():
            return 0
        words = "%s %s" % (instruction.GetMnemonic(self.target), instruction.GetOperands(self.target))
        copy = beside(pc, words, code, self.next)
        if copy is None or self.process.WriteMemory(self.next, copy, error) != len(copy):
            return 0
        self.next += SLOT
        return self.next - SLOT
