# What grows between two moments: the objects that Python's collector knows by their types,
# with what they hold beside themselves that it does not know (texts, numbers, bytes), and by
# tracemalloc the lines that allocated what is still there. Of the largest growth the way from
# a root that holds it.
import gc
import json
import os
import sys
import types

from . import holder, stacks

FRAMES = 3  # of an allocation's stack: each costs each allocation more
MOST_OBJECTS = 3000000  # are looked at in one moment
MOST_TYPES = 2000
MOST_LINES = 400


class Memory:
    period = 0.1

    def __init__(self, look=False):
        import tracemalloc

        self.tracemalloc, self.look_only = tracemalloc, look

    def begin(self):
        if self.look_only:
            self.ours, self.before, self.first, self.identities, self.memory = False, {}, Census(), set(), resident()
            return
        self.ours, self.before = not self.tracemalloc.is_tracing(), None
        if not self.ours:
            self.before = self.traces()
        self.first, self.identities = census()
        self.memory = resident()
        if self.ours:
            self.tracemalloc.start(FRAMES)

    def look(self, own, elapsed):
        pass

    def end(self):
        try:
            self.second_look()
        finally:
            self.identities = None
            if self.ours and self.tracemalloc.is_tracing():
                self.tracemalloc.stop()

    def second_look(self):
        t = self.tracemalloc
        said = {"tracing": t.is_tracing(), "codes": [], "samples": [], "lost": 0}
        said["traced"], said["peak"] = t.get_traced_memory() if t.is_tracing() else (0, 0)
        if t.is_tracing() and not self.look_only:
            said["codes"], said["samples"], said["lost"] = self.lines()
        if self.ours and t.is_tracing():
            t.stop()  # it would note what we allocate from here on
        self.text = json.dumps(said)  # one object: it is not counted as what has grown
        del said
        gc_is_on = gc.isenabled()
        gc.collect()
        gc.disable()
        try:
            second, _ = census(self.identities, self)
            types, held = self.grown(second), [] if self.look_only else self.held()
        finally:
            if gc_is_on:
                gc.enable()
        self.said = json.loads(self.text)
        self.said.update(types=types, holder=held, seen=second.count, cut=second.cut or self.first.cut, resident=[self.memory, resident()])

    def written(self):
        return self.said

    def traces(self):
        """Allocations by their stacks, innermost frame first: how many there are and their bytes."""
        sums = {}
        for trace in self.tracemalloc.take_snapshot().traces._traces:
            entry = sums.get(trace[2])
            if entry is None:
                sums[trace[2]] = [1, trace[1]]
            else:
                entry[0] += 1
                entry[1] += trace[1]
        return sums

    def lines(self):
        """Stacks of allocations whose memory is still there, in the form of a table of stacks."""
        rows, numbers, codes, samples, lost = [], {}, [], [], 0
        for stack, (count, size) in self.traces().items():
            if self.before is not None:
                count0, size0 = self.before.get(stack, (0, 0))
                count, size = count - count0, size - size0
            if size > 0 and not stack[0][0].startswith((stacks.HERE, self.tracemalloc.__file__)):
                rows.append((size, count, stack))
        rows.sort(key=lambda row: row[0], reverse=True)
        for size, count, stack in rows[:MOST_LINES]:
            frames = []
            for file, line in stack:
                if not file.startswith(stacks.HERE):
                    number = numbers.setdefault(file, len(codes))
                    if number == len(codes):
                        codes.append(["", file, 0])
                    frames.append([number, line])
            samples.append(["", count, size, frames])
        return codes, samples, sum(row[0] for row in rows[MOST_LINES:])

    def grown(self, second):
        rows = []
        for kind, count in second.counts.items():
            size, count0, size0 = second.sizes[kind], self.first.counts.get(kind, 0), self.first.sizes.get(kind, 0)
            rows.append((size - size0, count - count0, count, size, kind))
        rows.sort(key=lambda row: (row[0], row[1]), reverse=True)
        self.most = [row[4] for row in rows if row[0] > 0 and row[1] > 0]
        return [[name_of(kind), count, size, count - more, size - bytes] for bytes, more, count, size, kind in rows[:MOST_TYPES]]

    def held(self):
        """The ways to some objects of the type that grew most, of those that can be found."""
        for kind in self.most[:6]:
            if kind in holder.POINTLESS:
                continue
            found = some(kind, self.identities)
            if not found:
                continue
            ways = {}
            while found:
                way = holder.way(found.pop(), {id(found), id(self.identities)})
                ways.setdefault(way.pattern(), []).append(way)
            return [{"type": name_of(kind), "root": w[0].root, "way": w[0].lines, "why": w[0].why, "alike": len(w)}
                    for w in sorted(ways.values(), key=len, reverse=True)]
        return []


LOOKED_AT = 3  # objects of a type to which ways are searched


def some(kind, identities):
    """Objects of a type that were not there at the first moment: such that each stands for as
    many bytes as the others."""
    new, seen = [], set()
    ours = {id(identities), id(new), id(seen)}
    for o in gc.get_objects():
        if type(o) is kind:
            new.append(o) if id(o) not in identities and id(o) not in ours else None
    if not new:  # what the collector does not know is found where it is held
        objects = gc.get_objects()
        ours.add(id(objects))
        for first in range(0, len(objects), BATCH):
            inner = gc.get_referents(*(o for o in objects[first : first + BATCH] if id(o) not in ours))
            for held in inner:
                if type(held) in holder.UNTRACKED and not gc.is_tracked(held) and id(held) not in seen:
                    seen.add(id(held))
                    inner.extend(gc.get_referents(held))
                if type(held) is kind and id(held) not in identities and id(held) not in seen:
                    seen.add(id(held))
                    new.append(held)
    sizes = [size_of(o) for o in new]
    total, chosen, run, n = sum(sizes), [], 0, 0
    for o, size in zip(new, sizes):
        run += size
        if run * 2 * LOOKED_AT >= total * (2 * n + 1) and n < LOOKED_AT:
            chosen.append(o)
            n += 1
    return chosen


class Census:
    def __init__(self):
        self.counts, self.sizes, self.count, self.cut = {}, {}, 0, False

    def note(self, o):
        kind = type(o)
        self.counts[kind] = self.counts.get(kind, 0) + 1
        self.sizes[kind] = self.sizes.get(kind, 0) + size_of(o)


def census(ours=None, memory=None):
    """How many objects there are of each type, and their bytes; and the identities of all.
    Ours are those of a census before, which are not the program's, as memory is not."""
    result, identities = Census(), set()
    objects = gc.get_objects()
    if len(objects) > MOST_OBJECTS:
        result.cut = True
        del objects[MOST_OBJECTS:]
    tracked, referents = gc.is_tracked, gc.get_referents
    skipped = {id(objects), id(identities), id(ours), id(result.counts), id(result.sizes), id(BUILTIN_SIZES), id(memory), id(getattr(memory, "__dict__", None))}
    skipped.add(id(skipped))
    for first in range(0, len(objects), BATCH):
        some = [o for o in objects[first : first + BATCH] if id(o) not in skipped and type(o) is not Census]
        for o in some:
            identities.add(id(o))
            result.note(o)
        inner = referents(*some)
        for held in inner:
            if not tracked(held) and type(held) not in UNCOUNTED:
                i = id(held)
                if i not in identities:
                    identities.add(i)
                    result.note(held)
                    if type(held) in holder.UNTRACKED:
                        inner.extend(referents(held))
    result.count = len(identities)
    return result, identities


# Of so many objects is asked at once what they refer to: a debugger may listen to each question.
BATCH = 500
UNCOUNTED = (type, types.CodeType, bool, type(None))


BUILTIN_SIZES = {}


def size_of(o):
    """The bytes of an object, of what it is made of itself. Nothing of the program's runs."""
    kind = type(o)
    sized = BUILTIN_SIZES.get(kind)
    if sized is None:
        found = next((k.__dict__["__sizeof__"] for k in type.__dict__["__mro__"].__get__(kind) if "__sizeof__" in k.__dict__), None)
        sized = found if isinstance(found, types.MethodDescriptorType) else object.__sizeof__
        if len(BUILTIN_SIZES) < 5000:
            BUILTIN_SIZES[kind] = sized
    try:
        return sized(o)
    except Exception:
        return 0


def name_of(kind):
    module = getattr(kind, "__module__", "")
    name = getattr(kind, "__qualname__", "?")
    return name if module in ("builtins", "") or not isinstance(module, str) else "%s.%s" % (module, name)


def resident():
    try:
        with open("/proc/self/statm", encoding="ascii") as f:
            return int(f.read().split()[1]) * os.sysconf("SC_PAGESIZE")
    except (OSError, ValueError, AttributeError):
        return 0
