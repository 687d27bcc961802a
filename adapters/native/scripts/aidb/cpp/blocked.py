"""Who waits for what in a program of machine code, who holds that, and where it was taken. The C library keeps
who holds a mutex; of what says no owner, Rust's own locks among it, a holder is the thread of which a frame has its guard.
Knows no debugger: see aidb.cpp.waits."""

import linecache
import re

from aidb.cpp import waits
from aidb.cpp.waits import DEEP, OWNER, PHASE, READERS, WRITER, known, way
from aidb.cpp.words import UNREADABLE
from aidb.names import library

SYSTEM = re.compile(r"^/(?:usr|lib|rustc|build|opt)/|/rustlib/|/sysdeps/|/nptl/|^\./|^\.\./|/\.cargo/registry/")
GUARDS = re.compile(r"^std::(?:lock_guard|unique_lock|shared_lock)<")
RUST_GUARDS = re.compile(r"^(?:std|lock_api|parking_lot)::(?:\w+::)*(MutexGuard|RwLockReadGuard|RwLockWriteGuard)<")
SENDERS = re.compile(r"^std::sync::mpsc::(?:Sync)?Sender<")
RECEIVERS = re.compile(r"^std::sync::mpsc::Receiver<")
NAMELESS = re.compile(r"^(?:___lldb_unnamed_symbol|\?\?|_*$)")
RUNTIMES = re.compile(r"^<?(?:&mut )?(tokio|async_std|smol)::")  # that run tasks on threads of theirs
WAITING = re.compile(r"\b((?:pthread_\w*(?:lock|wait|join)|sem_\w*wait))\(")
TIMED = re.compile(r"timed|clock_?lock|clockwait|wait_timeout|recv_timeout")
CALL = re.compile(r"(?:pthread_\w+|sem_\w+)\(\s*&?\s*([\w.>\[\]*-]+)")
METHOD = re.compile(r"([A-Za-z_][\w.:]*(?:->[\w.]+)*)\s*(?:\.|->)\s*(?:lock_shared|lock|join|wait|recv|send|read|write|acquire|arrive_and_wait)\s*\(")
GUARDED = re.compile(r"\b(?:lock_guard|unique_lock|shared_lock|scoped_lock)\b(?:<[^;]*>)?\s+\w+\s*[({]\s*([\w.>\[\]*-]+)\s*[,)}]")
TAKES = re.compile(
    r"(?:pthread_mutex_(?:try)?lock|pthread_rwlock_\w*lock)\(\s*(&?\s*[\w.>\[\]-]+)\s*\)"
    r"|([A-Za-z_][\w.]*(?:->[\w.]+)*)(?:\.|->)(?:lock|lock_shared|try_lock)\(\)"
)
NAMES = {
    "mutex": "a mutex", "condition variable": "a condition variable", "reader-writer lock": "a reader-writer lock", "semaphore": "a semaphore",
    "sleep": "a time to pass (sleep)", "poll": "input, output or a timer (poll)", "channel": "a message of a channel",
}
LOCKING = ("mutex", "reader-writer lock")


class Spot:
    """One frame: what it runs, and how it finds the variables of its own."""

    def __init__(self, function, file, line, first, variables, address) -> None:
        self.function, self.file, self.line, self.first = function, file, line, first  # first: the function's own line
        self.variables = variables  # gives (value, line of its declaration)
        self.address = address  # where an expression of names lies, None where that is not known

    def own(self):
        return bool(self.file) and self.line > 0 and not library(self.file, SYSTEM) and not waits.LIBRARY.match(self.function) and not self.harness()

    def harness(self):
        """Says that the compiler has written the function, for Rust's tests: its line is the first, whatever stands there."""
        return self.line == 1 and re.match(r"\w+::main\b", self.function) is not None and "main" not in linecache.getline(self.file, 1)

    def told(self, line=0):
        return {"file": self.file, "line": line or self.line, "function": re.sub(r"(?<!operator)\(.*", "", self.function).lstrip(":")}


class Thread(waits.Thread):
    def __init__(self, number, system, functions, address, frames, spots, name) -> None:
        own = [s for s in spots if s.own()]
        super().__init__(number, system, by_call(functions, own), address, frames)
        self.spots, self.name = own, name

    @property
    def who(self):
        return "thread %d%s" % (self.number, " (%s)" % self.name if self.name else "")

    def held(self, does="", taken=None):
        told = {"key": "t%d" % self.system, "who": self.who, "does": does, "taken": taken or {}}
        told["stands"] = self.spots[0].told() if self.spots else {}
        return told


def by_call(functions, own):
    """The functions of a thread. Where those of the C library above the user's own have no names, the line of the user's tells which it
    has called."""
    if not own or not functions or not NAMELESS.match(functions[0]):
        return functions
    above = functions[: functions.index(own[0].function)] if own[0].function in functions else []
    called = set(WAITING.findall(linecache.getline(own[0].file, own[0].line)))
    return [called.pop()] + functions[1:] if len(called) == 1 and above and all(NAMELESS.match(f) for f in above) else functions


def blocked(threads, word, symbol):
    """The rows, as the session takes them; word reads 4 bytes of the program, symbol names what lies at an address."""
    rows = []
    if len({t.name for t in threads}) == 1:
        for t in threads:
            t.name = ""  # that of the program
    for t in threads:
        kind = waits.kind_of(t.functions)
        if not kind:
            continue
        row = {"key": "t%d" % t.system, "who": t.who, "thread": t.number, "at": t.spots[0].told() if t.spots else {}, "holders": [], "unknown": ""}
        row["timed"] = kind == "sleep" or any(TIMED.search(f) for f in above(t))
        row["for"] = NAMES.get(kind) or (called(t) if kind == "system call" else kind)
        try:
            describe(row, kind, t, threads, word, symbol)
        except UNREADABLE:
            row["unknown"] = "what it waits on cannot be read" if kind in LOCKING else ""
        rows.append(row)
    runtimes = {found.group(1) for t in threads for found in map(RUNTIMES.match, t.functions) if found}
    notes = ["tasks of %s: only the threads that run them are looked at" % name for name in sorted(runtimes)]
    return {"waiters": rows, "notes": notes}


def above(t):
    """The functions of the library in which a thread waits."""
    top = t.functions[: waits.TOP]
    own = t.spots[0].function if t.spots else None
    return top[: top.index(own)] if own in top else top


def called(t):
    return "the system (%s)" % next((f.split("@")[0] for f in t.functions if waits.kind_of([f])), "?").lstrip("_")


def describe(row, kind, t, threads, word, symbol) -> None:
    expr = expression(t)
    if kind == "join":
        other = by_system(threads, word(t.address)) if t.address is not None else None
        row["for"] = "the end of %s (join)" % (other.who if other else "a thread") + (": " + expr if expr else "")
        if other:
            row["holders"] = [other.held("has not ended")]
        return
    if kind == "channel":
        row["for"] += ": " + expr if expr else ""
        row["holders"] = senders(t, threads)
        return
    if kind not in ("mutex", "reader-writer lock", "condition variable", "semaphore"):
        return
    is_rust = not waits.kind_of(t.functions, waits.KINDS)
    if t.address is None:
        row["for"] += ": " + expr if expr else ""
        row["unknown"] = "which one it is cannot be read on this machine" if kind in LOCKING else ""
        return
    name = symbol(t.address) or path(t) or expr
    row["for"] += ": " + name if name else ""
    row["on"] = "%#x" % t.address
    if kind not in LOCKING:
        return
    if is_rust:
        row["holders"], row["unknown"] = by_guards(t.address, threads, expr == "" or kind == "mutex")
        return
    lock = t.address if kind == "mutex" else t.address - PHASE - t.address % 8
    owner = word(lock + (OWNER if kind == "mutex" else WRITER))
    found = by_system(threads, owner)
    if found:
        row["holders"] = [found.held("", taken(found, lock))]
    elif owner:
        row["unknown"] = known(owner, {})
    elif kind == "mutex":
        row["unknown"] = "the mutex names no thread"
    else:
        count = word(lock) >> READERS
        for o in threads:
            at = guard(o, lock)
            if at:
                row["holders"].append(o.held("reads", at))
        if len(row["holders"]) != count:
            row["on"] += ", %d read" % count
            row["unknown"] = "" if row["holders"] else "the lock only counts its %d readers" % count


def by_system(threads, number):
    return next((o for o in threads if number and o.system == number), None)


def expression(t):
    """What a line of the user's names that waits."""
    if not t.spots:
        return ""
    line = linecache.getline(t.spots[0].file, t.spots[0].line)
    found = set(GUARDED.findall(line) or CALL.findall(line) or METHOD.findall(line))
    return found.pop() if len(found) == 1 else ""


def path(t):
    """The way to a lock from a variable of the thread's."""
    for s in t.spots:
        for v, _ in s.variables():
            try:
                found = way(v, t.address, DEEP)
            except UNREADABLE:
                continue
            if found:
                return found
    return ""


def taken(t, lock):
    """Where a thread that holds a lock has taken it: by a guard, or by a call with its address, of one of its frames."""
    return guard(t, lock) or by_line(t, lock)


def guard(t, lock):
    for s in reversed(t.spots):
        for v, line in s.variables():
            try:
                if not GUARDS.match(v.type.name) or not line or line >= s.line:
                    continue
                device = v.member("_M_device") or v.member("_M_pm")
                at = device.number() if device.type.code == "pointer" else device.address
                owns = v.member("_M_owns")
                if at == lock and (owns is None or owns.number() & 0xFF == 1):
                    return s.told(line)
            except (UNREADABLE, AttributeError):
                continue
    return None


def by_line(t, lock):
    """The only line before where one of the thread's frames stands that takes a lock; of several nobody knows which has."""
    for s in reversed(t.spots):
        takes = []
        for n in range(s.first or s.line, s.line):
            for call, method in TAKES.findall(linecache.getline(s.file, n)):
                text = call.replace(" ", "") if call else "&" + method
                if s.address(text) == lock:
                    takes.append(n)
        if takes:
            return s.told(takes[0]) if len(set(takes)) == 1 else None
    return None


def by_guards(address, threads, exclusive):
    """The threads that have a guard of Rust's of the lock in which an address lies."""
    holders = []
    for o in threads:
        for s in o.spots:
            for v, line in s.variables():
                kind = RUST_GUARDS.match(v.type.name)
                try:
                    lock = v.member("lock") or v.member("inner_lock") if kind else None
                    if lock is None:
                        continue
                    if lock.type.code == "pointer":
                        lock = lock.deref()
                    size = max(lock.type.size, 8)
                    if not lock.address <= address < lock.address + size or moved(s, v.name, line):
                        continue
                except (UNREADABLE, AttributeError):
                    continue
                holders.append(o.held("reads" if "Read" in kind.group(1) else "", s.told(line) if line else None))
                break
    if len({h["key"] for h in holders}) > 1 and not all(h["does"] for h in holders):
        return [], "guards of it are in frames of several threads"
    return holders, "" if holders else "Rust's locks keep no owner, and no frame has a guard of it"


def moved(s, name, line):
    """Says that a variable may have been given away or dropped from the line after the one that declares it to where its frame stands."""
    away = re.compile(r"[(,=]\s*(?:Some\()?%s\s*[,;)]|\bmove\b.*\b%s\b" % (re.escape(name), re.escape(name)))
    return any(away.search(linecache.getline(s.file, n)) for n in range((line or s.first or s.line) + 1, s.line + 1))


def senders(t, threads):
    """The threads that keep a sender of the channel on which one receives."""
    channels = [v.contents() for s in t.spots for v, _ in s.variables() if readable(v, RECEIVERS)]
    holders = []
    for o in threads:
        for s in o.spots:
            kept = [v for v, line in s.variables() if readable(v, SENDERS) and v.contents() in channels and not moved(s, v.name, line)]
            if kept:
                holders.append(o.held("keeps a sender of it (%s)" % kept[0].name))
                break
    return holders


def readable(v, pattern):
    try:
        return bool(pattern.match(v.type.name)) and len(v.contents()) == 16
    except UNREADABLE:
        return False
