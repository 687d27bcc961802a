# Tells who waits for what, and who holds it, as JSON in hexadecimal: threads, and the tasks of
# asyncio and trio. It is evaluated in the program, runs no code of it, and knows Python's own locks: see waits.go.
def waits(most):
    import ast
    import json
    import linecache
    import re
    import sys
    import threading
    import time
    import types

    LOCKS = (type(threading.Lock()), type(threading.RLock()))
    stacks = sys._current_frames()
    asyncio, trio = sys.modules.get("asyncio"), sys.modules.get("trio")
    nobody = "no thread stands within a with statement, or after an acquire(), of it"
    trees, found, rows, notes = {}, {}, [], []

    def own(code):
        path = code.co_filename.replace("\\", "/")
        return not ("lib/python" in path or "/Lib/" in path or "site-packages/" in path or path.startswith("<") or "/debugpy/" in path or path == "pydevd.py")

    def spot(frame):
        return {"file": frame.f_code.co_filename, "line": frame.f_lineno or 0, "function": getattr(frame.f_code, "co_qualname", frame.f_code.co_name).replace(".<locals>", "")}

    def named(frame, text):
        """The object of a name with attributes, by what runs no code of the program's."""
        names = text.split(".")
        value = frame.f_locals.get(names[0], frame.f_globals.get(names[0]))
        for name in names[1:]:
            held = value.__dict__ if isinstance(value, types.ModuleType) else getattr(type(value), "__dict__", {}) and object_dict(value)
            value = held.get(name, class_value(value, name)) if held is not None else None
        return value

    def object_dict(value):
        try:
            return object.__getattribute__(value, "__dict__")
        except Exception:
            return {}

    def class_value(value, name):
        for c in type.mro(value if isinstance(value, type) else type(value)):
            if name in c.__dict__:
                at = c.__dict__[name]
                if isinstance(at, types.MemberDescriptorType):  # of __slots__
                    try:
                        return at.__get__(value)
                    except Exception:
                        return None
                return at
        return None

    def tree(filename):
        if filename not in trees:
            try:
                trees[filename] = ast.parse("".join(linecache.getlines(filename)))
            except Exception:
                trees[filename] = None
        return trees[filename]

    def text(e):
        """A name with attributes, empty for anything else."""
        if isinstance(e, ast.Name):
            return e.id
        inner = text(e.value) if isinstance(e, ast.Attribute) else ""
        return inner + "." + e.attr if inner else ""

    def called(e, method):
        """What a method is called on."""
        e = e.value if isinstance(e, ast.Await) else e
        return text(e.func.value) if isinstance(e, ast.Call) and isinstance(e.func, ast.Attribute) and e.func.attr == method else ""

    def surely(e):
        """Whether a call of acquire() comes back only with the lock: it is given no time, and told to wait."""
        e = e.value if isinstance(e, ast.Await) else e
        return not e.keywords and all(isinstance(a, ast.Constant) and a.value is True for a in e.args)

    def around(node, line):
        return getattr(node, "lineno", 0) <= line <= (getattr(node, "end_lineno", None) or -1)

    def body_of(filename, name, first):
        """The function that begins at a line."""
        for n in ast.walk(tree(filename) or ast.Module([], [])):
            if isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef)) and n.name == name:
                if min([n.lineno] + [d.lineno for d in n.decorator_list]) <= first <= n.lineno:
                    return n.body
        return tree(filename).body if name == "<module>" and tree(filename) else None

    def gives(node, name):
        return any(called(n, "release") == name for n in ast.walk(node) if isinstance(n, ast.Call))

    def follow(list, line, held):
        """The names of locks that are taken where a line of a list of statements runs: (name, line)."""
        for s in list:
            if around(s, line):
                return into(s, line, held)
            if s.lineno > line:
                break
            if isinstance(s, ast.Expr) and called(s.value, "acquire"):
                if surely(s.value):
                    held = held + [(called(s.value, "acquire"), s.lineno)]
            elif isinstance(s, ast.Assign) and called(s.value, "acquire"):
                pass  # whether it was got, its result says
            else:
                again = [text(t) for t in s.targets] if isinstance(s, ast.Assign) else []
                held = [h for h in held if not gives(s, h[0]) and h[0] not in again and h[0].split(".")[0] not in again]
        return held

    def into(s, line, held):
        if isinstance(s, (ast.With, ast.AsyncWith)):
            if s.body[0].lineno <= line:
                return follow(s.body, line, held + [(text(i.context_expr), s.lineno) for i in s.items if text(i.context_expr)])
            return held
        if isinstance(s, (ast.For, ast.AsyncFor, ast.While)):
            held = [h for h in held if not gives(s, h[0])]  # an earlier round
        if isinstance(s, ast.Try) and any(around(n, line) for n in s.handlers + s.finalbody):
            held = [h for h in held if not any(gives(n, h[0]) for n in s.body)]
        for part in ("body", "orelse", "finalbody"):
            inner = getattr(s, part, None)
            if isinstance(inner, type([])) and any(around(n, line) for n in inner):
                return follow(inner, line, held)
        for h in getattr(s, "handlers", []):
            if around(h, line):
                return follow(h.body, line, held)
        return held

    def taken(frame):
        """The locks that a frame has taken by what its source says: (object, line)."""
        code, line = frame.f_code, frame.f_lineno or 0
        key = code.co_filename, code.co_name, code.co_firstlineno, line
        if key not in found:
            body = body_of(code.co_filename, code.co_name, code.co_firstlineno)
            found[key] = follow(body, line, []) if body and hasattr(body[0], "end_lineno") else []
        all = [(named(frame, name), at) for name, at in found[key]]
        return all + before(frame, line)

    def released(frame, lock):
        """Whether a frame may have given a lock back before where it stands, itself or by waiting on a condition."""
        code = frame.f_code
        if code.co_name in ("wait", "wait_for") and type(frame.f_locals.get("self")).__name__ == "Condition":
            return inner(frame.f_locals["self"]) is lock
        if not own(code):
            return False
        for s in body_of(code.co_filename, code.co_name, code.co_firstlineno) or ():
            for n in ast.walk(s):
                if isinstance(n, ast.Call) and n.lineno <= (frame.f_lineno or 0):
                    name = called(n, "release")
                    if name and inner(named(frame, name)) is lock and not any(at is lock for at, _ in taken(frame)):
                        return True
        return False

    def before(frame, line):
        """Those of the same with statement before the one that is waited for."""
        at = waited.get(id(frame))
        for n in ast.walk(tree(frame.f_code.co_filename) or ast.Module([], [])) if at else ():
            if isinstance(n, (ast.With, ast.AsyncWith)) and n.lineno <= line < n.body[0].lineno:
                names = [text(i.context_expr) for i in n.items]
                if at in names:
                    return [(named(frame, name), n.lineno) for name in names[: names.index(at)] if name]
        return []

    waited = {}  # by the frame that waits, the name of the lock

    def inner(lock):
        lock = lock._lock if isinstance(lock, threading.Condition) else lock
        if asyncio is not None and isinstance(lock, asyncio.Condition):
            lock = lock._lock
        return lock

    def say(o):
        return "%s %#x" % (type(o).__name__ if not isinstance(o, LOCKS) else "threading." + type(o).__name__.replace("lock", "Lock"), id(o))

    class Waiter:
        """One of the rows, with the frames in which it may hold something."""

        def __init__(self, key, who, thread, frames):
            self.key, self.who, self.thread, self.frames = key, who, thread, frames
            self.user = next((f for f in frames if own(f.f_code)), None)
            self.what, self.on, self.timed, self.system = "", "", False, False
            self.lock, self.after, self.unknown = None, [], ""
            self.made = None

        def waits(self, what, of="", on="", timed=False):
            self.what, self.on, self.timed = what + (": " + of if of else ""), on, timed

        def row(self):
            at = spot(self.user) if self.user is not None else None
            return {
                "key": self.key, "who": self.who, "thread": self.thread, "at": at or {}, "for": self.what, "on": self.on, "timed": self.timed,
                "system": self.system, "holders": self.holders(), "unknown": self.unknown, "made": self.made or {},
            }

        def holders(self):
            told = [holder(w, does) for w, does in self.after]
            if self.lock is None:
                return told
            owner = re.search(r"owner=(\d+)", object.__repr__(self.lock) if not isinstance(self.lock, LOCKS) else repr(self.lock))
            tasks = getattr(self.lock, "_owner", None) if trio is not None and type(self.lock).__module__.startswith("trio") else None
            for w in everybody:
                if owner and w.key != "t" + owner.group(1) or tasks is not None and w.key != "task%d" % id(tasks):
                    continue
                for f in w.frames:
                    if not owner and released(f, self.lock):
                        break  # what called it has it no more
                    line = next((line for lock, line in taken(f) if inner(lock) is self.lock), 0)
                    if line:
                        place = spot(f)
                        place["line"] = line
                        told.append(holder(w, "", place))
                        break
                else:
                    if owner or tasks is not None:
                        told.append(holder(w, ""))
            if len(told) > 1 and not owner:
                told = []
                self.unknown = "several stand where they would hold it"
            elif not told:
                self.unknown = self.unknown or ("the thread that took it has ended" if owner and not any(w.key == "t" + owner.group(1) for w in everybody) else nobody)
            return told

    def holder(w, does, place=None):
        return {"key": w.key, "who": w.who, "does": does, "taken": place or {}, "stands": spot(w.user) if w.user is not None else {}}

    def limit(frame):
        return frame.f_locals.get("timeout") not in (None, -1)

    def locked(w, lock, name, frame, timed=False):
        """Waits for one of Python's locks."""
        w.lock = inner(lock)
        waited[id(frame)] = name
        w.waits("a lock", name, say(w.lock), timed)

    def in_c(w, frame):
        """What a thread waits for whose innermost call is C code that a line of its own calls."""
        line = linecache.getline(frame.f_code.co_filename, frame.f_lineno)
        entered = re.match(r"\s*(?:async\s+)?with\s+(.+?):\s*(#.*)?$", line)
        names = [re.sub(r"\s+as\s+\w+$", "", part.strip()) for part in entered.group(1).split(",")] if entered else []
        for name in names + re.findall(r"([A-Za-z_][\w.]*)\.acquire\(", line):
            lock = inner(named(frame, name))
            if isinstance(lock, LOCKS) and repr(lock).startswith("<locked"):
                if "owner=%s " % w.key[1:] in repr(lock):
                    continue  # its own: it has that already
                locked(w, lock, name, frame, name not in names and name + ".acquire()" not in line)
                return True
        for call, name in re.findall(r"((?:([A-Za-z_][\w.]*)\.)?\w+)\(", line):
            value = named(frame, call)
            if value is time.sleep:
                w.waits("a time to pass (sleep)", timed=True)
                return True
            of = named(frame, name) if name else None
            kind, method = type(of).__module__ + "." + type(of).__name__, call.rsplit(".", 1)[-1]
            if kind == "_queue.SimpleQueue" and method == "get":
                w.waits("an item", name, "queue.SimpleQueue %#x, %d in it" % (id(of), of.qsize()), "timeout" in line)
                return True
            if kind in ("socket.socket", "_socket.socket", "ssl.SSLSocket") and method in ("recv", "accept", "connect", "send", "sendall", "recv_into", "recvfrom"):
                w.waits("a socket (%s)" % method, name, "fd %d" % of.fileno(), of.gettimeout() is not None)
                return True
            if value is getattr(sys.modules.get("os"), "waitpid", 0) or value is getattr(sys.modules.get("os"), "wait", 0):
                w.waits("the end of a child process")
                return True
            if method == "readline" and of is sys.stdin or call == "input":
                w.waits("input (stdin)")
                return True
        return False

    def name_in(frame, value):
        """How a line of the user's names an object whose method it calls."""
        if frame is None:
            return ""
        line = linecache.getline(frame.f_code.co_filename, frame.f_lineno or 0)
        return next((n for n in re.findall(r"[A-Za-z_][\w.]*", line) for n in (n, n.rpartition(".")[0]) if n and named(frame, n) is value), "")

    def library(w):
        """What the functions of the library between the top and the user's own say, the one next to the user's first."""
        above = []
        for f in w.frames:
            if f is w.user:
                break
            above.append(f)
        for f in reversed(above):
            if known(w, f, f.f_locals.get("self"), f.f_code.co_name, any(limit(g) for g in above)):
                return True
        return False

    def known(w, f, self, method, timed):
        kind = "" if self is None else type(self).__module__ + "." + type(self).__name__
        kinds = () if self is None else tuple(c.__module__ + "." + c.__name__ for c in type.mro(type(self)))
        name = name_in(w.user, self)
        on = "" if self is None else "%s %#x" % (kind, id(self))
        if "threading.Thread" in kinds and method in ("join", "_wait_for_tstate_lock", "_join"):
            w.waits("the end of thread %s (join)" % self.name, name, timed=timed)
            w.after = [(o, "has not ended") for o in everybody if o.key == "t%s" % self.ident]
            return True
        if "threading.Event" in kinds and method == "wait":
            w.waits("an event to be set", name, on, timed)
        elif "threading.Semaphore" in kinds and method in ("acquire", "__enter__"):
            w.waits("a semaphore", name, "%s, value %d" % (on, self._value), timed)
        elif "threading.Barrier" in kinds:
            w.waits("a barrier", name, "%s, %d of %d there" % (on, self._count, self._parties), timed)
        elif "queue.Queue" in kinds and method in ("get", "put", "join"):
            on = "%s, %d in it" % (on, len(self.queue)) + (", room for %d" % self.maxsize if self.maxsize > 0 else "")
            what = {"get": "an item", "put": "room for an item", "join": "the %d unfinished tasks" % self.unfinished_tasks}[method]
            w.waits(what, name, on, timed)
        elif "concurrent.futures._base.Future" in kinds and method in ("result", "exception"):
            w.waits("the result of a future", name, "%s, %s" % (on, self._state.lower()), timed)
            for o in everybody:
                if any(getattr(g.f_locals.get("self"), "future", None) is self and g.f_code.co_name == "run" for g in o.frames):
                    w.after.append((o, "runs it"))
        elif "threading.Condition" in kinds and method in ("wait", "wait_for"):
            if f is not w.frames[0] or not isinstance(f.f_locals.get("waiter"), LOCKS) or f.f_locals.get("gotit") is not True:
                w.waits("a condition to be notified", name, on, timed)
            else:
                locked(w, self, name, f)
        elif "subprocess.Popen" in kinds:
            w.waits("the end of a child process", name, "pid %s" % self.pid, timed)
        elif kind in ("socket.socket", "ssl.SSLSocket"):
            w.waits("a socket (%s)" % method, name, "fd %d" % self.fileno(), self.gettimeout() is not None)
        elif f.f_code.co_filename.endswith("selectors.py"):
            w.waits("input or output (%s)" % method, timed=timed)
        else:
            return False
        return True

    def coroutines(coroutine):
        """The frames of nested coroutines, the innermost first."""
        all = []
        while coroutine is not None:
            f = getattr(coroutine, "cr_frame", None) or getattr(coroutine, "ag_frame", None) or getattr(coroutine, "gi_frame", None)
            if f is not None:
                all.insert(0, f)
            coroutine = getattr(coroutine, "cr_await", None) or getattr(coroutine, "ag_await", None) or getattr(coroutine, "gi_yieldfrom", None)
        return all

    def task_waits(w, task):
        for f in reversed(w.frames[: w.frames.index(w.user)] if w.user is not None else w.frames):
            if asyncio_known(w, f, f.f_locals.get("self"), f.f_code.co_name):
                return
        on = getattr(task, "_fut_waiter", None)
        if on is None:
            return w.waits("its turn (it is ready to run)")
        tell_future(w, on)

    def tell_future(w, on):
        name = name_in(w.user, on)
        if isinstance(on, asyncio.Task):
            w.waits("the end of task %s" % on.get_name(), name)
            w.after = [(o, "has not ended") for o in everybody if o.key == "task%d" % id(on)]
        elif getattr(on, "_children", None) is not None and "Gathering" in type(on).__name__:
            left = [c for c in on._children if not c.done()]
            w.waits("%d of %d gathered to end" % (len(left), len(on._children)), "")
            w.after = [(o, "has not ended") for c in left for o in everybody if o.key == "task%d" % id(c)]
        else:
            w.waits("a future to be set", name, "%s.Future %#x" % (type(on).__module__.lstrip("_"), id(on)))

    def asyncio_known(w, f, self, method):
        kind = "" if self is None else type(self).__module__ + "." + type(self).__name__
        kinds = () if self is None else tuple(c.__module__ + "." + c.__name__ for c in type.mro(type(self)))
        name, on = name_in(w.user, self), "%s %#x" % (kind.replace(".locks", "").replace(".queues", ""), id(self))
        if "asyncio.locks.Lock" in kinds:
            w.lock = self
            waited[id(w.user)] = name
            w.waits("a lock", name, on)
        elif "asyncio.locks.Condition" in kinds:
            w.waits("a condition to be notified", name, on)
        elif "asyncio.locks.Event" in kinds:
            w.waits("an event to be set", name, on)
        elif "asyncio.locks.Semaphore" in kinds:
            w.waits("a semaphore", name, "%s, value %d" % (on, self._value))
        elif "asyncio.queues.Queue" in kinds and method in ("get", "put", "join"):
            on = "%s, %d in it" % (on, self.qsize()) + (", room for %d" % self.maxsize if self.maxsize > 0 else "")
            w.waits({"get": "an item", "put": "room for an item", "join": "its unfinished tasks"}[method], name, on)
        elif "asyncio.taskgroups.TaskGroup" in kinds:
            left = [t for t in self._tasks if not t.done()]
            w.waits("the %d tasks of its group to end" % len(left))
            w.after = [(o, "has not ended") for t in left for o in everybody if o.key == "task%d" % id(t)]
        elif f.f_code.co_name == "_wait" and "asyncio" in f.f_code.co_filename and f.f_locals.get("fs"):
            left = [t for t in f.f_locals["fs"] if not t.done()]
            w.waits("%d of %d tasks to end" % (len(left), len(f.f_locals["fs"])), timed=limit(f))
            w.after = [(o, "has not ended") for t in left for o in everybody if o.key == "task%d" % id(t)]
        elif f.f_code.co_name == "sleep" and "asyncio" in f.f_code.co_filename:
            w.waits("a time to pass (asyncio.sleep)", timed=True)
        elif f.f_code.co_name in ("wait_for", "timeout") and "asyncio" in f.f_code.co_filename and f.f_locals.get("timeout") is not None:
            inner = f.f_locals.get("fut")
            tell_future(w, inner) if isinstance(inner, asyncio.Future) else w.waits("what it waits for with a time limit")
            w.timed = True
        elif trio is not None and kind.startswith("trio."):
            w.waits("%s.%s" % (kind.rsplit(".", 1)[-1], method), name, on)
            if hasattr(self, "_owner"):
                w.lock = self
        elif trio is not None and f.f_code.co_name in ("sleep", "sleep_until") and "trio" in f.f_code.co_filename:
            w.waits("a time to pass (trio.%s)" % f.f_code.co_name, timed=True)
        else:
            return False
        return True

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
            if asyncio is not None and f.f_code.co_name in ("_run_once", "run_forever") and isinstance(self, asyncio.AbstractEventLoop):
                return self, None
            if trio is not None and f.f_code.co_name == "unrolled_run":
                return None, f.f_locals.get("runner")
        return None, None

    base = sys.modules["_pydevd_bundle._debug_adapter.pydevd_base_schema"].BaseSchema
    everybody, asked = [], []
    for t in threading.enumerate():
        if getattr(t, "is_pydev_daemon_thread", False) or getattr(t, "pydev_do_not_trace", False):
            continue
        number, f, frames, stands = base._obj_id_to_dap_id.get(getattr(t, "__pydevd_id__", None)), stacks.get(t.ident), [], False
        while f is not None and number is not None:
            path = f.f_code.co_filename.replace("\\", "/")
            if path == "pydevd.py" and f.f_code.co_name == "_exec":
                break
            if path == "pydevd.py" or "do_wait_suspend" in f.f_code.co_name and "/debugpy/_vendored/" in path:
                frames, stands = [], True
            elif "/debugpy/_vendored/" not in path and "/debugpy/server/" not in path and "/debugpy/__main__" not in path and "/debugpy/../debugpy/" not in path:
                frames.append(f)
            f = f.f_back
        if not frames:
            continue
        w = Waiter("t%d" % t.ident, "thread " + t.name, number, frames)
        loop, runner = loops(frames)
        everybody.append(w)
        if loop is not None:
            current = asyncio.current_task(loop)
            for task in sorted((k for k in list(asyncio.all_tasks(loop)) if not k.done()), key=lambda k: k.get_name()):
                own_frames = coroutines(task.get_coro())
                if task is current or not own_frames:
                    continue
                k = Waiter("task%d" % id(task), "task %s%s" % (task.get_name(), ", cancelled" if getattr(task, "cancelling", int)() else ""), 0, own_frames)
                k.made = made(task)
                everybody.append(k)
                asked.append((k, task))
            if current is None and not stands:
                w.waits("what its event loop is told (asyncio)")
        elif runner is not None:
            for task in sorted(runner.tasks, key=lambda k: k.name):
                own_frames = coroutines(task.coro)
                if own_frames and not task.name.startswith("trio."):
                    k = Waiter("task%d" % id(task), "trio task " + task.name, 0, own_frames)
                    everybody.append(k)
                    asked.append((k, None))
            if not stands:
                w.waits("what its event loop is told (trio)")
        elif not stands:
            asked.append((w, t))

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

    for w, of in asked:
        try:
            look(w, of)
        except Exception as e:  # of a value of the program's
            notes.append("what %s waits for could not be read: %s" % (w.who, type(e).__name__))
    told = [w for w in everybody if w.what]
    for w in told[:most]:
        try:
            rows.append(w.row())
        except Exception as e:
            notes.append("what %s waits for could not be read: %s" % (w.who, type(e).__name__))
    return json.dumps({"waiters": rows, "left_out": max(len(told) - most, 0), "notes": notes[:5]}).encode().hex()
