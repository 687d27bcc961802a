"""Breakpoints on functions, under gdb, which finds no generic function of Rust and no
method by the names that people write."""

import difflib
import itertools
import json
import re

import gdb

from aidb.debugger.gdb.entries import Calls, on
from aidb.names import THUNK, library, means, paths, plain

SYMBOLS = 50000  # rows that are looked at for a like name
ROW = re.compile(r"^\[ *\d+\] [tTwW] +0x([0-9a-f]+) (\S+) +section \.text\S*(.*)$")


def rust():
    try:
        return "rust" in gdb.execute("show language", to_string=True)
    except gdb.error:
        return False


def symbols():
    """Address and names of each function of the program, as the linker has them: gdb's
    own names do not say what type a method is of, and reading them takes seconds."""
    program = gdb.current_progspace().filename
    text = gdb.execute("maint print msymbols -objfile %s" % program.replace(" ", "\\ "), to_string=True) if program else ""
    for row in text.splitlines():
        m = ROW.match(row)
        if m and THUNK not in m.group(3):
            yield int(m.group(1), 16), [plain(n.strip()) for n in [m.group(2), *m.group(3).split("  ")] if n.strip()]


def lines_of(wanted):
    """The lines on which functions begin that a name of Rust means: the user's, if
    there are such."""
    found = []
    last = (paths(wanted)[0] or ("",))[-1].strip("{}")
    for address, names in symbols():
        if any(last in n for n in names) and any(means(wanted, n) for n in names):
            place = gdb.find_pc_line(address)
            if place.symtab and place.line and (place.symtab.fullname(), place.line) not in found:
                found.append((place.symtab.fullname(), place.line))
    return [at for at in found if not library(at[0])] or found


made = {}  # name -> breakpoints


def breakpoints(digits):
    """Sets exactly these breakpoints on functions; says of each its id and its places."""
    wanted = json.loads(bytes.fromhex(digits))
    for name in [n for n in made if n not in {w["name"] for w in wanted}]:
        for point in made.pop(name):
            if point.is_valid():
                point.delete()
    return [found_of(w) for w in wanted]


def found_of(wanted):
    name = wanted["name"]
    if not [p for p in made.get(name, ()) if p.is_valid()]:
        lines = lines_of(name) if rust() else []
        made[name] = [gdb.Breakpoint(source=f, line=n) for f, n in lines] or [on(name)]
    points, places = made[name], {}
    for point in points:
        setattr(point, "text" if isinstance(point, Calls) else "condition", wanted.get("condition") or None)
        own = any(map(users, point.locations))
        for location in point.locations:
            if own and not users(location):
                location.enabled = False
                continue
            file, line = location.source or ("", 0)
            key = (location.fullname or file or "", line, "" if file else location.function or name)
            places[key] = places.get(key, 0) + 1
    return {
        "id": points[0].number,
        "ids": [p.number for p in points],
        "places": [{"file": f, "line": n, "name": s, "count": c} for (f, n, s), c in places.items()],
    }


def users(location):
    return bool(location.fullname) and not library(location.fullname)


def functions(name, count):
    """Names like the one given, each of which can have a breakpoint."""
    want, scored = (paths(name)[0] or ("",))[-1].lower(), {}
    for _, names in itertools.islice(symbols(), SYMBOLS):
        path = tuple(p for p in paths(names[-2 if len(names) > 2 else 0])[0] if not p.startswith("{"))
        if not path or path[0] in ("std", "core", "alloc") or path[-1].startswith("_"):
            continue
        last = path[-1].lower()
        score = difflib.SequenceMatcher(None, want, last).ratio()
        full = "::".join(path)
        if (score > 0.6 or len(want) > 2 and want in last) and not means(name, full):
            scored[full] = max(score, scored.get(full, 0))
    return sorted(scored, key=lambda s: (-scored[s], s))[: int(count)]
