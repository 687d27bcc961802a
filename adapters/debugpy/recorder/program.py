# Runs the program in __main__, as the interpreter does.
import os
import runpy
import sys
import zipfile


def run(kind, name, scope):
    if kind == "module":
        runpy._run_module_as_main(name)
    elif os.path.isdir(name) or zipfile.is_zipfile(name):
        sys.path[0] = name
        runpy._run_module_as_main("__main__", alter_argv=False)
    else:
        with open(name, "rb") as f:
            source = f.read()
        scope.update(__file__=name, __doc__=None, __package__=None, __spec__=None, __loader__=None, __cached__=None)
        exec(compile(source, name, "exec", dont_inherit=True), scope)
