# Names that begin with two underscores: Python changes each to one that has the name of the
# class in which it is written.
from .source import Source

sources = {}  # of files, by their paths
classes = {}  # id of a code object: the class in which it is written, and the code object
changed = {}  # (id of an expression's code, class): that code as if it were written there, and the first
PARTS = ("co_names", "co_varnames", "co_cellvars", "co_freevars")


def mangled(name):
    return name.startswith("__") and not name.endswith("__")


def mangle(name, cls):
    return "_" + cls.lstrip("_") + name if mangled(name) and cls.strip("_") else name


def class_of(code):
    """The name of the class in which a code object is written, empty where it is in none."""
    found = classes.get(id(code))
    if found is None:
        path = code.co_filename
        source = sources.get(path)
        if source is None:
            source = sources[path] = Source(path)
        found = classes[id(code)] = source.cls(code) or "", code
    return found[0]


def has(code):
    """Says that an expression has such names."""
    return any(mangled(x) for part in PARTS for x in getattr(code, part)) or any(has(c) for c in code.co_consts if hasattr(c, "co_code"))


def within(code, frame):
    """The code of an expression as if it were written in a frame."""
    found = changed.get((id(code), None))
    if found is None:
        found = changed[id(code), None] = has(code), code
    if not found[0]:
        return code
    cls = class_of(frame.f_code)
    found = changed.get((id(code), cls))
    if found is None:
        found = changed[id(code), cls] = renamed(code, cls), code
    return found[0]


def renamed(code, cls):
    if not hasattr(code, "replace"):
        return code  # before Python 3.8
    names = {part: tuple(mangle(x, cls) for x in getattr(code, part)) for part in PARTS}
    return code.replace(co_consts=tuple(renamed(c, cls) if hasattr(c, "co_code") else c for c in code.co_consts), **names)
