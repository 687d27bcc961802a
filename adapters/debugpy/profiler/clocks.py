# The processor time of threads, and whether they run: on Linux by the system's own numbers
# of threads. Elsewhere neither is known.
import os
import sys
import time

LINUX = sys.platform == "linux"
# A read of it gives the GIL away, so that the thread asked about may run then: that is why
# stacks are noted before.
STATE = "/proc/self/task/%d/syscall"


def native_ids():
    """The system's numbers of the threads that threading knows, by Python's; None of one that
    is the debugger's."""
    threading = sys.modules.get("threading")
    known = {}
    if threading is not None:
        for ident, thread in list(threading._active.items()):
            number = getattr(thread, "native_id", None)
            if getattr(thread, "is_pydev_daemon_thread", False):
                known[ident] = None
            elif number:
                known[ident] = (number, thread.name)
    return known


def processor_time(number):
    """What a thread has used, in ns; None: it has ended, or nobody knows."""
    try:
        return time.clock_gettime_ns(~number << 3 | 6)  # the kernel's number of that thread's clock
    except (OSError, OverflowError):
        return None


class States:
    """Whether a thread that has just used the processor was running, or has come to rest since."""

    def __init__(self):
        self.files = {}
        self.readable = LINUX
        self.image = image() if LINUX else []

    def running(self, number):
        if not self.readable:
            return True
        file = self.files.get(number)
        try:
            if file is None:
                if len(self.files) > 200:
                    self.close()
                file = self.files[number] = os.open(STATE % number, os.O_RDONLY | os.O_CLOEXEC)
            text = os.pread(file, 200, 0)
        except FileNotFoundError:
            return True
        except OSError as e:
            if e.errno == 3:  # it has ended since
                return True
            self.readable = False
            return True
        if text.startswith(b"running"):
            return True
        words = text.split()
        if len(words) < 2 or words[0] not in (b"202", b"98"):  # futex of x86-64, of arm64
            return False
        at = int(words[1], 16)  # the GIL lies in the interpreter's own memory, locks do not
        return any(first <= at < end for first, end in self.image)

    def close(self):
        for file in self.files.values():
            try:
                os.close(file)
            except OSError:
                pass
        self.files.clear()


def image():
    """Where the interpreter's own variables lie."""
    spans, inside = [], False
    try:
        with open("/proc/self/maps", encoding="utf-8", errors="replace") as f:
            for line in f:
                words = line.split(None, 5)
                first, end = (int(n, 16) for n in words[0].split("-"))
                path = words[5].strip() if len(words) > 5 else ""
                name = os.path.basename(path)
                if name.startswith("libpython") or (name.startswith("python") and "/bin/" in path):
                    inside = True
                elif path or not (inside and spans and spans[-1][1] == first):
                    inside = False
                if inside:
                    spans.append((first, end))
    except OSError:
        pass
    return spans
