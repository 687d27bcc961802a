# Samples the stacks of all threads, from a thread of its own that threading does not know.
#
# A thread is noted where the sampler interrupts it: Python lets go of its lock (the GIL)
# after a call, and where a loop begins again. What it weighs is the processor time that it
# has used since the sample before. A thread that has come to rest meanwhile is not noted
# where it rests, for that is not where its time went: such time is given out in the end as
# the time is that was seen.
import os
import sys
import time

from . import clocks, stacks

PERIOD = 0.005
YIELD = 0.0002  # for how long a thread may keep the GIL from the sampler
LEAST = 30000  # ns of processor time that count


class Processor:
    """Where processor time goes."""

    period = PERIOD

    def __init__(self):
        self.table = stacks.Table()
        self.states = clocks.States()
        self.spent, self.rests = {}, {}
        self.unweighed = 0
        self.begun = time.process_time_ns()

    def begin(self):
        self.interval = sys.getswitchinterval()
        sys.setswitchinterval(min(self.interval, YIELD))
        for thread in clocks.native_ids().values():
            if thread:
                self.spent[thread[0]] = clocks.processor_time(thread[0]) or 0

    def end(self):
        if abs(sys.getswitchinterval() - min(self.interval, YIELD)) < 1e-7:  # the program's own choice stands
            sys.setswitchinterval(self.interval)
        self.states.close()

    def look(self, own, elapsed):
        known, seen, missing = clocks.native_ids(), [], 0
        for ident, frame in sys._current_frames().items():
            if ident == own or ident in known and known[ident] is None:
                continue
            if not clocks.LINUX:
                seen.append((0, known.get(ident, (0, "thread"))[1], stacks.walk(frame), elapsed))
                continue
            if ident not in known:
                missing += 1
                continue
            number, name = known[ident]
            now = clocks.processor_time(number)
            if now is None:
                continue
            used = now - self.spent.get(number, 0)
            if used < LEAST:
                continue
            self.spent[number] = now
            seen.append((number, name, stacks.walk(frame), used))
        self.unweighed = max(self.unweighed, missing)
        del known
        for number, name, stack, used in seen:
            if not number or self.states.running(number):
                self.table.add(name, stack, 1, used)
            else:
                self.rests[name] = self.rests.get(name, 0) + used

    def written(self):
        said = self.table.written()
        said.update(unit="processor" if clocks.LINUX else "time", rests=self.rests, unweighed=self.unweighed,
                    states=self.states.readable, process_ns=time.process_time_ns() - self.begun)
        return said


class Waits:
    """Where threads and tasks stand, be it that they run or wait."""

    period = 0.02

    def __init__(self):
        self.table = stacks.Table()

    def begin(self):
        pass

    def end(self):
        pass

    def look(self, own, elapsed):
        known, frames = clocks.native_ids(), sys._current_frames()
        for ident, frame in frames.items():
            thread = known.get(ident, (0, "thread %d" % ident))
            stack = stacks.walk(frame) if ident != own and thread else ()
            if stack:
                self.table.add(thread[1], stack, 1, elapsed)
        del frames
        for name, stack in tasks():
            self.table.add(name, stack, 1, elapsed)

    def written(self):
        said = self.table.written()
        said["unit"] = "time"
        return said


MOST_TASKS = 2000


def tasks():
    """The stacks of asyncio's tasks that rest, innermost first."""
    asyncio = sys.modules.get("asyncio.tasks")
    if asyncio is None:
        return
    found = []
    for name in ("_scheduled_tasks", "_all_tasks", "_eager_tasks"):
        try:
            found.extend(getattr(asyncio, name, ()))
        except RuntimeError:  # it has changed meanwhile: the next look sees them
            continue
    for task in found[:MOST_TASKS]:
        try:
            if task.done():
                continue
            stack = awaiting(task.get_coro())
        except Exception:
            continue
        if stack:
            yield "task " + task_name(task), stack


def task_name(task):
    """What its coroutine is: tasks that do the same are one."""
    coroutine = task.get_coro()
    return getattr(coroutine, "__qualname__", None) or type(coroutine).__name__


def awaiting(coroutine):
    stack = []
    while coroutine is not None and len(stack) < stacks.DEEPEST:
        frame = getattr(coroutine, "cr_frame", None) or getattr(coroutine, "gi_frame", None) or getattr(coroutine, "ag_frame", None)
        if frame is None:
            break
        running = getattr(coroutine, "cr_running", False) or getattr(coroutine, "gi_running", False)
        if running:
            return ()  # it stands in its thread's stack
        stack.append((frame.f_code, frame.f_lasti))
        coroutine = getattr(coroutine, "cr_await", None) or getattr(coroutine, "gi_yieldfrom", None)
    return tuple(reversed(stack))


KINDS = {"cpu": Processor, "waits": Waits}
