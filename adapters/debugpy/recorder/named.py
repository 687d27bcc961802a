# What the names that writes are asked of mean, and how places spell them.
import dis
import os
import re
import types

from .statements import ast, index

HOLDER = re.compile(r"(o\d+)[.\[]")
MANGLED = re.compile(r"\._\w*?[^_](__\w+)$")  # how the places of private members end


def function_of(file, line, name):
    """Where the function stands whose variable a name is at a line: (file, first, last
    line), without lines where it is of no function. None where that cannot be told."""
    try:
        with open(file, "rb") as f:
            code = compile(f.read(), file, "exec", dont_inherit=True)
    except (OSError, SyntaxError, ValueError, RecursionError):
        return None
    found = os.path.realpath(file), None, None
    while code is not None:
        if code.co_flags & 2 and name in code.co_varnames + code.co_cellvars:
            found = found[0], code.co_firstlineno, last_line(code)
        inner = [c for c in code.co_consts if isinstance(c, types.CodeType)]
        code = next((c for c in inner if c.co_firstlineno <= line <= last_line(c)), None)
    return found


def last_line(code):
    own = [line for _, line in dis.findlinestarts(code) if line]
    return max(own + [last_line(c) for c in code.co_consts if isinstance(c, types.CodeType)], default=code.co_firstlineno)


def hold(shown, place):
    """Adds the object that a place lies in."""
    holder = HOLDER.match(place)
    if holder:
        shown["h"] = holder.group(1)


def spelt(name):
    """A private member as its class writes it, of how it or its place is called from outside."""
    found = MANGLED.search(name)
    return "." + found.group(1) if found else name


def member(node):
    """The name that an expression ends in, as places spell it: x, .x, [1], or ] for an
    element whose key is not known."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        return "." + node.attr
    key = index(node) if isinstance(node, ast.Subscript) else None
    return "[%r]" % (key.value,) if isinstance(key, ast.Constant) else "]"
