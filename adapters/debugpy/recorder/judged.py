# Counts how often a condition was judged, in a file that package recording reads; where
# it can be done that is mapped into memory, so that the count outlives the process.
import itertools
import os
import struct

try:
    import mmap
except ImportError:
    mmap = None

SIZE = 32  # numbers of eight bytes: how often, in vain, 1 where that is all, and instances


class Judged:
    def __init__(self, records):
        self.file = os.open(os.path.join(records, "judged"), os.O_RDWR | os.O_CREAT | os.O_TRUNC | getattr(os, "O_CLOEXEC", 0), 0o600)
        self.next = itertools.count(1).__next__  # no thread comes between its parts
        self.failed = itertools.count(1).__next__
        self.numbers, self.mapped = [0, 0, 0, 0], False
        if mmap is not None and hasattr(os, "posix_fallocate"):
            try:
                os.posix_fallocate(self.file, 0, SIZE)
                self.numbers, self.mapped = memoryview(mmap.mmap(self.file, SIZE)).cast("Q"), True
                self.numbers[2] = 1
            except (OSError, ValueError):
                self.numbers = [0, 0, 0, 0]

    def one(self):
        """Counts a judgement and answers which one it is."""
        number = self.next()
        self.numbers[0] = number
        if not self.mapped and not number & (number - 1):
            self.write()
        return number

    def vain(self):
        """Counts one that has no value, and says whether it is the first."""
        number = self.failed()
        self.numbers[1] = number
        return number == 1

    def whole(self, all):
        """The program ends, and whether the numbers are all that was to be counted."""
        self.numbers[2] = int(all)
        if not self.mapped:
            self.write()

    def write(self):
        os.lseek(self.file, 0, os.SEEK_SET)
        os.write(self.file, struct.pack("<4q", *self.numbers))
