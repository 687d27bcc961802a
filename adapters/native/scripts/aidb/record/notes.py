"""Writes what a recorder notes, each event by itself and at once, so that a crash loses
none; package recording says into which files, and reads them. Knows no debugger."""

import hashlib
import json
import os
import re
import threading

from aidb.record.common import told

OWNER = re.compile(r"^std::unique_ptr<|^alloc::(?:rc::(?:Rc|Weak)|sync::(?:Arc|Weak)|boxed::Box)<")  # which are a pointer, to a debugger that does not know the type
FAILURES = 5  # that are told: one that comes at each event would fill the file
HEAD, TAIL = 4 << 20, 8 << 20


class Said(str):
    """The words of a value; whether they leave something out, and what gives a hash of all of it, which
    is empty where nothing does. Of what refers to something, where that lies."""

    cut, refers = False, ""

    def whole(self) -> str:
        return ""


class Notes:
    def __init__(self, records, text: str) -> None:
        self.records, self.text = records, text
        self.lock = threading.RLock()
        self.seq, self.tail, self.room = 0, 0, HEAD
        self.failures = 0
        self.file = self.open("head")

    def open(self, name: str):
        return os.open(os.path.join(self.records, name), os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)

    def write(self, event) -> None:
        with self.lock:
            self.seq += 1
            event["n"] = self.seq
            line = json.dumps(event, separators=(",", ":"), ensure_ascii=False).encode("utf-8", "replace") + b"\n"
            if len(line) > self.room:
                os.close(self.file)
                self.file, self.room = self.open("tail%d" % (self.tail % 2)), TAIL
                self.tail += 1
            self.room -= len(line)
            os.write(self.file, line)

    def skip(self) -> None:
        """What comes now is not noted, and nobody knows how much that is."""
        with self.lock:
            self.seq += 1

    def remark(self, text: str) -> None:
        self.write({"k": "remark", "m": text})

    def forked(self, times: int) -> None:
        """Nothing can be said never to have happened where a part of the program is not noted."""
        if times:
            self.write({"k": "apart", "m": "the program has started child processes, which are not followed: what they did is not noted"})

    def failed(self, wrong) -> None:
        """A fault of ours, which must not stop the program."""
        self.failures += 1
        if self.failures <= FAILURES:
            self.write({"k": "apart", "m": "the recorder failed at an event, which it does not tell: %s" % told(wrong)})

    def value(self, text):
        """A text as a value of an event, with what is known of all of it where it leaves something out."""
        said = {"v": self.cut(text)}
        if getattr(text, "refers", ""):
            said["i"] = text.refers
        if len(text) > self.text or getattr(text, "cut", False):
            said["u"] = True
            whole = text.whole() if isinstance(text, Said) else hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
            if whole:
                said["w"] = whole
        return said

    def cut(self, text):
        return text if len(text) <= self.text else text[: self.text] + "…"


class Refused(Exception):
    """The wish cannot be granted, and which field of it; a part of what that names may be."""

    def __init__(self, text: str, field, part=False) -> None:
        super().__init__(text)
        self.field, self.part = field, part
