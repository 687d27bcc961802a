# Leaves out, of a run of which all writes are asked for, what happens between its first
# events and its last ones: package recording's Sparse. What is left out is counted, each
# line, each call and each end of one as an event.
import itertools
import sys

from . import notes as n
from .watch import RESTING, resting


class Sparse:
    def __init__(self, recorder, wish):
        self.recorder, self.notes = recorder, recorder.notes
        self.first, self.start = wish["first"], wish["from"]
        self.tick, self.over = None, False  # what counts, while it does: see Watch too
        self.apart = set()  # ids of code objects whose lines are looked at meanwhile: values are wanted there, or a statement runs that is noted

    def skips(self):
        """Says that what happens now is only counted."""
        if self.over:
            return False
        tick = self.tick
        if tick is None:
            if self.notes.seq < self.first:
                return False
            self.begin()
            return self.skips()
        if tick() < self.start:
            return True
        self.resume()
        return False

    def begin(self):
        with self.notes.lock:
            # The statement of a greenlet that waits is not found again: see frames.
            self.over = self.over or self.notes.seq >= self.start or "greenlet" in sys.modules
            if not self.over and self.tick is None:
                self.notes.ticks = itertools.count(self.notes.seq + 1)
                self.tick = self.notes.ticks.__next__

    def passed(self, frame):
        """A line that is only counted begins: the statement before it is over."""
        if self.recorder.writes.pending.pop(id(frame), None) is not None and id(frame.f_code) not in self.recorder.hits:
            if all(p.frame.f_code is not frame.f_code for p in list(self.recorder.writes.pending.values())):
                self.apart.discard(id(frame.f_code))

    def left(self, frame):
        """A call has ended of which that is not noted."""
        recorder, key = self.recorder, id(frame)
        for known in (recorder.writes.pending, recorder.writes.given, recorder.numbers):
            known.pop(key, None)
        _, function = recorder.open.pop(key, (0, None))
        if function is not None:
            recorder.depths[function] -= 1

    def under_way(self, frame, thread):
        """A call is under way of which perhaps it was not noted that it began."""
        recorder = self.recorder
        if id(frame) in recorder.open:
            return
        function = (thread, id(frame.f_code)) if thread is not None and not frame.f_code.co_flags & RESTING else None
        recorder.open[id(frame)] = (recorder.number(frame), function)
        if function is not None:
            recorder.depths[function] = recorder.depths.get(function, 0) + 1

    def resume(self):
        """From now on all is noted again: what runs has begun before."""
        with self.notes.lock, n.Apart(self.notes):
            if self.over:
                return
            self.notes.seq = max(self.notes.seq, self.tick())
            self.notes.ticks = None
            recorder, known = self.recorder, self.recorder.watch.known
            recorder.writes.places.forget()
            for thread, frame in frames():
                lines, calls, *_ = known.get(id(frame.f_code), (None, False))
                if calls:
                    self.under_way(frame, thread)
                if lines is not None:
                    recorder.writes.goes_on(frame)
            self.tick, self.over = None, True


def frames():
    """All frames in which a statement has begun, each with its thread."""
    for thread, frame in sys._current_frames().items():
        while frame is not None:
            yield thread, frame
            frame = frame.f_back
    for frame in resting():
        if frame.f_lasti >= 0:
            yield None, frame
