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
                return "a lock (threading)", text, held
        if any(named(frame, text) is time.sleep for text in re.findall(r"([A-Za-z_][\w.]*)\(", line)):
            return "a time to pass (sleep)", "", None
        return "", "", None

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
        waiting, on, owner = "", "", ""
        if f is not None:
            try:
                waiting, on, held = waits(f)
                owner = holder(held) if held is not None else ""
            except Exception:  # of a value of the program's
                pass
        while f is not None and len(frames) < depth:
            c = f.f_code
            path = c.co_filename.replace("\\", "/")
            if path == "pydevd.py" or "do_wait_suspend" in c.co_name and "/debugpy/_vendored/" in path:
                frames = []  # what is above waits for the debugger, or is a script of ours
            elif "/debugpy/_vendored/" not in path and "/debugpy/server/" not in path and "/debugpy/__main__" not in path and "/debugpy/../debugpy/" not in path:
                frames.append((c.co_name, c.co_filename, f.f_lineno))
            f = f.f_back
        threads.append({"id": number, "name": t.name, "daemon": t.daemon, "frames": frames, "waiting": waiting, "on": on, "holder": owner})
    return json.dumps(threads).encode().hex()
