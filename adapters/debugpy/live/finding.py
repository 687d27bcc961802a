# Finds in a running program the code that a trace means: by the functions that there are, and
# by the frames that run.
import dis
import fnmatch
import gc
import os
import sys
import types

from .attributes import attributes
from .counting import MISSING, Refused

MOST = 200  # functions that one trace records
DEBUGGER = ("pydevd.py",) + tuple(os.path.dirname(sys.modules[name].__file__) + os.sep for name in ("debugpy", "pydevd") if getattr(sys.modules.get(name), "__file__", None))
FUNCTION = 1 | 2  # flags of a function's code: it has fast locals, and those are new


class Found:
    """All code of the program: by the identity of a code object [itself, its name, its module's
    globals or None, the code around it or None]."""

    def __init__(self):
        self.all = {}
        for thing in gc.get_objects():
            kind = type(thing)
            if kind is types.FunctionType:
                self.add(thing.__code__, thing.__globals__, thing.__qualname__, None)
            elif kind is types.GeneratorType:
                self.add(thing.gi_code, None, "", None)
            elif kind is types.CoroutineType:
                self.add(thing.cr_code, None, "", None)
        for frame in list(sys._current_frames().values()):
            while frame is not None:
                self.add(frame.f_code, frame.f_globals, "", None)
                frame = frame.f_back

    def add(self, code, scope, name, around):
        known = self.all.get(id(code))
        if known is None:
            if code.co_filename.startswith(DEBUGGER):
                return
            known = self.all[id(code)] = [code, "", scope, around]
            known[1] = getattr(code, "co_qualname", "") or name
            for inner in code.co_consts:
                if type(inner) is types.CodeType:
                    self.add(inner, scope, "%s.<locals>.%s" % (name, inner.co_name) if name else inner.co_name, code)
        known[1] = known[1] or name or code.co_name
        if known[2] is None:
            known[2] = scope
        if known[3] is None:
            known[3] = around

    def functions(self, patterns):
        """The code of the functions that are meant."""
        found = []
        for pattern in patterns:
            plain = pattern[:-2] if pattern.endswith("()") else pattern
            meant = [item for item in self.all.values() if item[0].co_flags & FUNCTION == FUNCTION and means(plain, item)]
            own = [item for item in meant if not library(item[0].co_filename)]
            if not meant:
                raise Refused("the program has no function %s%s" % (pattern, self.like(plain)))
            found += own or meant
        found = list({id(item[0]): item for item in found}.values())
        if len(found) > MOST:
            raise Refused("%d functions are meant, %d are recorded at most: name fewer" % (len(found), MOST))
        return [item[0] for item in found]

    def like(self, name):
        import difflib

        last = name.rsplit(".", 1)[-1]
        names = {item[1] for item in self.all.values() if not library(item[0].co_filename) and "<" not in item[1]}
        near = difflib.get_close_matches(last, {n.rsplit(".", 1)[-1] for n in names}, 3, 0.7)
        close = sorted(n for n in names if n.rsplit(".", 1)[-1] in near)[:3]
        if close:
            return "; there are " + ", ".join(close)
        return " in Python code (one that is written in C, or that is not loaded yet, is not recorded)"

    def line(self, file, line):
        """The code of a line."""
        files = {item[0].co_filename for item in self.all.values()}
        named = [f for f in files if f == file or real(f) == real(file)]
        named = named or [f for f in files if not os.path.isabs(file) and real(f).endswith(os.sep + os.path.normpath(file))]
        if len({real(f) for f in named}) > 1:
            raise Refused("%s is one of several files that the program has loaded: %s" % (file, ", ".join(sorted(named)[:5])))
        if not named:
            raise Refused("the program has not loaded %s: nothing of it can be recorded before it has" % file)
        codes = [item[0] for item in self.all.values() if item[0].co_filename in named]
        at = [c for c in codes if line in lines(c)]
        within = [c for c in at if c.co_flags & FUNCTION == FUNCTION]
        if not at:
            near = sorted({n for c in codes for n in lines(c)}, key=lambda n: (abs(n - line), n))[:3]
            raise Refused("%s:%d has no code; the nearest lines that have are %s" % (file, line, ", ".join(map(str, near))))
        return within, at


def lines(code):
    return {line for _, line in dis.findlinestarts(code) if line}


def real(path):
    return os.path.realpath(path)


def library(path):
    path = path.replace("\\", "/")
    return "-packages/" in path or path.startswith("<") or path.startswith(STANDARD)


STANDARD = os.path.dirname(os.__file__).replace("\\", "/") + "/"


def means(pattern, item):
    code, name, scope, _ = item
    if pattern.endswith(".py"):
        return code.co_filename == pattern or code.co_filename.endswith("/" + pattern)
    name = name.replace("<locals>.", "")
    module = (scope or {}).get("__name__", "")
    full = "%s.%s" % (module, name)
    if any(sign in pattern for sign in "*?["):
        return fnmatch.fnmatchcase(name, pattern) or fnmatch.fnmatchcase(full, pattern)
    return name == pattern or full.endswith("." + pattern) or full == pattern


class Variable:
    """What is written to: a global, or an attribute of an object."""

    def __init__(self, text):
        parts = text.strip().split(".")
        if not all(part.isidentifier() for part in parts):
            raise Refused("writes to %r are not recorded: name a global (count, module.count) or an attribute of an object that a global names (state.count); the items of a list or dict are written by too many statements: record values at the lines that write them" % text)
        self.name = parts[-1]
        if len(parts) == 1:
            owner = self.module(parts[0])
        else:
            owner = self.start(parts[0])
            for part in parts[1:-1]:
                owner = self.member(owner, part)
        self.owner, self.scope = owner, vars(owner) if type(owner) is types.ModuleType else None
        if self.get() is MISSING:
            raise Refused("there is no %s, as far as looking tells" % text)

    def module(self, name):
        main = sys.modules.get("__main__")
        own = [m for m in list(sys.modules.values()) if type(m) is types.ModuleType and name in vars(m) and not library(getattr(m, "__file__", None) or "<")]
        if main in own:
            return main
        own = [m for m in own if defines(m, name)] or own
        if len(own) != 1:
            raise Refused("%s is a global of %s" % (name, "several modules: name one of %s" % ", ".join(sorted("%s.%s" % (m.__name__, name) for m in own)[:5]) if own else "no module of the program; a local is written where it lives: record values at its lines"))
        return own[0]

    def start(self, name):
        try:
            return vars(self.module(name))[name]
        except Refused as e:
            if name in sys.modules:
                return sys.modules[name]
            raise e

    def member(self, owner, name):
        value = sys.modules.get("%s.%s" % (owner.__name__, name)) if type(owner) is types.ModuleType else None
        value = value or held(owner, name)
        if value is MISSING:
            raise Refused("there is no %s in it, as far as looking tells" % name)
        return value

    def get(self):
        return self.scope.get(self.name, MISSING) if self.scope is not None else held(self.owner, self.name)

    def writes(self, code, scope):
        """The instructions of code that may write it, by offset."""
        if self.name not in code.co_names:
            return []
        names = ("STORE_ATTR", "DELETE_ATTR")
        if self.scope is not None and (scope is self.scope or scope is None):
            names += ("STORE_GLOBAL", "DELETE_GLOBAL") + (() if code.co_flags & 2 else ("STORE_NAME", "DELETE_NAME"))
        return [i.offset for i in dis.get_instructions(code) if i.opname in names and i.argval == self.name]


def held(owner, name):
    """An attribute, read without running code of the class."""
    if isinstance(owner, type) or type(owner) is types.ModuleType:
        return vars(owner).get(name, MISSING)
    return attributes(owner).get(name, MISSING)


def defines(module, name):
    """Whether a module's own functions write a global, or its code does."""
    return any(type(f) is types.FunctionType and f.__globals__ is vars(module) and name in f.__code__.co_names and any(i.opname == "STORE_GLOBAL" and i.argval == name for i in dis.get_instructions(f.__code__)) for f in list(vars(module).values()))
