"""Which variables of C, C++ and Rust have no value yet in a call, though they are declared: they are declared without
one, and nothing that has run names them. Knows no debugger."""

import re

from aidb.cpp.declared import named as read
from aidb.record import source

SIZES = r"(?:std::)?(?:size_t|ptrdiff_t|u?int\d+_t)|(?:Py_)?ssize_t|[\w:]+::(?:size|difference)_type"
NUMBERS = r"(?:(?:const|volatile|unsigned|signed|int|long|short|char|double|float|bool|%s)\b\s*)+" % SIZES
COMMENT = re.compile(r"//.*$|/\*.*?\*/")
HIDDEN = re.compile(r"\b[A-Z][A-Z0-9_]+\s*\(|\[\s*&|\basm\b")  # what may set a variable without its name: a macro, a lambda


def bare(file, line, name):
    """Says that a variable is declared in a line without a value. Of a class of C++ a constructor may have made it."""
    text = COMMENT.sub("", source.line(file, line)).strip()
    if file.endswith(".rs"):
        return re.fullmatch(r"let\s+(?:mut\s+)?%s\s*(?::[^=]*)?;" % re.escape(name), text) is not None
    own = re.compile(r"(?:^|[\s*])%s\s*(?:\[[^\]]*\]\s*)*$" % re.escape(name))
    if "static" in text or not any(own.search(part) for part in re.split("[,;]", text)[:-1] if "=" not in part):  # it may be another's value
        return False
    if "(" in text or "{" in text:
        return False
    return file.endswith(".c") or re.match(NUMBERS, text) is not None or re.search(r"\*\s*%s\b" % re.escape(name), text) is not None


def candidates(f, names):
    """Of these names of a function those of which each variable is declared so."""
    return {x for x in names if f.visible.get(x) and all(bare(f.file, line, x) for line in f.visible[x])}


def set_by(f, line, names):
    """Of these names of a function those that a statement may have set."""
    text, names = source.statement(f.file, line), {x for x in names if line not in f.visible[x]}
    return set(names) if HIDDEN.search(text) else {x for x in names if re.search(r"\b%s\b" % re.escape(x), text)}


def untouched(f, pc, line, names):
    """Of these names of a function those that nothing in a call has set, which comes to the first instruction of a line."""
    if any(to <= pc <= at for at, to in f.jumps()):
        names = {x for x in names if all(once(f.file, own, x) for own in f.visible[x])}  # what is further down may have run: a loop leads back to before it
    first, last = source.extent(f.file, line)
    begins = first == last == line and pc == min((at for own, at in f.lines() if own == line), default=0)
    return {x for x in candidates(f, names) if len(f.visible[x]) == 1 and not named(f.file, x, *f.visible[x], line - 1 if begins else last)}


def once(file, line, name):
    """Says that a variable is of Rust and not mut: what is declared without a value is set once then, by the first statement that names it."""
    return file.endswith(".rs") and re.match(r"\s*let\s+%s\b" % re.escape(name), source.line(file, line)) is not None


def named(file, name, declared, last):
    """Says that lines from that of a declaration on may have named its variable once more, or hide what they name."""
    texts = [source.line(file, n) for n in range(declared, last + 1)]
    return any(HIDDEN.search(t) for t in texts[1:]) or len(re.findall(r"\b%s\b" % re.escape(name), " ".join(texts))) > 1


def without(expression, names):
    """Why an expression has no value of which one of these variables has none; empty where it has."""
    lacking = next((x for x in sorted(names & read(expression)) if not re.search(r"(?:&|sizeof\b)\s*\(?\s*%s\b" % re.escape(x), expression)), "")
    return lacking and "%s has no value yet: it is declared without one" % lacking
