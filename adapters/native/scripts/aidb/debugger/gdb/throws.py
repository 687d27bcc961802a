"""Where the exceptions of a C++ program were thrown first, under gdb: one that a handler throws again
has lost the frames it came from."""

import gdb

from aidb.names import library

MOST = 500  # throws that are looked at in one session: each costs the program a stop
DEEP, STACK = 30, 8  # frames that are looked at, and of the user's that are kept

places = {}  # address of an exception: the frames that it was thrown in, the innermost first
AGAIN = ("__cxa_rethrow", "std::rethrow_exception")


class Throws(gdb.Breakpoint):
    seen = 0

    def stop(self):
        self.seen += 1
        if self.seen > MOST:
            places.clear()
            gdb.post_event(lambda: setattr(self, "enabled", False))
            return False
        frame = gdb.newest_frame()
        try:
            lies = int(frame.read_register("rdi" if "x86" in frame.architecture().name() else "x0")) & (1 << 64) - 1
            places[lies] = stack(frame.older())
        except gdb.error:
            pass
        return False


def stack(frame):
    out = []
    for _ in range(DEEP):
        if frame is None or len(out) == STACK:
            break
        sal = frame.find_sal()
        file = sal.symtab.fullname() if sal.symtab is not None else ""
        if file.startswith("/") and sal.line and not library(file):
            out.append({"function": frame.name() or "?", "file": file, "line": sal.line})
        frame = frame.older()
    return out


def first(names, lies):
    """Where an exception was thrown first that is thrown again here; empty where that is here, or not known."""
    return places.get(lies, []) if any(n.startswith(AGAIN) for n in names) else []
