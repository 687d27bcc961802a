# Says whether a test wants the exception that leaves it: it was raised in a with
# statement whose context manager takes it, or in a function that was handed to
# such a one. debugpy knows try statements only, and stops there as at an exception
# that nobody catches. It is evaluated in the program: see exception.go.
def expected():
    import ast
    import linecache
    import sys
    import threading

    takers = ("raises", "assertRaises", "assertRaisesRegex", "suppress")
    pydevd = sys.modules["_pydevd_bundle.pydevd_constants"]
    thread = pydevd.get_current_thread_id(threading.current_thread())

    def plain(node):
        if isinstance(node, ast.Tuple):
            return all(plain(n) for n in node.elts)
        return isinstance(node, ast.Name) or isinstance(node, ast.Attribute) and plain(node.value)

    def takes(call):
        if not isinstance(call, ast.Call) or getattr(call.func, "attr", getattr(call.func, "id", None)) not in takers:
            return False
        kinds = call.args + [k.value for k in call.keywords if k.arg in ("expected_exception", "exception")]
        for node in filter(plain, kinds):
            value = eval(compile(ast.Expression(node), "<expected>", "eval"), frame.f_globals, frame.f_locals)
            if issubclass(stop.exc_type, value):
                return True
        return False

    def handed():
        caller = frame.f_back
        name = caller.f_code.co_name
        if name == "handle" and "expected" in dir(caller.f_locals.get("self")):  # of unittest
            return issubclass(stop.exc_type, caller.f_locals["self"].expected)
        return name == "raises" and issubclass(stop.exc_type, caller.f_locals.get("expected_exception", ()))

    try:
        stop = pydevd.get_global_debugger().suspended_frames_manager.get_frames_list(thread)
        frame = stop.current_frame or next(iter(stop))
        tb = stop.trace_obj
        while tb is not None and tb.tb_frame is not frame:
            tb = tb.tb_next
        line = frame.f_lineno if tb is None else tb.tb_lineno
        if handed():
            return True
        tree = ast.parse("".join(linecache.getlines(frame.f_code.co_filename, frame.f_globals)))
        for node in ast.walk(tree):
            if isinstance(node, (ast.With, ast.AsyncWith)) and node.body[0].lineno <= line <= node.body[-1].end_lineno:
                if any(takes(item.context_expr) for item in node.items):
                    return True
    except Exception:
        pass  # then it is told
    return False
