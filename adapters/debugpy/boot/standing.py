# What threads and tasks wait for, by the calls in which they stand: part of waits.py, to which it is joined.
import linecache
import re
import sys
import threading
import time

everybody = []  # the Waiters of one look: see waits()
nobody = "no thread stands within a with statement, or after an acquire(), of it"


def say(o):
    return "%s %#x" % (type(o).__name__ if not isinstance(o, LOCKS) else "threading." + type(o).__name__.replace("lock", "Lock"), id(o))


class Waiter:
    """One of the rows, with the frames in which it may hold something."""

    def __init__(self, key, who, thread, frames):
        self.key, self.who, self.thread, self.frames = key, who, thread, frames
        self.user = next((f for f in frames if own(f.f_code)), None)
        self.what, self.on, self.timed, self.system = "", "", False, False
        self.lock, self.after, self.unknown = None, [], ""
        self.made = None

    def waits(self, what, of="", on="", timed=False):
        self.what, self.on, self.timed = what + (": " + of if of else ""), on, timed

    def row(self):
        at = spot(self.user) if self.user is not None else None
        return {
            "key": self.key, "who": self.who, "thread": self.thread, "at": at or {}, "for": self.what, "on": self.on, "timed": self.timed,
            "system": self.system, "holders": self.holders(), "unknown": self.unknown, "made": self.made or {},
        }

    def holders(self):
        told = [holder(w, does) for w, does in self.after]
        if self.lock is None:
            return told
        owner = re.search(r"owner=(\d+)", object.__repr__(self.lock) if not isinstance(self.lock, LOCKS) else repr(self.lock))
        tasks = getattr(self.lock, "_owner", None) if trio is not None and type(self.lock).__module__.startswith("trio") else None
        for w in everybody:
            if owner and w.key != "t" + owner.group(1) or tasks is not None and w.key != "task%d" % id(tasks):
                continue
            for f in w.frames:
                if not owner and released(f, self.lock):
                    break  # what called it has it no more
                line = next((line for lock, line in taken(f) if inner(lock) is self.lock), 0)
                if line:
                    place = spot(f)
                    place["line"] = line
                    told.append(holder(w, "", place))
                    break
            else:
                if owner or tasks is not None:
                    told.append(holder(w, ""))
        if len(told) > 1 and not owner:
            told = []
            self.unknown = "several stand where they would hold it"
        elif not told:
            self.unknown = self.unknown or ("the thread that took it has ended" if owner and not any(w.key == "t" + owner.group(1) for w in everybody) else nobody)
        return told


def holder(w, does, place=None):
    return {"key": w.key, "who": w.who, "does": does, "taken": place or {}, "stands": spot(w.user) if w.user is not None else {}}


def limit(frame):
    return frame.f_locals.get("timeout") not in (None, -1)


def locked(w, lock, name, frame, timed=False):
    """Waits for one of Python's locks."""
    w.lock = inner(lock)
    waited[id(frame)] = name
    w.waits("a lock", name, say(w.lock), timed)


def in_c(w, frame):
    """What a thread waits for whose innermost call is C code that a line of its own calls."""
    line = linecache.getline(frame.f_code.co_filename, frame.f_lineno)
    entered = re.match(r"\s*(?:async\s+)?with\s+(.+?):\s*(#.*)?$", line)
    names = [re.sub(r"\s+as\s+\w+$", "", part.strip()) for part in entered.group(1).split(",")] if entered else []
    for name in names + re.findall(r"([A-Za-z_][\w.]*)\.acquire\(", line):
        lock = inner(named(frame, name))
        if isinstance(lock, LOCKS) and repr(lock).startswith("<locked"):
            if "owner=%s " % w.key[1:] in repr(lock):
                continue  # its own: it has that already
            locked(w, lock, name, frame, name not in names and name + ".acquire()" not in line)
            return True
    for call, name in re.findall(r"((?:([A-Za-z_][\w.]*)\.)?\w+)\(", line):
        value = named(frame, call)
        if value is time.sleep:
            w.waits("a time to pass (sleep)", timed=True)
            return True
        of = named(frame, name) if name else None
        kind, method = type(of).__module__ + "." + type(of).__name__, call.rsplit(".", 1)[-1]
        if kind == "_queue.SimpleQueue" and method == "get":
            w.waits("an item", name, "queue.SimpleQueue %#x, %d in it" % (id(of), of.qsize()), "timeout" in line)
            return True
        if kind in ("socket.socket", "_socket.socket", "ssl.SSLSocket") and method in ("recv", "accept", "connect", "send", "sendall", "recv_into", "recvfrom"):
            w.waits("a socket (%s)" % method, name, "fd %d" % of.fileno(), of.gettimeout() is not None)
            return True
        if value is getattr(sys.modules.get("os"), "waitpid", 0) or value is getattr(sys.modules.get("os"), "wait", 0):
            w.waits("the end of a child process")
            return True
        if method == "readline" and of is sys.stdin or call == "input":
            w.waits("input (stdin)")
            return True
    return False


def name_in(frame, value):
    """How a line of the user's names an object whose method it calls."""
    if frame is None:
        return ""
    line = linecache.getline(frame.f_code.co_filename, frame.f_lineno or 0)
    return next((n for n in re.findall(r"[A-Za-z_][\w.]*", line) for n in (n, n.rpartition(".")[0]) if n and named(frame, n) is value), "")


def library(w):
    """What the functions of the library between the top and the user's own say, the one next to the user's first."""
    above = []
    for f in w.frames:
        if f is w.user:
            break
        above.append(f)
    for f in reversed(above):
        if known(w, f, f.f_locals.get("self"), f.f_code.co_name, any(limit(g) for g in above)):
            return True
    return False


def known(w, f, self, method, timed):
    kind = "" if self is None else type(self).__module__ + "." + type(self).__name__
    kinds = () if self is None else tuple(c.__module__ + "." + c.__name__ for c in type.mro(type(self)))
    name = name_in(w.user, self)
    on = "" if self is None else "%s %#x" % (kind, id(self))
    if "threading.Thread" in kinds and method in ("join", "_wait_for_tstate_lock", "_join"):
        w.waits("the end of thread %s (join)" % self.name, name, timed=timed)
        w.after = [(o, "has not ended") for o in everybody if o.key == "t%s" % self.ident]
        return True
    if "threading.Event" in kinds and method == "wait":
        w.waits("an event to be set", name, on, timed)
    elif "threading.Semaphore" in kinds and method in ("acquire", "__enter__"):
        w.waits("a semaphore", name, "%s, value %d" % (on, self._value), timed)
    elif "threading.Barrier" in kinds:
        w.waits("a barrier", name, "%s, %d of %d there" % (on, self._count, self._parties), timed)
    elif "queue.Queue" in kinds and method in ("get", "put", "join"):
        on = "%s, %d in it" % (on, len(self.queue)) + (", room for %d" % self.maxsize if self.maxsize > 0 else "")
        what = {"get": "an item", "put": "room for an item", "join": "the %d unfinished tasks" % self.unfinished_tasks}[method]
        w.waits(what, name, on, timed)
    elif "concurrent.futures._base.Future" in kinds and method in ("result", "exception"):
        w.waits("the result of a future", name, "%s, %s" % (on, self._state.lower()), timed)
        for o in everybody:
            if any(getattr(g.f_locals.get("self"), "future", None) is self and g.f_code.co_name == "run" for g in o.frames):
                w.after.append((o, "runs it"))
    elif "threading.Condition" in kinds and method in ("wait", "wait_for"):
        if f is not w.frames[0] or not isinstance(f.f_locals.get("waiter"), LOCKS) or f.f_locals.get("gotit") is not True:
            w.waits("a condition to be notified", name, on, timed)
        else:
            locked(w, self, name, f)
    elif "subprocess.Popen" in kinds:
        w.waits("the end of a child process", name, "pid %s" % self.pid, timed)
    elif kind in ("socket.socket", "ssl.SSLSocket"):
        w.waits("a socket (%s)" % method, name, "fd %d" % self.fileno(), self.gettimeout() is not None)
    elif f.f_code.co_filename.endswith("selectors.py"):
        w.waits("input or output (%s)" % method, timed=timed)
    else:
        return False
    return True


def task_waits(w, task):
    for f in reversed(w.frames[: w.frames.index(w.user)] if w.user is not None else w.frames):
        if asyncio_known(w, f, f.f_locals.get("self"), f.f_code.co_name):
            return
    on = getattr(task, "_fut_waiter", None)
    if on is None:
        return w.waits("its turn (it is ready to run)")
    tell_future(w, on)


def tell_future(w, on):
    name = name_in(w.user, on)
    if isinstance(on, asyncio.Task):
        w.waits("the end of task %s" % on.get_name(), name)
        w.after = [(o, "has not ended") for o in everybody if o.key == "task%d" % id(on)]
    elif getattr(on, "_children", None) is not None and "Gathering" in type(on).__name__:
        left = [c for c in on._children if not c.done()]
        w.waits("%d of %d gathered to end" % (len(left), len(on._children)), "")
        w.after = [(o, "has not ended") for c in left for o in everybody if o.key == "task%d" % id(c)]
    else:
        w.waits("a future to be set", name, "%s.Future %#x" % (type(on).__module__.lstrip("_"), id(on)))


def asyncio_known(w, f, self, method):
    kind = "" if self is None else type(self).__module__ + "." + type(self).__name__
    kinds = () if self is None else tuple(c.__module__ + "." + c.__name__ for c in type.mro(type(self)))
    name, on = name_in(w.user, self), "%s %#x" % (kind.replace(".locks", "").replace(".queues", ""), id(self))
    if "asyncio.locks.Lock" in kinds:
        w.lock = self
        waited[id(w.user)] = name
        w.waits("a lock", name, on)
    elif "asyncio.locks.Condition" in kinds:
        w.waits("a condition to be notified", name, on)
    elif "asyncio.locks.Event" in kinds:
        w.waits("an event to be set", name, on)
    elif "asyncio.locks.Semaphore" in kinds:
        w.waits("a semaphore", name, "%s, value %d" % (on, self._value))
    elif "asyncio.queues.Queue" in kinds and method in ("get", "put", "join"):
        on = "%s, %d in it" % (on, self.qsize()) + (", room for %d" % self.maxsize if self.maxsize > 0 else "")
        w.waits({"get": "an item", "put": "room for an item", "join": "its unfinished tasks"}[method], name, on)
    elif "asyncio.taskgroups.TaskGroup" in kinds:
        left = [t for t in self._tasks if not t.done()]
        w.waits("the %d tasks of its group to end" % len(left))
        w.after = [(o, "has not ended") for t in left for o in everybody if o.key == "task%d" % id(t)]
    elif f.f_code.co_name == "_wait" and "asyncio" in f.f_code.co_filename and f.f_locals.get("fs"):
        left = [t for t in f.f_locals["fs"] if not t.done()]
        w.waits("%d of %d tasks to end" % (len(left), len(f.f_locals["fs"])), timed=limit(f))
        w.after = [(o, "has not ended") for t in left for o in everybody if o.key == "task%d" % id(t)]
    elif f.f_code.co_name == "sleep" and "asyncio" in f.f_code.co_filename:
        w.waits("a time to pass (asyncio.sleep)", timed=True)
    elif f.f_code.co_name in ("wait_for", "timeout") and "asyncio" in f.f_code.co_filename and f.f_locals.get("timeout") is not None:
        inner = f.f_locals.get("fut")
        tell_future(w, inner) if isinstance(inner, asyncio.Future) else w.waits("what it waits for with a time limit")
        w.timed = True
    elif trio is not None and kind.startswith("trio."):
        w.waits("%s.%s" % (kind.rsplit(".", 1)[-1], method), name, on)
        if hasattr(self, "_owner"):
            w.lock = self
    elif trio is not None and f.f_code.co_name in ("sleep", "sleep_until") and "trio" in f.f_code.co_filename:
        w.waits("a time to pass (trio.%s)" % f.f_code.co_name, timed=True)
    else:
        return False
    return True
