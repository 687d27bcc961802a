"""Which variables of C and C++ are not set yet where a program stands: their compilers give a variable its place
for all of its block, and up to the end of its declaration something else lies there. Knows no debugger."""

import os
import re

from aidb.cpp.numbers import Wrong
from aidb.record.source import TEXT, lines

LONG = 60  # lines that a declaration may have
BINDS = re.compile(r"\[[\w\s,&]*$")  # what stands before a name of a structured binding
RANGED = re.compile(r"\s*for\s*\([^;]*$")
NAME = re.compile(r"(?<![\w.>:\"'])[A-Za-z_]\w*(?!\w|::)")
ends = {}  # file, line and column of a variable: where its declaration is over


def ahead(at, of, name):
    """Says that a variable's declaration is not over at a place. Both are file, line and column, of which 0 is not
    known; then it is in doubt in the line of a loop whose head declares the variable."""
    (file, line, column), (own, first, start) = at, of
    if not line or not first or os.path.basename(file) != os.path.basename(own):
        return False
    if line < first:
        return True
    last, end, alone = over(file, first, start, name)
    if not column:
        return line < last or line == first == last and alone
    return (line, column) < (last, end) and not (line == first and rounds(file, line, column))


def rounds(file: str, line: int, column: int):
    """Says that a place is where a loop begins its next round: GCC gives that of C++ the column of the head's first
    word, which nothing has that runs before the head's variables are set."""
    text = lines(file)[line - 1 : line]
    return bool(text) and re.match(r"for\b", text[0][column - 1 :]) is not None


def over(file: str, line: int, column: int, name: str):
    """The line and the column at which a declaration is over, and whether nothing that could use the variable is in its
    first line; zeros where the source cannot be read."""
    key = file, line, column, name
    if key not in ends:
        ends[key] = read(file, line, column, name)
    return ends[key]


def read(file: str, line: int, column: int, name: str):
    text = [bare(t) for t in lines(file)[line - 1 : line - 1 + LONG]]
    if not text:
        return 0, 0, False
    if not column or not text[0].startswith(name, column - 1):
        found = re.search(r"\b%s\b" % re.escape(name), text[0])
        if found is None:  # a macro has named it
            return 0, 0, False
        column = found.start() + 1
    depth, ranged = 1 if BINDS.search(text[0][: column - 1]) else 0, False
    plain = not re.search(r"[;(){}]", text[0][: column - 1])
    for row, whole in enumerate(text):
        for at in range(column - 1 if row == 0 else 0, len(whole)):
            c = whole[at]
            if c in "([{":
                depth += 1
            elif c in ")}" and depth == 0 or c in ";," and depth == 0:
                return line + row, at + 1, ranged or plain and (row > 0 or whole[at:].strip() == ";")
            elif c in ")]}":
                depth = max(0, depth - 1)
            ranged = ranged or c == ":" and depth == 0 and RANGED.match(whole[:at]) is not None
    return 0, 0, False


def bare(text: str):
    """A line whose texts and comments hide nothing; its columns stay."""
    text = TEXT.sub(lambda m: '"' + "_" * (len(m.group(0)) - 2) + '"', text)
    return re.sub(r"//.*$|/\*.*?\*/", lambda m: " " * len(m.group(0)), text)


def unset(name: str, line: int, sure=True):
    if sure:
        return Wrong("%s is not set yet at this place: it is declared in line %d, and what lies there is left from before" % (name, line))
    return Wrong("%s is not readable here: it is declared in this very line, and the debugger does not tell whether it is set yet" % name)


def named(text: str):
    """The variables that an expression may name, members aside."""
    return set(NAME.findall(TEXT.sub('""', text)))
