"""A place that is written to very often is watched for its first writes and for its last ones: each costs the program a
stop. Which the last ones are is told by a clock that one run counts and the next one goes by. Knows no debugger."""

CALLERS = 4  # around a write whose code can be counted


LATER = 6  # times as many stops as before are taken when the number has come


class Thin:
    def __init__(self, writes, wish):
        self.writes, self.debugger, self.notes = writes, writes.debugger, writes.notes
        self.first, self.name, self.count = wish["first"], wish.get("clock") or "", wish.get("from") or 0
        self.clock = self.debugger.clock()
        self.stood = set()  # within which instructions places have stopped the program
        self.ahead, self.at, self.told = bool(self.count), None, False  # ahead: the number is still to come
        self.asleep = []  # breakpoints of calls until then
        if self.ahead:
            stop = self.clock.again(self.name, self.count)
            if stop is None:
                self.notes.write({"k": "apart", "m": "what counts in the program could not be put there again"})
            else:
                self.debugger.break_address(stop, lambda _: self.debugger.later(self.come))

    def prepared(self):
        """All breakpoints stand: none may be within what was replaced. Calls are noted as the last writes are."""
        if self.ahead and self.clock.stands_in(self.debugger.stops_at()):
            self.clock.end()
            self.ahead = False
        if self.ahead and self.writes.recorder.calls is not None:
            self.asleep = [point for points in self.writes.recorder.calls.points.values() for point in points if point.enabled]
        for point in self.asleep:
            self.debugger.enable(point, False)

    def stopped(self, p, at):
        """A place has stopped the program once more, within an instruction."""
        p.stops += 1
        self.stood.add(at)
        if p.stops == self.first:
            self.debugger.later(lambda: self.rest(p, at))

    def rest(self, p, at):
        if not self.clock.name and not self.chooses(at):
            return  # nothing would tell when to go on
        self.writes.over(p)
        p.rested = True
        self.watches(p, False)
        self.notes.skip()
        self.happens()
        if not self.told:
            self.told = True
            self.notes.write({"k": "apart", "m": "each write stops the program: of very many only the first %d to a place and the last ones are noted" % self.first})

    def watches(self, p, on):
        self.debugger.watches(p, on)
        if p.begin is not None:
            self.debugger.enable(p.begin, on)

    def chooses(self, at):
        """Begins to count something that runs with an instruction."""
        frame, callers = self.debugger.newest(), []
        while frame is not None and len(callers) < CALLERS:
            frame = frame.older()
            callers += [frame.pc()] if frame is not None else []
        return self.clock.choose(at, callers, self.stood | self.debugger.stops_at())

    def come(self):
        """The number has come: from here on all writes are noted."""
        self.ahead = False
        if self.rested():
            self.notes.write({"k": "skipped", "h": self.count, "a": self.rested()})
        for point in self.asleep:
            self.debugger.enable(point, True)
        for p in self.writes.places:
            p.stops = -LATER * self.first
            if p.rested:
                p.count, p.since = 0, True
                p.shown, p.bytes = None, self.debugger.memory(p.address, p.size)
                if self.debugger.in_image(p.address):
                    p.shown = self.notes.value(self.debugger.words_of(p))
                self.watches(p, True)
                p.rested = False

    def happens(self):
        """Something is noted while places rest: when that is, by the clock."""
        now = self.clock.ticks(), self.rested()
        if now[1] and now != self.at:
            self.at = now
            self.notes.write({"k": "skipped", "o": self.clock.name, "h": now[0], "a": now[1]})

    def rested(self):
        return [p.text for p in self.writes.places if p.rested]
