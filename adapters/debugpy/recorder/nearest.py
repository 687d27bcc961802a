# What was perhaps meant by a name that there is not.
import ast
import os
import re

from .statements import FUNCTIONS

MOST = 2000  # files that are read


def like(name, names):
    """The nearest of some names, in words; empty where none is near."""
    import difflib

    near = difflib.get_close_matches(name, [x for x in names if isinstance(x, str)], 3, 0.6)
    return " or ".join(near)


def of_failure(error, frame):
    """What is like the name that an expression does not find."""
    name = getattr(error, "name", None)
    if name is None:  # before Python 3.10
        parts = str(error).split("'")
        name = parts[-2] if len(parts) > 2 else None
    if not name:
        return ""
    if isinstance(error, NameError):
        return like(name, list(frame.f_locals) + list(frame.f_globals))
    holder = getattr(error, "obj", None)
    return like(name, dir(type(holder)) + list(getattr(holder, "__dict__", ()))) if holder is not None else ""


def functions(roots):
    """The functions that files define: (file, qualified name)."""
    found = []
    for path, text in sources(roots):
        defined(text, path, found)
    return found


def classes(roots):
    """The classes that files define, and what each derives from, as it is written."""
    return {name: (bases or "").strip() for _, text in sources(roots) for name, bases in CLASS.findall(text)}


def sources(roots):
    files = 0
    for root in roots:
        for base, dirs, names in os.walk(root):
            dirs[:] = [d for d in dirs if not d.startswith(".") and d not in ("node_modules", "site-packages", "__pycache__")]
            for name in names:
                if not name.endswith(".py"):
                    continue
                files += 1
                if files > MOST:
                    return
                try:
                    with open(os.path.join(base, name), encoding="utf-8", errors="replace") as f:
                        yield os.path.join(base, name), f.read()
                except OSError:
                    pass


DEFINITION = re.compile(r"^([ \t]*)(?:async[ \t]+)?(def|class)[ \t]+(\w+)", re.MULTILINE)
CLASS = re.compile(r"^[ \t]*class[ \t]+(\w+)[ \t]*(?:\(([^()]{0,80})\))?[ \t]*:", re.MULTILINE)


def defined(text, path, found):
    """Reads definitions by their indentation, which is faster than a parser."""
    outer = []  # (indentation, name)
    for indentation, kind, name in DEFINITION.findall(text):
        while outer and len(outer[-1][0]) >= len(indentation):
            outer.pop()
        outer.append((indentation, name))
        if kind == "def":
            found.append((path, ".".join(n for _, n in outer)))


def lines(node, prefix, found):
    """The qualified names of functions by their name and the first line of their code."""
    for child in ast.iter_child_nodes(node):
        inner = prefix
        if isinstance(child, FUNCTIONS + (ast.ClassDef,)):
            first = min([child.lineno] + [d.lineno for d in child.decorator_list])
            found[(child.name, first)] = prefix + child.name
            inner = prefix + child.name + "."
        lines(child, inner, found)
