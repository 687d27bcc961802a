"""Which hits of a line are passes of it. Knows no debugger."""

MOST = 4096  # calls that are remembered


class Scattered:
    """A line may lie in several places of one function, to which one pass of it comes one after
    the other: what println! and format! make is there as often as three times. Others of its
    places are other ways to it, as to a brace at which variables are dropped."""

    def __init__(self, leads):
        self.leads = leads  # whether one place comes before another in a pass of the code
        self.seen, self.first = {}, {}

    def begins(self, frame) -> bool:
        """Says that a pass of the line begins with this hit, and does not go on."""
        pc, owner = frame.pc(), frame.owner()
        first = self.first.setdefault(owner, pc)
        if frame.resumes():
            return pc == first  # it waits in between, and others come to the line
        call = frame.key(), frame.cfa(), owner
        places = self.seen.get(call)
        if places is not None and pc not in places and any(self.leads(p, pc) for p in places):
            places.add(pc)
            return False
        if len(self.seen) >= MOST:
            self.seen.clear()
        self.seen[call] = {pc}
        return True
