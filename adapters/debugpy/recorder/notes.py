# Writes what was noted, each event by itself and at once, so that a crash loses
# none; package recording says into which files, and reads them.
import _thread
import json
import os
import sys

HEAD, TAIL = 4 << 20, 8 << 20


class Notes:
    """The files of one recording. All methods may be called from any thread."""

    def __init__(self, records, text):
        self.records, self.text = records, text
        self.lock = _thread.RLock()  # a value's repr may be traced itself
        self.seq, self.tail, self.room = 0, 0, HEAD
        self.file = self.open("head")
        self.busy = set()  # threads that are noting something

    def open(self, name):
        return os.open(os.path.join(self.records, name), os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)

    def write(self, event):
        with self.lock:
            self.seq += 1
            event["n"] = self.seq
            line = json.dumps(event, separators=(",", ":")).encode() + b"\n"
            if len(line) > self.room:
                os.close(self.file)
                self.file, self.room = self.open("tail%d" % (self.tail % 2)), TAIL
                self.tail += 1
            self.room -= len(line)
            os.write(self.file, line)

    def remark(self, text):
        self.write({"k": "remark", "m": text})

    def shown(self, value):
        """A value as text, as long as is asked for."""
        kind = type(value)
        try:
            if kind in (str, bytes, bytearray) and len(value) > self.text:
                return {"v": self.cut(repr(value[: self.text]))}
            if kind in (list, tuple, dict, set, frozenset) and len(value) > self.text:
                return {"v": self.cut(repr(kind(list(value.items())[: self.text] if kind is dict else list(value)[: self.text])))}
            return {"v": self.cut(repr(value))}
        except BaseException as e:  # the program's own code
            return {"e": "%s in repr: %s" % (type(e).__name__, e)}

    def cut(self, text):
        return text if len(text) <= self.text else text[: self.text] + "…"

    def evaluated(self, code, frame):
        try:
            return self.shown(eval(code, frame.f_globals, frame.f_locals))
        except BaseException as e:
            return {"e": "%s: %s" % (type(e).__name__, e)}


class Apart:
    """Keeps what we evaluate from being noted itself."""

    def __init__(self, notes):
        self.busy = notes.busy

    def __enter__(self):
        self.me = _thread.get_ident()
        self.first = self.me not in self.busy
        self.busy.add(self.me)
        return self.first

    def __exit__(self, *_):
        if self.first:
            self.busy.discard(self.me)


def thread():
    """The thread or task that runs now, empty for the main one."""
    asyncio = sys.modules.get("asyncio")
    if asyncio is not None and getattr(asyncio, "_get_running_loop", lambda: None)() is not None:
        try:
            task = asyncio.current_task()
            if task is not None:
                return task.get_name()
        except RuntimeError:
            pass
    threading = sys.modules.get("threading")
    if threading is None:
        return ""
    now = threading._active.get(_thread.get_ident())
    if now is None or now is threading.main_thread():
        return ""
    return now.name


def at(frame):
    return "%s:%d" % (frame.f_code.co_filename, frame.f_lineno)


def function(frame):
    code = frame.f_code
    name = getattr(code, "co_qualname", code.co_name)
    module = frame.f_globals.get("__name__", "")
    return name if module in ("", "__main__") else "%s.%s" % (module, name)
