# Lists the program's threads with their stacks, as JSON in hexadecimal: asked one
# by one, debugpy waits half a second for each thread that it cannot stop because
# it waits in C code. It is evaluated in the program: see digest.go.
def digest(depth):
    import json
    import linecache
    import re
    import sys
    import threading
    import time

    locks = (type(threading.Lock()), type(threading.RLock()))

    def named(frame, text):
        """The object of a name with attributes, by what runs no code of the program's."""
        names = text.split(".")
        value = frame.f_locals.get(names[0], frame.f_globals.get(names[0]))
        for name in names[1:]:
            value = getattr(value, "__dict__", {}).get(name)
        return value

    def lock(frame, text):
        value = named(frame, text)
        value = value._lock if isinstance(value, threading.Condition) else value
        return value if isinstance(value, locks) else None

    def within(line):
        """The expressions of a with statement."""
        entered = re.match(r"\s*with\s+(.+?):\s*(#.*)?$", line)
        return [re.sub(r"\s+as\s+\w+$", "", part.strip()) for part in entered.group(1).split(",")] if entered else []

    def waits(frame):
        """What a thread waits for whose innermost call is C code that a line of its own calls."""
        line = linecache.getline(frame.f_code.co_filename, frame.f_lineno)
        for text in [*within(line), *re.findall(r"([A-Za-z_][\w.]*)\.acquire\(", line)]:
            held = lock(frame, text)
            if held is not None and " object " in repr(held) and repr(held).startswith("<locked"):
                return "a lock (threading)", text, held, text in within(line) or text + ".acquire()" in line
        if any(named(frame, text) is time.sleep for text in re.findall(r"([A-Za-z_][\w.]*)\(", line)):
            return "a time to pass (sleep)", "", None, False
        return "", "", None, False

    def lasts(frame):
        """Whether a thread that waits within threading or queue does so until another lets it go on."""
        files = {sys.modules[name].__file__ for name in ("threading", "queue", "concurrent.futures._base") if name in sys.modules}
        found = frame.f_code.co_filename in files and frame.f_code.co_name in ("wait", "join", "_wait_for_tstate_lock", "_shutdown")
        while found and frame is not None and frame.f_code.co_filename in files:
            if frame.f_locals.get("timeout") not in (None, -1):
                return False
            frame = frame.f_back
        return found

    def alarmed():
        import signal

        return hasattr(signal, "getitimer") and signal.getitimer(signal.ITIMER_REAL)[0] > 0

    def holds(frame, held):
        """Whether a frame stands within a with statement of a lock."""
        indent, number = None, frame.f_lineno
        while number >= frame.f_code.co_firstlineno and frame.f_code.co_firstlineno > 0:
            line = linecache.getline(frame.f_code.co_filename, number)
            own = len(line) - len(line.lstrip())
            if line.strip() and (indent is None or own < indent):
                if indent is not None and any(lock(frame, text) is held for text in within(line)):
                    return True
                indent = own
            number -= 1
        return False

    def holder(held):
        owner = re.search(r"owner=(\d+)", repr(held))
        for t in threading.enumerate():
            if owner:
                if t.ident == int(owner.group(1)):
                    return t.name
                continue
            f = stacks.get(t.ident)
            for _ in range(depth):
                if f is None:
                    break
                if holds(f, held):
                    return t.name
                f = f.f_back
        return ""

    def place(coroutine):
        """Where the innermost of nested coroutines that is no library's rests, and what of a library it awaits."""
        at, awaits = "", ""
        while coroutine is not None:
            f = getattr(coroutine, "cr_frame", None) or getattr(coroutine, "ag_frame", None) or getattr(coroutine, "gi_frame", None)
            if f is not None and not ("lib/python" in f.f_code.co_filename.replace("\\", "/") or f.f_code.co_filename.startswith("<")):
                at = "%s at %s:%d" % (f.f_code.co_name, f.f_code.co_filename.replace("\\", "/").rsplit("/", 1)[-1], f.f_lineno)
                awaits = ""
            elif f is not None and not awaits:
                awaits = getattr(coroutine, "__qualname__", "")
            coroutine = getattr(coroutine, "cr_await", None) or getattr(coroutine, "ag_await", None) or getattr(coroutine, "gi_yieldfrom", None)
        return "%s (%s)" % (at, awaits) if at and awaits else at

    def running(frame):
        """The event loop that runs in a thread."""
        loops = sys.modules.get("asyncio")
        while loops is not None and frame is not None:
            if frame.f_globals.get("__name__") in ("asyncio.base_events", "asyncio.runners"):  # of one in C there are the runner's frames
                self = frame.f_locals.get("self")
                for loop in (self, getattr(self, "_loop", None), frame.f_locals.get("loop")):
                    if isinstance(loop, loops.AbstractEventLoop) and loop.is_running():
                        return loop
            frame = frame.f_back
        return None

    def tasks(frame):
        """Where the tasks rest that are run by the loop of a thread, but for the one that it
        runs now, and whether nothing can wake one: no timer, no descriptor, no signal."""
        loop = running(frame)
        if loop is None:
            return "", False
        asyncio = sys.modules["asyncio"]
        current = asyncio.current_task(loop)
        resting = [t for t in list(asyncio.all_tasks(loop)) if not t.done() and t is not current]
        places = sorted("%s in %s" % (t.get_name(), place(t.get_coro())) for t in resting if place(t.get_coro()))
        inner = ("_ssock", "_scheduled", "_ready", "_signal_handlers", "_selector")
        dead = current is None and all(hasattr(loop, name) for name in inner) and not (loop._scheduled or loop._ready or loop._signal_handlers)
        dead = dead and len(loop._selector.get_map()) <= 1  # its own
        return ", ".join(places[:5]) + (" and %d more tasks" % (len(places) - 5) if len(places) > 5 else ""), dead

    base = sys.modules["_pydevd_bundle._debug_adapter.pydevd_base_schema"].BaseSchema
    stacks = sys._current_frames()
    threads = []
    for t in threading.enumerate():
        if getattr(t, "is_pydev_daemon_thread", False) or getattr(t, "pydev_do_not_trace", False):
            continue
        number = base._obj_id_to_dap_id.get(getattr(t, "__pydevd_id__", None))
        if number is None:
            continue
        frames, f = [], stacks.get(t.ident)
        waiting, on, owner, endless, resting = "", "", "", False, ""
        if f is not None:
            try:
                waiting, on, held, endless = waits(f)
                endless = (endless or lasts(f)) and not alarmed()
                owner = holder(held) if held is not None else ""
                resting, dead = tasks(f)
                if resting:
                    endless = dead and not alarmed()
            except Exception:  # of a value of the program's
                pass
        while f is not None and len(frames) < depth:
            c = f.f_code
            path = c.co_filename.replace("\\", "/")
            if path == "pydevd.py" and c.co_name == "_exec":
                break  # it runs the thread: see resting.py
            if path == "pydevd.py" or "do_wait_suspend" in c.co_name and "/debugpy/_vendored/" in path:
                # What is above waits for the debugger, or is a script of ours.
                frames, waiting, on, owner, endless = [], "", "", "", False
            elif "/debugpy/_vendored/" not in path and "/debugpy/server/" not in path and "/debugpy/__main__" not in path and "/debugpy/../debugpy/" not in path:
                frames.append((c.co_name, c.co_filename, f.f_lineno))
            f = f.f_back
        threads.append({"id": number, "name": t.name, "daemon": t.daemon, "frames": frames, "waiting": waiting, "on": on, "holder": owner, "endless": endless, "tasks": resting})
    return json.dumps(threads).encode().hex()
