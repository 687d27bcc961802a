"""Lets the interpreter write where it crashes, and then runs the machine's own sitecustomize."""

import faulthandler
import os
import sys
from importlib.machinery import PathFinder
from importlib.util import module_from_spec


def begin():
    here = os.path.dirname(os.path.abspath(__file__))
    faulthandler.enable(open(os.path.join(here, "log.%d" % os.getpid()), "w"))  # which it keeps
    sys.path[:] = [path for path in sys.path if path != here]
    spec = PathFinder.find_spec("sitecustomize")
    if spec is not None and spec.loader is not None:
        module = module_from_spec(spec)
        sys.modules["sitecustomize"] = module
        spec.loader.exec_module(module)


begin()
