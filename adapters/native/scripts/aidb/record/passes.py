"""Lines that are a loop by themselves: each round is a pass of the line. Knows no debugger."""


class Passes:
    """A line is come to once, before the loop has begun: that is no pass of its own where a round follows."""

    def __init__(self, note):
        self.note, self.begun = note, {}

    def comes(self, frame, pass_):
        """The program comes to the line; to another instruction of it on the way to the first round."""
        before = self.begun.get((frame.key(), frame.cfa()))
        if before is not None and before[0] == frame.pc():
            self.over(frame)
        self.begun[frame.key(), frame.cfa()] = frame.pc(), pass_

    def round(self, frame, pass_):
        """A round of its loop begins."""
        self.begun.pop((frame.key(), frame.cfa()), None)
        self.note(pass_)

    def over(self, frame):
        """The loop has ended, perhaps without a round."""
        kept = self.begun.pop((frame.key(), frame.cfa()), None)
        if kept is not None:
            self.note(kept[1])

    def ended(self):
        """The program has ended."""
        for _, kept in self.begun.values():
            self.note(kept)
        self.begun.clear()
