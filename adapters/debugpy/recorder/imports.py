# Patches modules when they are imported, or where they are already. The debugger's own
# process executes it too, in front of boot/tests.py.
import sys


def patch_imported(patches, failed):
    """Calls the patch of each module with it, once it is there; failed is told of one that
    cannot be patched: its name and the error."""

    def patched(name, module):
        try:
            patches[name](module)
        except Exception as e:
            failed(name, e)

    class Finder:
        @staticmethod
        def find_spec(name, path=None, target=None):
            if name not in patches:
                return None
            finders = list(sys.meta_path)
            for finder in finders[finders.index(Finder) + 1 if Finder in finders else 0 :]:  # another of ours before it asks this one
                spec = finder.find_spec(name, path, target) if hasattr(finder, "find_spec") else None
                if spec is not None:
                    break
            else:
                return None
            execute = getattr(spec.loader, "exec_module", None)
            if execute is None:
                return spec

            def exec_module(module):
                execute(module)
                patched(name, module)

            spec.loader.exec_module = exec_module
            return spec

    for name in patches:
        if name in sys.modules:
            patched(name, sys.modules[name])
    sys.meta_path.insert(0, Finder)
