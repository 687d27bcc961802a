# Executed in a program that runs, by the debugger that is in it.


def enter(directory):
    import importlib
    import importlib.util
    import json
    import os
    import sys

    # The one before may be about to end: each has modules of its own.
    name, package = "aidb_profiler_" + os.path.basename(directory), os.path.join(directory, "aidb_profiler")
    spec = importlib.util.spec_from_file_location(name, os.path.join(package, "__init__.py"), submodule_search_locations=[package])
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    kept, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    try:
        spec.loader.exec_module(module)
        driver = importlib.import_module(name + ".driver")
    finally:
        sys.dont_write_bytecode = kept
    with open(os.path.join(directory, "wish.json"), encoding="utf-8") as f:
        wish = json.load(f)
    driver.Driver(directory, wish).begin(beside=True)
    return json.dumps({"pid": os.getpid()}).encode().hex()
