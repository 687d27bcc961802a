# Profiles the program in which it is, for some time or until the program ends, and writes
# down what it has seen: profile.json in the directory that it is given. A profile of stacks
# is written in between as well, so that a program that is killed leaves the one before.
import _thread
import atexit
import json
import os
import sys
import time

from . import memory, sampler, stacks

RESULT = "profile.json"
FINISH = "finish"  # a file that asks for the end


class Driver:
    def __init__(self, directory, wish):
        self.directory, self.wish, self.pid = directory, wish, os.getpid()
        self.what, self.seconds = wish["what"], wish.get("seconds") or 0
        self.ending, self.writing, self.aside_ns = _thread.allocate_lock(), _thread.allocate_lock(), 0
        self.stop, self.ident = False, None
        self.own_ns = self.ticks = self.longest = 0
        self.looked = memory.Memory(wish.get("look", False)) if self.what == "memory" else sampler.KINDS[self.what]()

    def begin(self, beside=False):
        """Begins: before what comes next, or beside it, where the first look may take long."""
        self.begun, self.children, self.ready = time.monotonic_ns(), children(), False
        stacks.hide_others()
        if not beside:
            self.first_look()
        atexit.register(self.at_exit)
        start = getattr(_thread, "_original_start_new_thread", _thread.start_new_thread)  # a debugger would trace it
        start(self.run, ())

    def first_look(self):
        used = time.thread_time_ns()
        self.looked.begin()
        self.note_cost(used)
        self.ready = True
        self.save({"what": self.what, "why": "running"})  # from now on it is profiled

    def note_cost(self, since):
        """What a thread has used for us: all of our own, and of another what it did for us."""
        if _thread.get_ident() == self.ident:
            self.own_ns = time.thread_time_ns()
        else:
            self.aside_ns += time.thread_time_ns() - since

    def at_exit(self):
        self.finish("ended")

    def run(self):
        self.ident = _thread.get_ident()
        try:
            if not self.ready:
                self.first_look()
            self.look()
        except Exception as e:
            self.ending.acquire(False)
            self.save({"what": self.what, "why": "failed", "error": "%s: %s" % (type(e).__name__, e)})

    def look(self):
        own, last, period = _thread.get_ident(), time.monotonic_ns(), self.looked.period
        checkpoint, end, asked = last + 2 * 10**9, self.begun + int(self.seconds * 1e9), os.path.join(self.directory, FINISH)
        every = max(int(0.05 / period), 1)
        while not self.stop:
            time.sleep(period)
            now = time.monotonic_ns()
            if self.stop or os.getpid() != self.pid:
                return
            self.looked.look(own, now - last)
            self.ticks += 1
            self.longest = max(self.longest, now - last)
            last = now
            if self.ticks % every == 0:
                self.own_ns = time.thread_time_ns()
                if os.path.exists(asked) or not os.path.isdir(self.directory) or self.seconds and now >= end:
                    self.finish("time")
                    return
            if now >= checkpoint and self.what != "memory":
                self.write("running")
                checkpoint = now + max(2 * 10**9, (now - self.begun) // 3)

    def finish(self, why):
        """Ends the profile, once, and writes it."""
        if os.getpid() != self.pid or not self.ready or not self.ending.acquire(False):
            return
        self.stop, self.wall_ns, used = True, time.monotonic_ns() - self.begun, time.thread_time_ns()
        try:
            self.looked.end()
            self.note_cost(used)
            self.write(why)
        except Exception as e:  # it is not the program's fault, and not to be seen in what it prints
            self.save({"what": self.what, "why": "failed", "error": "%s: %s" % (type(e).__name__, e)})
        atexit.unregister(self.at_exit)

    def write(self, why):
        with self.writing:
            if why == "running" and self.stop:
                return
            said = self.looked.written()
            said.update(
                what=self.what, why=why, wall_ns=self.wall_ns if self.stop else time.monotonic_ns() - self.begun, ticks=self.ticks,
                longest_ns=self.longest, children_ns=children() - self.children, version="%d.%d.%d" % sys.version_info[:3],
                own_ns=self.own_ns + self.aside_ns,
            )
            self.save(said)

    def save(self, said):
        path = os.path.join(self.directory, RESULT)
        if not os.path.isdir(self.directory):
            return
        with open(path + ".new", "w", encoding="utf-8") as f:
            json.dump(said, f)
        os.replace(path + ".new", path)


def children():
    """Processor time of children that have ended, in ns."""
    t = os.times()
    return int((t.children_user + t.children_system) * 1e9)
