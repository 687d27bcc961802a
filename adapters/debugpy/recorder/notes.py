# Writes what was noted, each event at once, so that a crash loses none; package
# recording says into which files, and reads them. Where it can be done they are
# mapped into memory, which outlives the process too and needs no call of the system.
import _thread
import json
import os
import sys

from . import show
from .private import within
from .whole import Hasher

try:
    import mmap
except ImportError:
    mmap = None

HEAD, TAIL = 4 << 20, 8 << 20
FEW = 1 << 20  # of both, where the first and the last writes are enough
WRITE = '"k":"write"'
ROOM = 400  # calls that it takes to look at a value
quote = json.encoder.encode_basestring_ascii
OURS = os.path.dirname(os.path.abspath(__file__)) + os.sep
ident = _thread.get_ident


class Notes:
    """The files of one recording. All methods may be called from any thread."""

    def __init__(self, records, text):
        self.records, self.text = records, text
        self.lock = _thread.RLock()  # a value's repr may be traced itself
        self.seq, self.tail = 0, 0
        self.busy = set()  # threads that are noting something
        self.off = self.forked = False
        self.forks = None  # what goes on in forked processes, where they are noted
        self.only_last = False  # what is noted is looked at, and not compared
        self.ticks = None  # numbers those events that are only counted, while they are
        self.few = False  # writes, of which the first and the last ones are enough, are all that there are many of
        self.aside = None  # where other events are put, once the last files are written to
        self.most, self.full = 0, None  # events after which one more is not noted, and that is called
        self.names = {}  # id of a code object: its place without the line, its function, itself
        self.hasher = Hasher()
        self.open("head", HEAD)
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self.enter, after_in_parent=self.fork)

    def open(self, name, size):
        self.at, self.size, self.map = 0, size, None
        self.file = os.open(os.path.join(self.records, name), os.O_RDWR | os.O_CREAT | os.O_TRUNC | getattr(os, "O_CLOEXEC", 0), 0o600)
        if mmap is not None and hasattr(os, "posix_fallocate"):
            try:
                os.posix_fallocate(self.file, 0, size)  # else a full disk would be a signal
                self.map = mmap.mmap(self.file, size)
            except (OSError, ValueError):
                os.ftruncate(self.file, 0)

    def turn(self):
        if self.few and self.tail == 0 and self.map is not None:
            self.aside = Aside(self.map, self.at)
        elif self.map is not None:
            self.map.close()
        os.close(self.file)
        self.open("tail%d" % (self.tail % 2), FEW if self.few else TAIL)
        self.tail += 1

    def put(self, body):
        """Writes an event: the members of a JSON object, without its number."""
        if self.off:
            return
        with self.lock:
            if self.full is not None and self.seq >= self.most:
                return self.full()
            if self.ticks is not None:
                self.seq = max(self.seq, next(self.ticks))
            line = b'{"n":%d,%b}\n' % (self.seq + 1, body.encode("ascii"))
            if self.aside is None or body.startswith(WRITE) or not self.aside.put(line):
                return self.add(line)
            self.seq += 1

    def add(self, line):
        """Writes an event as it is, under the lock."""
        end = self.at + len(line)
        if end > self.size or self.few and end > FEW:
            self.turn()
            end = len(line)
        if self.map is not None:
            self.map[self.at:end] = line
        else:
            os.write(self.file, line)
        self.at = end
        self.seq += 1

    def write(self, event):
        self.put(json.dumps(event, separators=(",", ":"))[1:-1])

    def remark(self, text, kind="remark"):
        self.write({"k": kind, "at": "", "m": text})

    def end(self):
        self.off = True

    def enter(self):
        """This is a forked process."""
        if self.forks is None or not self.forks.enter():
            self.end()

    def begin(self, name):
        """Goes on in files of its own, which are in a folder that is there."""
        self.lock = _thread.RLock()  # another thread, which is not here, may have held it
        before, self.map = self.map, None  # the program's is left as it is
        if before is not None:
            before.close()
        os.close(self.file)
        self.records, self.seq, self.tail, self.aside = os.path.join(self.records, name), 0, 0, None
        self.open("head", HEAD)

    def fork(self):
        if self.forks is not None:
            self.forks.forked()
        elif not self.forked:
            self.forked = True
            self.remark("the program has made child processes by fork: what they do is not recorded", "apart")

    # Values.

    def shown(self, value):
        """A value as text, as long as is asked for, and its hash where that leaves something out."""
        try:
            return self.looked(value)
        except RecursionError:
            if sys.version_info < (3, 10):
                raise  # they end a program that goes on after it
            return self.with_room(value)
        except BaseException as e:  # the program's own code
            return {"e": "%s in repr: %s" % (type(e).__name__, e)}

    def looked(self, value):
        text, cut = show.text(value, self.text)
        return self.identified(text, value) if cut else {"v": text}

    def with_room(self, value):
        """The same where the program's own recursion leaves no room for it."""
        try:
            return roomily(self.looked, value)
        except BaseException as e:
            return {"e": "%s in repr" % type(e).__name__}

    def identified(self, text, value):
        """What is told of a value whose text leaves something out."""
        if self.only_last:
            return {"v": text, "u": True}
        with self.lock:
            whole = self.hasher.of(value)
        return {"v": text, "u": True, "w": whole} if whole else {"v": text, "u": True}

    def failed(self, error):
        """An exception as text."""
        text = failure(error)
        return {"v": text} if len(text) <= self.text else self.identified(text[: self.text] + "…", error)

    def evaluated(self, code, frame):
        try:
            return self.shown(evaluate(code, frame))
        except BaseException as e:
            return {"e": failure(e)}

    # Where something happened.

    def where(self, frame, line=None):
        """The members k of an event that tell where it happened."""
        code = frame.f_code
        place = self.names.get(id(code))
        if place is None:
            place = self.names[id(code)] = (quote(code.co_filename)[:-1], quote(function(frame)), code)
        who = thread()
        if who:
            return '"at":%s:%d","f":%s,"t":%s' % (place[0], line or frame.f_lineno, place[1], quote(who))
        return '"at":%s:%d","f":%s' % (place[0], line or frame.f_lineno, place[1])


def roomily(what, *arguments):
    """Does something for which the program's own recursion may leave no room."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(limit)  # fails where it could not be set back
    sys.setrecursionlimit(limit + ROOM)
    try:
        return what(*arguments)
    finally:
        sys.setrecursionlimit(limit)


def evaluate(code, frame):
    """The value of an expression in a frame. What is nested in it, as the body of a
    generator is, would not see the variables of the function by itself."""
    code = within(code, frame)
    scope, variables = frame.f_globals, frame.f_locals
    if variables is not scope and any(hasattr(constant, "co_code") for constant in code.co_consts):
        return eval(code, {**scope, **variables})
    return eval(code, scope, variables)


def encoded(values):
    """Values as JSON."""
    return "[%s]" % ",".join(['{"v":%s}' % quote(v["v"]) if len(v) == 1 and "v" in v else json.dumps(v) for v in values])


def failure(e):
    try:
        return "%s: %s" % (type(e).__name__, e)
    except BaseException as other:  # the program's own code
        return "%s: (%s in its text)" % (type(e).__name__, type(other).__name__)


class Aside:
    """What is left of the first file, for what there are few of."""

    def __init__(self, map, at):
        self.map, self.at = map, at

    def put(self, line):
        end = self.at + len(line)
        if end > HEAD:
            return False
        self.map[self.at:end] = line
        self.at = end
        return True


class Apart:
    """Keeps what we evaluate from being noted itself."""

    def __init__(self, notes):
        self.busy = notes.busy

    def __enter__(self):
        self.me = ident()
        self.first = self.me not in self.busy
        self.busy.add(self.me)
        return self.first

    def __exit__(self, *_):
        if self.first:
            self.busy.discard(self.me)


MAIN = ident()


def thread():
    """The thread or task that runs now, empty for the main one."""
    modules = sys.modules
    events = modules.get("asyncio.events")
    if events is not None and getattr(events, "_get_running_loop", never)() is not None:
        try:
            task = modules["asyncio"].current_task()
            if task is not None:
                return task.get_name()
        except (RuntimeError, KeyError, AttributeError):
            pass
    me = ident()
    if me == MAIN:
        return ""
    threading = modules.get("threading")
    if threading is None:
        return ""
    now = threading._active.get(me)
    if now is None or now is threading.main_thread():
        return ""
    return now.name


def never():
    return None


def at(frame):
    return "%s:%d" % (frame.f_code.co_filename, frame.f_lineno)


def function(frame):
    code = frame.f_code
    name = getattr(code, "co_qualname", code.co_name)
    module = frame.f_globals.get("__name__", "")
    return name if module in ("", "__main__") else "%s.%s" % (module, name)


def callers(frame, most=3):
    """Who called, the nearest first."""
    stack = []
    while frame.f_back is not None and len(stack) < most:
        frame = frame.f_back
        if frame.f_code.co_filename.startswith(OURS):
            break
        stack.append("%s %s" % (function(frame), at(frame)))
    return stack
