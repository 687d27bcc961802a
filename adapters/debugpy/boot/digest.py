# Lists the program's threads with their stacks, as JSON in hexadecimal: asked one
# by one, debugpy waits half a second for each thread that it cannot stop because
# it waits in C code. It is evaluated in the program: see digest.go.
def digest(depth):
    import json
    import sys
    import threading

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
        while f is not None and len(frames) < depth:
            c = f.f_code
            path = c.co_filename.replace("\\", "/")
            if path == "pydevd.py" or "do_wait_suspend" in c.co_name and "/debugpy/_vendored/" in path:
                frames = []  # what is above waits for the debugger, or is a script of ours
            elif "/debugpy/_vendored/" not in path and "/debugpy/server/" not in path and "/debugpy/__main__" not in path:
                frames.append((c.co_name, c.co_filename, f.f_lineno))
            f = f.f_back
        threads.append({"id": number, "name": t.name, "daemon": t.daemon, "frames": frames})
    return json.dumps(threads).encode().hex()
