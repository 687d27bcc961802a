# Tells who waits for what, and who holds it, as JSON in hexadecimal: threads, and the tasks of
# asyncio, trio and Twisted. It is evaluated in the program, runs no code of it, and knows Python's own locks: see
# waits.go. Holding.py, standing.py and deferring.py come before it in one text, whose names are of one look and go with it.
import json
import sys
import threading
import types


def waits(most):
    try:
        return json.dumps(told(most)).encode().hex()
    finally:
        for kept in (trees, found, waited, everybody):
            kept.clear()  # or the program's frames would stay until its garbage is collected


def told(most):
    notes, rows = [], []
    for w, of in waiters():
        try:
            look(w, of)
        except Exception as e:  # of a value of the program's
            notes.append(unread(w, e))
    all = [w for w in everybody if w.what]
    for w in all[:most]:
        try:
            rows.append(w.row())
        except Exception as e:
            notes.append(unread(w, e))
    return {"waiters": rows, "left_out": max(len(all) - most, 0), "notes": notes[:5]}


def unread(w, error):
    return "what %s waits for could not be read: %s" % (w.who, type(error).__name__)


def waiters():
    """Enters everybody; those who are to be looked at, each with its thread or its task of asyncio."""
    stacks, asked, deferring = sys._current_frames(), [], False
    numbers = sys.modules["_pydevd_bundle._debug_adapter.pydevd_base_schema"].BaseSchema._obj_id_to_dap_id
    for t in threading.enumerate():
        if getattr(t, "is_pydev_daemon_thread", False) or getattr(t, "pydev_do_not_trace", False):
            continue
        number = numbers.get(getattr(t, "__pydevd_id__", None))
        frames, stands = frames_of(stacks.get(t.ident)) if number is not None else ([], False)
        if not frames:
            continue
        w = Waiter("t%d" % t.ident, "thread " + t.name, number, frames)
        loop, runner = loops(frames)
        everybody.append(w)
        if loop is not None:
            current = asyncio.current_task(loop)
            asked += tasks_of(loop, current)
            if current is None and not stands:
                w.waits("what its event loop is told (asyncio)")
        elif runner is not None:
            asked += trio_tasks_of(runner)
            if not stands:
                w.waits("what its event loop is told (trio)")
        elif defer is not None and reacts(frames):
            deferring = True
            if not stands:
                w.waits("what its event loop is told (Twisted)")
        elif not stands:
            asked.append((w, t))
    if deferring:
        twisted_waits()
    return asked


def frames_of(f):
    """The frames of a thread without the debugger's, and whether that holds it."""
    frames, stands = [], False
    while f is not None:
        path = f.f_code.co_filename.replace("\\", "/")
        if path == "pydevd.py" and f.f_code.co_name == "_exec":
            break
        if path == "pydevd.py" or "do_wait_suspend" in f.f_code.co_name and "/debugpy/_vendored/" in path:
            frames, stands = [], f.f_code.co_name != "stand"  # which a loop has called that was waiting: see rousing.py
        elif not any(part in path for part in ("/debugpy/_vendored/", "/debugpy/server/", "/debugpy/__main__", "/debugpy/../debugpy/")):
            frames.append(f)
        f = f.f_back
    return frames, stands


def tasks_of(loop, current):
    """Enters the tasks of an event loop that do not run."""
    asked = []
    for task in sorted((k for k in list(asyncio.all_tasks(loop)) if not k.done()), key=lambda k: k.get_name()):
        frames = coroutines(task.get_coro())
        if task is current or not frames:
            continue
        w = Waiter("task%d" % id(task), "task %s%s" % (task.get_name(), ", cancelled" if getattr(task, "cancelling", int)() else ""), 0, frames)
        w.made = made(task)
        everybody.append(w)
        asked.append((w, task))
    return asked


def trio_tasks_of(runner):
    """Enters the tasks of a run of trio."""
    asked = []
    for task in sorted(runner.tasks, key=lambda k: k.name):
        frames = coroutines(task.coro)
        if frames and not task.name.startswith(("trio.", "<")):  # its own
            w = Waiter("task%d" % id(task), "trio task " + task.name, 0, frames)
            everybody.append(w)
            asked.append((w, None))
    return asked


def coroutines(coroutine):
    """The frames of nested coroutines, the innermost first."""
    all = []
    while coroutine is not None:
        f = getattr(coroutine, "cr_frame", None) or getattr(coroutine, "ag_frame", None) or getattr(coroutine, "gi_frame", None)
        if f is not None:
            all.insert(0, f)
        coroutine = getattr(coroutine, "cr_await", None) or getattr(coroutine, "ag_await", None) or getattr(coroutine, "gi_yieldfrom", None)
    return all


def made(task):
    """Where a task was made, which asyncio keeps in its debug mode."""
    for entry in reversed(getattr(task, "_source_traceback", None) or []):
        code = types.SimpleNamespace(co_filename=entry.filename)
        if own(code):
            return {"file": entry.filename, "line": entry.lineno, "function": entry.name}


def loops(frames):
    """The event loop, and the run of trio, that a thread runs."""
    for f in frames:
        self = f.f_locals.get("self")
        if asyncio is not None and f.f_globals.get("__name__") in ("asyncio.base_events", "asyncio.runners"):  # of one in C there are the runner's frames
            for loop in (self, getattr(self, "_loop", None), f.f_locals.get("loop")):
                if isinstance(loop, asyncio.AbstractEventLoop) and loop.is_running():
                    return loop, None
        # What runs the tasks is a generator: it is on no stack while the loop waits for events, and run is.
        if trio is not None and f.f_code.co_name in ("run", "unrolled_run") and f.f_globals.get("__name__") == "trio._core._run":
            return None, f.f_locals.get("runner")
    return None, None


def look(w, of):
    if isinstance(of, threading.Thread):
        if w.frames[0] is w.user:
            in_c(w, w.user)
        elif not library(w) and w.user is not None:
            f = next(f for i, f in enumerate(w.frames) if w.frames[i + 1 :][:1] == [w.user])
            if f.f_code.co_name in ("wait", "acquire", "get", "recv", "read", "select", "poll", "join", "accept", "result"):
                w.waits("%s in %s" % (f.f_code.co_name, f.f_globals.get("__name__", "?")))
    elif of is not None:
        task_waits(w, of)
    else:
        for f in reversed(w.frames[: w.frames.index(w.user)] if w.user is not None else w.frames):
            if asyncio_known(w, f, f.f_locals.get("self"), f.f_code.co_name):
                return
        w.waits("%s (trio)" % w.frames[0].f_code.co_name)
