"""A clock of the program's own, set up by gdb."""

import os
import re
import struct

import gdb

from aidb.record import clock
from aidb.record.gdb.frames import function_block, in_c

PAGE = 4096
MMAP, OPEN, CLOSE, PROTECT = 9, 2, 3, 10
ALL, SHARED_THERE, ONLY_THERE = 7, 0x100011, 0x100022  # MAP_FIXED_NOREPLACE
CALLS = ("rax", "rdi", "rsi", "rdx", "r10", "r8", "r9")


class Clock:
    """It lies below the program, where nothing else does, so that no other address changes. Its memory is there before
    the program begins: nothing comes between, no signal either."""

    def __init__(self, file):
        self.file, self.first, self.name = file, 0, ""
        self.inferior = gdb.selected_inferior()
        files = gdb.execute("info files", to_string=True)
        self.entry = int(re.search(r"Entry point: (0x[0-9a-f]+)", files).group(1), 16)
        lowest = min(int(m.group(1), 16) for m in re.finditer(r"^\s+(0x[0-9a-f]+) - 0x[0-9a-f]+ is \.", files, re.MULTILINE))
        self.region = (lowest & -(1 << 21)) - (1 << 21)
        self.possible = "x86-64" in self.inferior.architecture().name() and gdb.newest_frame().pc() == self.entry and self.mapped()

    def ticks(self):
        """How often its instructions have run."""
        if not self.name:
            return 0
        with open(self.file, "rb") as f:
            return self.first - struct.unpack("q", f.read(8))[0]

    def choose(self, pc, callers, barred):
        """Begins to count what runs with an instruction, or with the calls around it."""
        for at in [pc, *callers]:
            found = self.found(at, barred)
            if found is not None and self.begin(found, 1 << 62):
                return True
        return False

    def again(self, name, count):
        """Begins the same that another run had; the answer is where a breakpoint stands when it has come to a number."""
        start, size = (int(part, 16) for part in name.split("+"))
        instructions, length = [], 0
        while length < size:
            i = self.disassemble(start + length, start + length)[0]
            instructions.append(i)
            length += len(i.code)
        return self.begin(instructions, count)

    def disassemble(self, start, end):
        code = self.inferior.architecture().disassemble(start, end)
        return [clock.Instruction(i["addr"], bytes(self.inferior.read_memory(i["addr"], i["length"])), i["asm"].split("<")[0]) for i in code]

    def found(self, pc, barred):
        block = function_block(pc)
        if block is None or block.start == 0:
            return None
        return clock.replaceable(self.disassemble(block.start, block.end - 1), pc, barred)

    def begin(self, instructions, count):
        start, end = instructions[0].at, instructions[-1].end
        made, by = clock.counting(instructions, self.region), clock.led_to(instructions, self.region)
        if made is None or by is None or self.runs_within(start, end):
            return None
        text, stop = made
        self.inferior.write_memory(self.region, text)
        self.inferior.write_memory(self.region + clock.STUB, struct.pack("q", count))
        self.inferior.write_memory(start, by)
        self.first, self.name, self.replaced = count, "%x+%x" % (start, end - start), (start, b"".join(i.code for i in instructions))
        return stop

    def end(self):
        """The program has its own instructions again."""
        self.inferior.write_memory(*self.replaced)

    def stands_in(self, places):
        start, code = self.replaced
        return any(start < at < start + len(code) for at in places)

    def runs_within(self, start, end):
        """Says that a thread stands where it would go on in the middle of the jump."""
        now = gdb.selected_thread()
        try:
            for thread in self.inferior.threads():
                thread.switch()
                if start < gdb.newest_frame().pc() < end:
                    return True
        finally:
            now.switch()
        return False

    def mapped(self):
        """The memory for code and, behind it, the number, which is a file's: it can be read when the program has ended."""
        with open(self.file, "wb") as f:
            f.truncate(PAGE)
        region, name = self.region, os.fsencode(self.file) + b"\0"
        if self.call(MMAP, region, PAGE, ALL, ONLY_THERE, -1, 0) != region or len(name) > PAGE:
            return False
        self.inferior.write_memory(region, name)
        opened = self.call(OPEN, region, os.O_RDWR | os.O_CLOEXEC, 0, 0, 0, 0)
        if not 0 <= opened < 1 << 31:
            return False
        there = self.call(MMAP, region + clock.STUB, PAGE, 3, SHARED_THERE, opened, 0)
        self.call(CLOSE, opened, 0, 0, 0, 0, 0)
        return there == region + clock.STUB

    def call(self, *words):
        """The kernel's answer to the program, which has not begun."""
        with in_c():
            kept = [(name, int(gdb.newest_frame().read_register(name))) for name in (*CALLS, "rcx", "r11", "rip", "orig_rax")]
            code = bytes(self.inferior.read_memory(self.entry, 2))
            self.inferior.write_memory(self.entry, b"\x0f\x05")
            for name, word in zip(CALLS, words):
                self.put(name, word)
            gdb.execute("stepi", to_string=True)
            answer = int(gdb.newest_frame().read_register("rax")) & (1 << 64) - 1
            self.inferior.write_memory(self.entry, code)
            for name, word in kept:
                self.put(name, word)
        return answer

    @staticmethod
    def put(register, word):
        gdb.newest_frame().select()  # gdb may have chosen another since, and would write where that has kept it
        gdb.execute("set var $%s = %d" % (register, word))
