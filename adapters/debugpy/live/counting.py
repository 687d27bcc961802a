# One trace: what is counted and noted of its hits, and the socket by which it is told.
import _socket
import _thread
import ast
import atexit
import collections
import json
import os
import sys
import time

from . import show

LOOKING = ("len", "abs", "type", "id", "isinstance", "bool", "int", "str", "repr", "round", "sum", "min", "max", "sorted")
CALLING = (ast.Await, ast.NamedExpr, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.Lambda, ast.JoinedStr, ast.Yield, ast.YieldFrom)
WAITING = 20000  # rows
OFTEN = 0.02  # seconds between two looks at them
LENGTH = 200  # characters of a value
PASS, ENTER, LEAVE, WRITTEN = range(4)
MISSING = object()  # in place of a value where there is none


class Refused(Exception):
    """What is asked cannot be recorded."""


def looking(text, what):
    """The code of an expression that only looks."""
    try:
        tree = ast.parse(text.strip(), mode="eval")
    except SyntaxError as e:
        raise Refused("%s %r is no expression: %s" % (what, text, e.msg))
    for node in ast.walk(tree):
        if isinstance(node, CALLING) or isinstance(node, ast.Call) and not (isinstance(node.func, ast.Name) and node.func.id in LOOKING):
            raise Refused("%s %r does more than look: what is recorded in a running program may name variables, attributes and items, compute with them and call %s" % (what, text, ", ".join(LOOKING[:6])))
    return compile(tree, "<trace>", "eval", dont_inherit=True)


class Trace:
    def __init__(self, asked):
        self.asked, self.pid = asked, os.getpid()
        self.most = asked["most"] or 20000
        self.expressions = [(text, looking(text, "expression")) for text in asked["expressions"] or ()]
        self.condition = looking(asked["condition"], "condition") if asked["condition"] else None
        self.lock, self.busy = _thread.RLock(), set()
        self.rows, self.open = collections.deque(), {}
        self.hits = self.matched = self.unread = self.dropped = self.read = self.calls = self.unseen = 0
        self.sock = None
        self.began, self.out, self.off = time.perf_counter_ns(), "", False
        self.second, self.before = self.began, 0
        self.end, self.guard = None, None  # what takes it out of the program, and is held meanwhile
        self.last = MISSING  # that a variable was given

    # What is called at each hit. No error of ours leaves it: one of a signal's handler, which may
    # run within, does.

    def hit(self, kind, frame, *more):
        me = _thread.get_ident()
        if self.off or me in self.busy:
            return
        if os.getpid() != self.pid:  # it was forked, and is none of the program
            self.off = True
            return self.leave_child()
        self.busy.add(me)
        try:
            (self.passed, self.entered, self.left, self.written)[kind](frame, *more)
        except Exception:
            with self.lock:
                self.unread += 1
        finally:
            self.busy.discard(me)

    def leave_child(self):
        """Takes it out of a process that was forked. The program's end of the socket stays."""
        try:
            self.sock.close()
            self.end()
        except Exception:
            pass  # it does nothing there any more

    def passed(self, frame):
        if self.holds(frame):
            self.note(PASS, frame, 0, [self.value(text, code, frame) for text, code in self.expressions])

    def entered(self, frame):
        if not self.holds(frame):
            self.open.pop(id(frame), None)  # of an earlier one in its place, whose end was not seen
            return
        with self.lock:
            self.calls += 1
            call = self.calls
            if len(self.open) > 100000:  # of frames that were never left
                self.open.clear()
        self.open[id(frame)] = call
        code, held = frame.f_code, frame.f_locals
        count = code.co_argcount + code.co_kwonlyargcount + bool(code.co_flags & 4) + bool(code.co_flags & 8)
        self.note(ENTER, frame, call, [shown(name, held[name]) for name in code.co_varnames[:count] if name in held])

    def left(self, frame, value, error, ends):
        call = self.open.pop(id(frame), 0) if ends else self.open.get(id(frame), 0)
        with self.lock:
            self.hits += 1
        if call or self.condition is None:
            self.note(LEAVE, frame, call, [shown("", value) if error is None else ["", "", "raised " + kindly(error), False]])

    def written(self, frame, was, now, line):
        with self.lock:
            self.hits += 1
            self.matched += 1
            if self.last is not MISSING and self.last is not was:
                self.unseen += 1
            self.last = now
        self.note(WRITTEN, frame, 0, [shown("before", was), shown("after", now)], line)

    def holds(self, frame):
        with self.lock:
            self.hits += 1
        if self.condition is not None:
            try:
                if not evaluate(self.condition, frame):
                    return False
            except Exception:
                with self.lock:
                    self.unread += 1
                return False
        with self.lock:
            self.matched += 1
        return True

    def value(self, text, code, frame):
        try:
            return shown(text, evaluate(code, frame))
        except Exception as e:
            return [text, "", kindly(e), False]

    def note(self, kind, frame, call, values, line=None):
        code = frame.f_code
        at = time.perf_counter_ns() - self.began
        name = getattr(code, "co_qualname", None) or code.co_name
        with self.lock:
            self.read += 1
            if len(self.rows) >= WAITING:
                self.rows.popleft()
                self.dropped += 1
            self.rows.append((self.read, at, kind, native(), who(), name, code.co_filename, line or frame.f_lineno or 0, call, values))

    # The thread that tells of it.

    def connect(self):
        self.sock = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
        self.sock.settimeout(5)
        self.sock.connect(self.asked["address"])
        if not ours(self.sock):
            raise OSError("a process of another user listens there")
        self.say({"token": self.asked["token"], "pid": self.pid})

    def say(self, message):
        text = memoryview((json.dumps(message) + "\n").encode())
        while text:
            text = text[self.sock.send(text):]

    def tell(self):
        """Tells what is new."""
        while True:
            rows = []
            while self.rows and len(rows) < 500:
                rows.append(self.rows.popleft())
            notes = []
            if self.unseen:
                notes.append("%d times the value was another than the last write had left: something writes that is not seen (setattr, __dict__, C code, code that was loaded since)" % self.unseen)
            told = {"hits": self.hits, "matched": self.matched, "unread": self.unread, "dropped": self.dropped, "read": self.read, "out": self.out, "notes": notes}
            if rows or told != self.told:
                self.told = dict(told)
                told["rows"] = rows
                self.say(told)
            if len(rows) < 500:
                return

    told = None

    def follow(self):
        """Until the other side has had enough, or is gone."""
        atexit.register(self.over)
        self.sock.settimeout(OFTEN)
        try:
            while True:
                try:
                    self.sock.recv(1)  # a word of it, or its end
                    return
                except (TimeoutError, _socket.timeout):
                    pass
                self.look()
                self.sock.settimeout(10)  # or nobody reads
                self.tell()
                self.sock.settimeout(OFTEN)
        except OSError:
            pass
        finally:
            atexit.unregister(self.over)

    def over(self):
        """The program ends: what is noted is told yet."""
        self.off = True
        if os.getpid() != self.pid:  # a process that was forked: its parent tells
            return
        try:
            self.tell()
        except OSError:
            pass

    def look(self):
        """Takes it out where it costs too much."""
        now = time.perf_counter_ns()
        if not self.off and self.hits - self.before > self.most:
            rate = (self.hits - self.before) / max(now - self.second, 1e6) * 1e9
            self.off = True
            with self.guard:
                self.end()
            self.out = "there were more than %d hits within a second (%d a second): it was taken out of the program, so that this is not slowed down" % (self.most, rate)
        if now - self.second > 1e9:
            self.second, self.before = now, self.hits

    def finish(self):
        self.off = True
        try:
            self.sock.settimeout(2)
            self.tell()
            self.say({"end": True})
        except OSError:
            pass
        self.sock.close()


def ours(sock):
    """Whether the other end is of this user or of root: the name of one that waits no longer another user can take."""
    if not hasattr(_socket, "SO_PEERCRED"):
        return True  # a file in a private directory
    user = int.from_bytes(sock.getsockopt(_socket.SOL_SOCKET, _socket.SO_PEERCRED, 12)[4:8], sys.byteorder)
    return user in (0, os.getuid(), os.geteuid())


def shown(name, value):
    if value is MISSING:
        return [name, "", "not set", False]
    text, cut = show.text(value, LENGTH)
    return [name, text[:-1] if cut and text.endswith("…") else text, "", cut]


def kindly(e):
    try:
        return ("%s: %s" % (type(e).__name__, e))[:LENGTH]
    except Exception:
        return type(e).__name__


def evaluate(code, frame):
    scope, variables = frame.f_globals, frame.f_locals
    return eval(code, scope, variables)


native = getattr(_thread, "get_native_id", _thread.get_ident)


def who():
    """The task, or the thread, that runs now."""
    modules = sys.modules
    events = modules.get("_asyncio")
    if events is not None:
        loop = events._get_running_loop()
        if loop is not None:
            try:
                task = modules["asyncio"].current_task(loop)
                if task is not None:
                    return task.get_name()
            except (RuntimeError, KeyError, AttributeError):
                pass
    threading = modules.get("threading")
    thread = threading._active.get(_thread.get_ident()) if threading is not None else None
    return thread.name if thread is not None else ""
