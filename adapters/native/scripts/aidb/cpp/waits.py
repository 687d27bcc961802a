"""What the threads of a C or C++ program wait for, and who holds it, as GNU's C
library keeps it on x86-64. Knows no debugger: of each thread it is told the topmost
functions, the first argument of the system call that it is in, and the variables
of its own frames."""

import re

from aidb.cpp.words import UNREADABLE
from aidb.debugger.interface import CppValue

# What a function of the library's means for the thread that is in it, the innermost first.
KINDS = (
    (re.compile(r"^_*(?:GI_*)?pthread_mutex_\w*lock\w*$|^_*(?:GI_*)?lll_(?:mutex_)?lock\w*$"), "mutex"),
    (re.compile(r"^_*(?:GI_*)?pthread_cond_\w*wait\w*$"), "condition variable"),
    (re.compile(r"^_*(?:GI_*)?pthread_\w*join\w*$|^std::thread::join$"), "join"),
    (re.compile(r"^_*(?:GI_*)?pthread_rwlock_\w*lock\w*$"), "reader-writer lock"),
    (re.compile(r"^_*(?:GI_*|new_)?sem_\w*wait\w*$"), "semaphore"),
    (re.compile(r"^_*(?:GI_*|libc_)?(?:clock_)?nanosleep\w*$"), "sleep"),
    (re.compile(r"^_*(?:GI_*|libc_)?(?:e?poll|epoll_p?wait|select|pselect|ppoll)$"), "poll"),
    (re.compile(r"^_*(?:GI_*|libc_)?(?:read|recv|recvfrom|recvmsg|accept|accept4|write|send|connect|wait4|waitpid)$"), "system call"),
)
RUST = (
    (re.compile(r"^<?std::sys::.*\bmutex::.*\block"), "mutex"),
    (re.compile(r"^<?std::sys::.*\bcondvar::.*\bwait|^<?std::sync::(?:poison::)?condvar::Condvar>?::wait"), "condition variable"),
    (re.compile(r"^<?std::sys::.*\brwlock::"), "reader-writer lock"),
    (re.compile(r"^<?std::sync::mp[ms]c::.*\b(?:recv|send)"), "channel"),
    (re.compile(r"^<?std::.*\bthread::.*::join\b"), "join"),
)
TOP = 8  # functions that are looked at
DEEP = 4  # parts of parts in which a lock is looked for
LOCKS = re.compile(r"mutex|condition_variable|pthread_cond_t|rwlock|semaphore|\bsem_t\b")
LIBRARY = re.compile(r"^(?:\w+ )?(?:::)?(?:std::|_|pthread_|futex|lll_)")  # functions whose own variables name no lock of the user's
OWNER = 8  # of a pthread_mutex_t, the thread that holds it
PHASE, WRITER = 8, 24  # of a pthread_rwlock_t, what is waited for first, and the thread that writes
READERS = 3  # bits below their number
MOST = 64  # parts of a record that are looked into


class Thread:
    """One thread as its debugger knows it."""

    def __init__(self, number: int, system, functions, address: int, frames) -> None:
        self.number, self.system = number, system  # the debug adapter's number, and the system's
        self.functions, self.address = functions, address  # None where the system call is not known
        self.frames = frames  # gives the variables of each of the thread's own frames


def waits(threads, word, symbol):
    """What each thread waits for; word reads 4 bytes of the program, symbol names what lies at an address."""
    told = []
    for t in threads:
        kind = kind_of(t.functions)
        if not kind:
            continue
        wait = {"id": t.number, "waiting": kind, "object": "", "held": False}
        try:
            if kind_of(t.functions, KINDS):  # Rust's own locks do not say who holds them
                describe(wait, t, threads, word, symbol)
        except UNREADABLE:
            pass
        told.append(wait)
    return told


def kind_of(functions, kinds=None):
    for name in functions[:TOP]:
        for pattern, kind in kinds or KINDS + RUST:
            if pattern.match(name.split("(")[0].split("@")[0]):
                return kind
    return ""


def describe(wait, t, threads, word, symbol) -> None:
    numbers = {o.system: o.number for o in threads}
    if t.address is None or wait["waiting"] not in ("mutex", "reader-writer lock", "condition variable", "join", "semaphore"):
        return
    if wait["waiting"] == "join":
        other = word(t.address)
        wait["object"], wait["held"] = ("thread %d" % numbers[other], True) if other in numbers else ("", False)
        return
    wait["object"] = name_of(t, symbol)
    by = ""
    if wait["waiting"] == "mutex":
        by = known(word(t.address + OWNER), numbers)
    elif wait["waiting"] == "reader-writer lock":
        lock = t.address - PHASE - t.address % 8  # or the word behind it
        by = known(word(lock + WRITER), numbers) or readers(lock, word(lock) >> READERS, threads)
    if by:
        wait["object"], wait["held"] = "%s, held by %s" % (wait["object"], by), True


def known(owner, numbers):
    """A thread by its number in the system; empty for none."""
    if not owner:
        return ""
    return "thread %d" % numbers[owner] if owner in numbers else "a thread that has ended (%d)" % owner


def readers(lock, count, threads):
    """Who reads under a lock. The C library only counts them: they are known by the guards of C++ in their frames."""
    if not count:
        return ""
    found = ["thread %d" % o.number for o in threads if any(guards(v, lock) for variables in o.frames() for v in variables)]
    if len(found) == count:
        return ", ".join(found[:-1] + ["and " + found[-1]] if len(found) > 1 else found)
    return "%d that read%s" % (count, " (%s among them)" % ", ".join(found) if found else "")


def guards(v, lock):
    """Says that a variable is a std::shared_lock which holds a lock."""
    try:
        if not v.type.name.startswith("std::shared_lock<"):
            return False
        return v.member("_M_pm").number() == lock and v.member("_M_owns").number() & 0xFF == 1
    except UNREADABLE:
        return False


def name_of(t, symbol):
    """A lock's name: that of a global variable, or the way to it from a variable of the thread's; else its address."""
    known = symbol(t.address)
    if known:
        return known
    for variables in t.frames():
        for v in variables:
            try:
                path = way(v, t.address, DEEP)
            except UNREADABLE:
                continue
            if path:
                return "%s (%#x)" % (path, t.address)
    return "%#x" % t.address


def way(v: CppValue, at, deep):
    """The way from a value to the lock in which an address lies."""
    if v.type.code == "pointer":
        v, name = v.deref(), v.name.lstrip("&") + "->"
    else:
        name = v.name.lstrip("&") + "."
    if v.type.code not in ("record", "union") or not v.address <= at < v.address + v.type.size:
        return ""
    if LOCKS.search(v.type.name):
        return name.rstrip("->.")
    for part in v.children(MOST) if deep else ():
        inner = way(part, at, deep - 1) if part.type.code != "pointer" else ""
        if inner:
            return inner if part.unnamed else name + inner
    return ""
