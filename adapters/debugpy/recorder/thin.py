# Counts the calls of functions that are called often, of which not all are noted.
NEVER = float("inf")


class Counter:
    """Of one function: calls are noted that come until one number, or after another."""

    __slots__ = ("calls", "until", "after", "most", "leave", "told", "key", "at", "name")

    def __init__(self, key, at, name, until, after, last, leave):
        self.key, self.at, self.name, self.leave = key, at, name, leave or NEVER
        self.calls = self.told = 0
        self.until, self.after = (until, NEVER) if after is None else (-1, after)
        self.most = NEVER if after is None else after + 2 * last


class Thin:
    def __init__(self, notes, wish):
        self.notes, self.wish = notes, wish
        notes.only_last = bool(wish.get("after"))
        self.counters = {}  # by the names that tell functions apart

    def of(self, code):
        """The counter of a function."""
        at = "%s:%d" % (code.co_filename, code.co_firstlineno)
        key = "%s %s" % (at, code.co_name)
        found = self.counters.get(key)
        if found is None:
            after = (self.wish.get("after") or {}).get(key)
            found = self.counters[key] = Counter(key, at, getattr(code, "co_qualname", code.co_name), self.wish["first"], after, self.wish.get("last", 0), self.wish.get("leave"))
        return found

    def meets(self, counter):
        """Says whether the call that begins is to be noted. The last one before the
        others are only counted tells of that."""
        counter.calls += 1
        n = counter.calls
        if counter.until < n <= counter.after:
            return False
        if n == counter.until:
            self.tell(counter)
        return n <= counter.most

    def leaves(self, counter):
        """Says whether a function is called too often to go on with it, and tells that."""
        if counter.calls < counter.leave:
            return False
        self.notes.write({"k": "unwatched", "at": counter.at, "f": counter.name, "h": counter.calls})
        return True

    def tell(self, counter):
        counter.told = counter.calls
        self.notes.write({"k": "counted", "at": counter.at, "f": counter.name, "o": counter.key, "h": counter.calls})

    def tell_all(self):
        """Tells how often functions were called until now whose calls are not all noted."""
        for counter in list(self.counters.values()):
            if counter.calls > counter.until and counter.calls != counter.told:
                self.tell(counter)
