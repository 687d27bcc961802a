"""One statement may write to a place in several parts, each of which the processor tells: what counts is what
stands there when the statement is over. Knows no debugger."""

from aidb.record import source

DEEP = 60  # frames in which a statement is looked for


class Write:
    """A write to a place that may go on: the events of its statement, which are noted when that is over."""

    def __init__(self, place, frame, user, bytes_, events):
        self.place, self.events = place, events
        self.thread, self.cfa, self.function, self.at = user.key(), user.cfa(), user.function(), user.at_written()
        self.awaited = False  # what it has called has not returned yet
        self.returned = False  # it has, to where it was called from last
        self.pc, self.segment = user.pc(), source.segment(*self.at, user.column_written())
        self.first = self.last = frame.pc()
        self.done, self.by = set(bytes_), {self.first: set(bytes_)}  # and by which instruction

    def goes_on(self, frame, user, inner, bytes_, before):
        """Says that a part which was just written is one more of it. A statement that is come to again begins
        anew: its code runs from the front, or writes what it has written, but where it has made that zero first."""
        if not self.same_call(user) or not self.same_statement(user.at_written(), user.column_written()):
            return False
        if user.pc() != self.pc:
            return user.pc() > self.pc and not any(before[i] for i in self.done & bytes_)
        if inner or self.returned:
            return False
        if frame.pc() == self.first and self.last != self.first:
            return False
        return frame.pc() not in self.by or bool(bytes_) and not self.by[frame.pc()] & bytes_

    def on_the_way(self, frame, user):
        """Says that a number which was written whole was none of the program's: a compiler may put what it divides
        with where the result will lie. Nothing else begins between the two instructions, as the line table says."""
        if not self.same_call(user) or not frame.goes_on_from(self.pc):
            return False
        return bool(user.column_written()) or not source.several(*user.at_written())

    def same_call(self, user):
        return (user.key(), user.cfa(), user.function()) == (self.thread, self.cfa, self.function)

    def same_statement(self, at, column):
        if at == self.at:  # where the line table has columns, they tell the statements of a line apart
            return not column or self.segment is None or source.segment(*at, column) == self.segment
        return at[0] == self.at[0] and source.extent(*at) == source.extent(*self.at)

    def goes(self, frame, user, bytes_, value):
        self.by.setdefault(frame.pc(), set()).update(bytes_)
        self.returned = False
        self.pc, self.last, self.done = user.pc(), frame.pc(), self.done | bytes_
        self.becomes(value)

    def returned_to(self, at, frame):
        """Says that what has written has returned to the statement, in whose call a frame is."""
        returned = self.awaited and (self.pc, self.thread, self.cfa) == (at, frame.key(), frame.cfa())
        self.awaited, self.returned = self.awaited and not returned, self.returned or returned
        return returned  # once: what returns there next is another pass of the statement

    def becomes(self, value):
        """What stands there now."""
        values = self.events[-1]["v"]
        values[-1] = {**value, "o": values[-1]["o"]} if "o" in values[-1] else value

    def under_way(self, frame):
        """Says that what happens in a frame is within the statement."""
        if frame.key() != self.thread:
            return False  # what that sees, it sees as it is now
        for depth in range(DEEP):
            if frame is None or frame.cfa() > self.cfa:
                return False
            if frame.cfa() == self.cfa and frame.function() == self.function:
                return self.same_statement(frame.at(), frame.column()) and (frame.pc() > self.pc or depth > 0 and frame.pc() == self.pc)
            frame = frame.older()
        return False


def changed(before, now):
    """The numbers of the bytes that are not what they were; none where that is not known."""
    return {i for i in range(len(now)) if before is not None and before[i] != now[i]}
