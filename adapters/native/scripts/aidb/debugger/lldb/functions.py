"""Breakpoints on functions, under LLDB. Its own search by name misses the generic
functions of Rust, and takes what lies outside of a function for it: here names are
compared as people write them, and every place is one where a body begins."""

import difflib
import itertools
import json
import re

import lldb

from aidb.debugger.lldb import entries
from aidb.names import generic, library, means, paths, plain

MOST = 500  # places of one name
UNKNOWN = 1 << 30
SYMBOLS = 50000  # that are looked at for a like name


class Place:
    """Where the body of a function begins."""

    def __init__(self, function, symbol, inlined=None):
        self.symbol = symbol
        if not function.IsValid():
            function = symbol.GetStartAddress().GetFunction()
        if inlined:
            self.names = [inlined.GetBlock().GetContainingInlinedBlock().GetInlinedName()]
            self.address = inlined
        elif function.IsValid():
            self.names = [function.GetDisplayName(), function.GetName()]
            self.address = body(function)
        else:
            self.names = [self.symbol.GetDisplayName(), self.symbol.GetName()]
            self.address = beyond(self.symbol)
        self.names = [plain(n) for n in self.names if n]
        entry = self.address.GetLineEntry()
        self.known = function.IsValid()
        self.line = entry.GetLine() if entry.IsValid() else 0
        spec = entry.GetFileSpec()
        self.file = spec.fullpath if entry.IsValid() and spec.IsValid() else ""

    def key(self):
        return self.address.GetModule().GetFileSpec().fullpath, self.address.GetFileAddress()

    def good(self):
        """Says that the address is one of code."""
        if not self.address.IsValid() or not self.address.GetSection().IsValid():
            return False
        return self.known or self.symbol.GetType() == lldb.eSymbolTypeCode

    def means(self, wanted, name):
        """A function without debug information is named in full: half of the C++ library
        has a get or a set."""
        return means(wanted, name) and (self.known or any(w in paths(name) for w in paths(wanted)))

    def users(self):
        return self.known and bool(self.file) and not library(self.file)


def beyond(symbol):
    """The first instruction after the prologue of what has no debug information."""
    start = symbol.GetStartAddress()
    size, whole = symbol.GetPrologueByteSize(), symbol.GetSize()
    return lldb.SBAddress(start.GetSection(), start.GetOffset() + size) if 0 < size < whole and start.GetSection().IsValid() else start


def body(function):
    """The first instruction after a function's prologue, where its arguments can be read.
    A part that the compiler has put elsewhere (name.cold) is not the function's beginning."""
    start, size = function.GetStartAddress(), 0
    names = [n for n in (function.GetMangledName(), function.GetName()) if n]
    at = start.GetSymbol()
    if at.IsValid() and at.GetMangledName() not in names and at.GetName() not in names:
        for name in names:
            for context in start.GetModule().FindSymbols(name, lldb.eSymbolTypeCode):
                start = context.GetSymbol().GetStartAddress()
                break
    if start == function.GetStartAddress():
        size = function.GetPrologueByteSize()
    size = min(size or UNKNOWN, statement_of(start) or UNKNOWN)
    beginning = lldb.SBAddress(start.GetSection(), start.GetOffset() + (second(start) if size == UNKNOWN else size))
    return beginning if beginning.GetSymbol() == start.GetSymbol() else start


def statement_of(start):
    """How far from its start the first statement lies of a function of C or C++ that has it in the line of its
    head: GCC begins a row of its own for it, which LLDB passes over. 0 where it is not so."""
    unit, offset, entry = start.GetCompileUnit(), second(start), start.GetLineEntry()
    if not offset or not unit.IsValid() or not entry.IsValid() or unit.GetLanguage() == lldb.eLanguageTypeRust:
        return 0
    next_ = lldb.SBAddress(start.GetSection(), start.GetOffset() + offset).GetLineEntry()
    return offset if next_.IsValid() and next_.GetLine() == entry.GetLine() else 0


def second(start):
    """How far from its start the second entry of a function's lines lies: behind what
    makes room for its variables. It is where the first one ends: to go through all of a
    unit's takes seconds for Rust's library."""
    first = start.GetLineEntry()
    if not first.IsValid():
        return 0
    after = first.GetEndAddress().GetOffset()
    return after - start.GetOffset() if start.GetOffset() < after < start.GetSymbol().GetEndAddress().GetOffset() else 0


def copies(target, wanted):
    """Where the compiler has put the code of a function into others, which only a
    breakpoint of LLDB's own finds."""
    last, found = paths(wanted)[0][-1:], []
    if not last:
        return []
    own = target.BreakpointCreateByName(last[0])
    for location in own:
        at = location.GetAddress()
        place = copy_at(at, wanted)
        if place:
            found.append(place)
        elif at.GetFunction().IsValid():  # LLDB takes a copy at the very beginning of a function for part of its prologue
            found += [p for p in starts(at.GetFunction().GetBlock(), wanted) if p]
    target.BreakpointDelete(own.GetID())
    return found


def copy_at(at, wanted):
    """The copy of a function that an address is in; None where it is in none."""
    block = at.GetBlock().GetContainingInlinedBlock()
    if not block.IsValid() or not block.GetInlinedName():
        return None
    place = Place(at.GetFunction(), at.GetSymbol(), at)
    return place if any(means(wanted, n) for n in place.names) else None


def starts(block, wanted):
    """The first instruction of each copy of a function below a block of another."""
    child = block.GetFirstChild()
    while child.IsValid():
        name = child.GetInlinedName() if child.IsInlined() else None
        if name and means(wanted, name):
            yield next(filter(None, (copy_at(child.GetRangeStartAddress(i), wanted) for i in range(child.GetNumRanges()))), None)
        else:
            yield from starts(child, wanted)
        child = child.GetSibling()


def search(target, wanted):
    """The places that a name means: the user's own, if there are such."""
    ways = paths(wanted)
    last = ways[0][-1] if ways and ways[0] else ""
    if not last:
        return []
    pattern = r"(^|[^A-Za-z0-9_])%s($|[^A-Za-z0-9_])" % re.escape(last)
    if last == "{closure}":
        pattern = "closure"
    found = {}
    for context in target.FindGlobalFunctions(pattern, 1 << 16, lldb.eMatchTypeRegex):
        names = [context.GetFunction().GetName(), context.GetFunction().GetDisplayName(), context.GetSymbol().GetName()]
        if not any(n and last.strip("{}") in n for n in names):
            continue
        place = Place(context.GetFunction(), context.GetSymbol())
        if place.good() and any(place.means(wanted, n) for n in place.names):
            found.setdefault(place.key(), place)
    for place in inlined.get(wanted, ()):
        found.setdefault(place.key(), place)
    return preferred(list(found.values()), wanted)[:MOST]


def preferred(places, wanted):
    arguments = generic(wanted)
    tests = [
        (lambda p: any(n.replace(" ", "").replace("::<", "<").endswith(arguments) for n in p.names)) if arguments else None,
        Place.users,
        lambda p: p.known,
    ]
    for test in filter(None, tests):
        places = [p for p in places if test(p)] or places
    return places


class Resolver:
    """Finds the places of a name in each module as it is loaded."""

    def __init__(self, breakpoint, arguments, _):
        self.breakpoint = breakpoint
        self.name = arguments.GetValueForKey("name").GetStringValue(4000)
        self.seen, self.found, self.own = -1, [], False

    def __get_depth__(self):
        return lldb.eSearchDepthModule

    def __callback__(self, context):
        target = self.breakpoint.GetTarget()
        if self.seen != target.GetNumModules():
            self.seen, self.found = target.GetNumModules(), search(target, self.name)
            self.own = self.own or any(p.users() for p in self.found)
        for place in self.found:
            if place.address.GetModule() == context.GetModule() and (place.users() or not self.own):
                self.breakpoint.AddLocation(place.address)

    def get_short_help(self):
        return "function %s" % self.name


made = {}  # name -> breakpoint
inlined = {}  # name -> places that only LLDB's own search has found


def breakpoints(target, digits):
    """Sets exactly these breakpoints on functions; says of each its id and its places."""
    wanted = json.loads(bytes.fromhex(digits))
    for name in [n for n in made if n not in {w["name"] for w in wanted}]:
        point = made.pop(name)
        entries.release(target, point)
        target.BreakpointDelete(point.GetID())
    return [found_of(target, w) for w in wanted]


def found_of(target, wanted):
    name = wanted["name"]
    if name not in made:
        inlined[name] = copies(target, name)
        data = lldb.SBStructuredData()
        data.SetFromJSON('{"name": %s}' % json.dumps(name))
        made[name] = target.BreakpointCreateFromScript(__name__ + ".Resolver", data, lldb.SBFileSpecList(), lldb.SBFileSpecList())
    point = made[name]
    condition = wanted.get("condition") or None
    point.SetCondition(None if entries.guard(target, point, condition) else condition)
    places = {}
    for location in point:
        entry, called = location.GetAddress().GetLineEntry(), ""
        at = (entry.GetFileSpec().fullpath or "", entry.GetLine()) if entry.IsValid() else ("", 0)
        if not at[0]:
            called = plain(location.GetAddress().GetSymbol().GetName())
        places[at + (called,)] = places.get(at + (called,), 0) + 1
    return {"id": point.GetID(), "places": [{"file": f, "line": n, "name": s, "count": c} for (f, n, s), c in places.items()]}


def functions(target, name, count):
    """Names like the one given, each of which can have a breakpoint."""
    want, scored = (paths(name)[0] or ("",))[-1].lower(), {}
    for symbol in itertools.islice(target.GetModuleAtIndex(0), SYMBOLS):
        if symbol.GetType() != lldb.eSymbolTypeCode or not symbol.GetName() or symbol.GetName().startswith(("std::", "__", "_GLOBAL", "_start", "_init", "_fini")):
            continue
        path = paths(plain(symbol.GetName()))[0]
        if not path or path[-1] == "{closure}":
            continue
        last = path[-1].lower()
        score = difflib.SequenceMatcher(None, want, last).ratio()
        if score > 0.6 or len(want) > 2 and want in last:
            full = "::".join(path)
            scored[full] = max(score, scored.get(full, 0))
    like = sorted(scored, key=lambda s: (-scored[s], s))[: 4 * int(count)]
    found = [(s, search(target, s)) for s in like if not means(name, s)]
    found.sort(key=lambda f: not any(p.users() for p in f[1]))  # the user's own first
    return [s for s, places in found if places][: int(count)]
