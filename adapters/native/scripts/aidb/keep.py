"""Has Python keep what it compiles of our scripts beside them, where they stay from one
session to the next: each start would compile them anew, for LLDB forbids its Python to
keep anything, and the environment may. What else is imported is left as it is."""

import os
import sys
from importlib.machinery import SOURCE_SUFFIXES, FileFinder, SourceFileLoader

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))  # the folder that the package aidb lies in


class Keeping(SourceFileLoader):
    def get_code(self, fullname):
        forbidden, sys.dont_write_bytecode = sys.dont_write_bytecode, False
        try:
            return super().get_code(fullname)
        finally:
            sys.dont_write_bytecode = forbidden


def ours(folder):
    path = os.path.abspath(folder)
    return path == HERE or path.startswith(HERE + os.sep)


def finder(folder):
    if not ours(folder):
        raise ImportError
    return FileFinder(folder, (Keeping, SOURCE_SUFFIXES))


sys.path_hooks.insert(0, finder)
for known in [folder for folder in sys.path_importer_cache if ours(folder)]:
    del sys.path_importer_cache[known]
