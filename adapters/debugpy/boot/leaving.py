# Has the program note what it leaves running when its main code is through: threads, tasks,
# processes, and sockets that listen, made by its tests (or, where that is asked for, by
# anything), with where they were made and where they are. It stands before what the
# interpreter waits for at its end. What it notes of a beginning changes nothing that the
# program sees: see Limbo. It is executed in each process of the program, before any code of
# the program's: see adapter.py. Only the first one is told where to.
import json
import os
import sys
import threading
import time
import weakref

from _pydevd_bundle import pydevd_constants as constants

LIMIT = 0.3  # seconds that what is left may take to end
DEEPEST = 80  # frames of a stack
MOST = 200  # things of a kind
# What runs a test, its fixtures among it, is in one of these.
RUNNERS = ("/_pytest/runner.py", "/unittest/case.py", "/unittest/suite.py")
# Processes that multiprocessing itself keeps.
HELPERS = ("/multiprocessing/resource_tracker.py", "/multiprocessing/semaphore_tracker.py", "/multiprocessing/forkserver.py")


def stack(frame):
    """The frames of the program, the innermost first, as (file, line, function)."""
    found = []
    while frame is not None and len(found) < DEEPEST:
        code = frame.f_code
        if code.co_filename != "pydevd.py":
            found.append((code.co_filename, frame.f_lineno, code.co_name))
        frame = frame.f_back
    return found


class Made:
    """How something of the program's was made, as far as that is known."""

    def __init__(self, frame):
        self.frames = stack(frame)
        by = known.get(id(threading._active.get(threading.get_ident())))
        files = [f.replace("\\", "/") for f, _, _ in self.frames]
        self.tested = any(f.endswith(RUNNERS) for f in files) or by is not None and by.tested
        self.test = self.name() or (by.test if by is not None else "")

    def name(self):
        """The test that is run, where its framework tells that."""
        said = os.environ.get("PYTEST_CURRENT_TEST", "")
        if self.tested and said.endswith(" (call)"):
            return said[: -len(" (call)")].partition("::")[2]
        for inner, outer in zip(self.frames, self.frames[1:]):
            if outer[2] == "_callTestMethod":
                return inner[2]
        return ""

    def row(self, kind, name, frames, **more):
        return dict(more, kind=kind, name=name, made=self.frames, test=self.test, frames=frames)


known = {}  # Made by the id of a thread
processes = {}  # Made by the number of a process
tasks = {}  # (weak reference, Made) by the id of a task
cancelled = []  # rows of tasks
before = {"processes": set(), "sockets": set(), "begun": False}


class Limbo(dict):
    """In place of threading._limbo, into which each thread is put by the one that starts it."""

    def __setitem__(self, thread, value):
        dict.__setitem__(self, thread, value)
        if len(known) > 2000:
            alive = {id(t) for t in list(threading._active.values())} | {id(t) for t in list(self)}
            for gone in [i for i in list(known) if i not in alive]:
                known.pop(gone, None)
        frame = sys._getframe(1)
        known[id(thread)] = Made(frame.f_back if frame.f_code.co_name == "start" else frame)


def noting_process(original):
    """Stands in for what begins a process, which the debugger has replaced anyway."""

    def begin(*args, **kwargs):
        pid = original(*args, **kwargs)
        if type(pid) is int and pid > 0:
            processes[pid] = Made(sys._getframe(1))
        return pid

    return begin


def in_events(module):
    original = module.BaseEventLoop.create_task

    def create_task(self, *args, **kwargs):
        task = original(self, *args, **kwargs)
        try:
            key = id(task)
            tasks[key] = weakref.ref(task, lambda _: tasks.pop(key, None)), Made(sys._getframe(1))
        except TypeError:  # of a kind of its own, of which nothing is known
            pass
        return task

    module.BaseEventLoop.create_task = create_task


def in_runners(module):
    original = module._cancel_all_tasks

    def _cancel_all_tasks(loop, *args, **kwargs):
        for ref, made in list(tasks.values()):
            task = ref()
            if task is not None and not task.done() and task.get_loop() is loop:
                cancelled.append(task_row(task, made, True))
        return original(loop, *args, **kwargs)

    module._cancel_all_tasks = _cancel_all_tasks


def task_row(task, made, ended):
    frames, coroutine, awaits = [], task.get_coro(), ""
    while coroutine is not None and len(frames) < DEEPEST:
        frame = next((f for f in (getattr(coroutine, name, None) for name in ("cr_frame", "ag_frame", "gi_frame")) if f is not None), None)
        if frame is not None:
            frames.insert(0, (frame.f_code.co_filename, frame.f_lineno, frame.f_code.co_name))
            awaits = getattr(coroutine, "__qualname__", "")
        coroutine = next((c for c in (getattr(coroutine, name, None) for name in ("cr_await", "ag_await", "gi_yieldfrom")) if c is not None), None)
    return made.row("task", task.get_name(), frames, awaits=awaits, cancelled=ended, tested=made.tested)


def children():
    """The processes that this one has begun and that run: what they were called with, by number."""
    found = {}
    try:
        for thread in os.listdir("/proc/self/task"):
            with open("/proc/self/task/%s/children" % thread) as f:
                pids = f.read().split()
            for pid in pids:
                with open("/proc/%s/stat" % pid) as f:
                    state = f.read().rpartition(") ")[2][:1]
                if state not in "ZX":
                    with open("/proc/%s/cmdline" % pid, "rb") as f:
                        found[int(pid)] = f.read(300).decode("utf-8", "replace").replace("\0", " ").strip()
    except OSError:  # it has ended meanwhile, or the system does not tell
        pass
    return found


def listening():
    """The addresses at which sockets of this process listen."""
    found, own = {}, set()
    try:
        for fd in os.listdir("/proc/self/fd"):
            try:
                own.add(os.readlink("/proc/self/fd/" + fd))
            except OSError:
                pass
        for name in ("tcp", "tcp6"):
            with open("/proc/self/net/" + name) as f:
                for line in f.readlines()[1:]:
                    words = line.split()
                    if words[3] == "0A" and "socket:[%s]" % words[9] in own:
                        found[words[9]] = int(words[1].rpartition(":")[2], 16)
    except (OSError, IndexError):
        pass
    return found


def tests_begin():
    if not before["begun"]:
        before.update(begun=True, processes=set(children()), sockets=set(listening()))


def candidates():
    """Threads of the program that run beside its main code."""
    found = []
    for t in list(threading._active.values()):
        made = known.get(id(t))
        if made is None or t is threading.current_thread() or getattr(t, "pydev_do_not_trace", False) or getattr(t, "is_pydev_daemon_thread", False):
            continue
        if (made.tested or everything) and t.is_alive():
            found.append((t, made))
    return found


def names():
    """The processes of multiprocessing by number."""
    module = sys.modules.get("multiprocessing.process")
    found = {}
    for process in list(getattr(module, "_children", ())):
        pid = getattr(getattr(process, "_popen", None), "pid", None)
        if pid is not None:
            found[pid] = process.name
    return found


def first(kind, things, unseen):
    """The first of all, and a note of how many more there are."""
    if len(things) > MOST:
        unseen.append("%d more %s were not looked at" % (len(things) - MOST, kind))
    return things[:MOST]


def rows():
    frames, unseen = sys._current_frames(), []
    for t, made in first("threads", candidates(), unseen):
        yield made.row("thread", t.name, stack(frames.get(t.ident)), daemon=t.daemon)
    for ref, made in first("tasks", list(tasks.values()), unseen):
        task = ref()
        if task is not None and not task.done() and (made.tested or everything):
            yield task_row(task, made, False)
    for row in first("cancelled tasks", cancelled, unseen):
        if row["tested"] or everything:
            yield row
    called = names()
    for pid, line in first("processes", list(left_children().items()), unseen):
        made = processes.get(pid)
        name = "%d %s" % (pid, called.get(pid, line))
        yield made.row("process", name, []) if made is not None else {"kind": "process", "name": name}
    for inode, port in first("sockets", list(listening().items()), unseen):
        if inode not in before["sockets"]:
            yield {"kind": "server", "name": "at port %d" % port}
    for said in unseen:
        yield {"kind": "unseen", "name": said}


def left_children():
    return {pid: line for pid, line in children().items() if pid not in before["processes"] and counts(processes.get(pid))}


def counts(made):
    """Whether a process is one of the program's, which is not known of all."""
    if made is None:
        return True
    return (made.tested or everything) and not any(f.replace("\\", "/").endswith(HELPERS) for f, _, _ in made.frames[:8])


def look(directory):
    if not (before["begun"] or everything):
        return
    end = time.monotonic() + LIMIT
    for t, _ in candidates():
        t.join(max(0, end - time.monotonic()))
    while left_children() and time.monotonic() < end:
        time.sleep(0.01)
    path = os.path.join(directory, "left.json")
    with open(path + ".new", "w", encoding="utf-8", errors="replace") as f:
        json.dump(list(rows()), f)
    os.rename(path + ".new", path)


def looking(original, directory, process):
    """Stands in for threading._shutdown, which the interpreter calls when the main code is through."""

    def _shutdown():
        if os.getpid() == process:
            try:
                look(directory)
            except Exception:  # it is not looked at then, which is said
                pass
        original()

    _shutdown.joining = True  # as children.py has it
    return _shutdown


def unpatched(name, e):
    pass  # the tasks of such a library are not known


asked = os.environ.pop("AIDB_LEFT", None)
if asked is not None:
    everything, _, directory = asked.partition(":")
    everything = everything == "any"
    threading._limbo = Limbo(threading._limbo)
    for module, name in (("os", "fork"), ("os", "posix_spawn"), ("os", "posix_spawnp"), ("_posixsubprocess", "fork_exec"), ("subprocess", "_fork_exec")):
        if hasattr(sys.modules.get(module), name):
            setattr(sys.modules[module], name, noting_process(getattr(sys.modules[module], name)))
    patch_imported({"asyncio.base_events": in_events, "asyncio.runners": in_runners}, unpatched)  # noqa: F821 which recorder/imports.py has
    constants.aidb_tests_begin = tests_begin
    threading._shutdown = looking(threading._shutdown, directory, os.getpid())
