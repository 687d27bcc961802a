"""Has LLDB start our relay in place of the server that traces a program for it; the relay starts the server."""

import glob
import os

import lldb


def server():
    """LLDB's own server, under the names that it has, or the one that the user has chosen; empty when there is none."""
    chosen = os.environ.get("LLDB_DEBUGSERVER_PATH")
    if chosen:
        return chosen
    folder = lldb.SBHostOS.GetLLDBPath(lldb.ePathTypeSupportExecutableDir)
    found = sorted(glob.glob(os.path.join(folder.GetDirectory() or "", folder.GetFilename() or "", "lldb-server*")), key=len)
    return next((path for path in found if os.access(path, os.X_OK)), "")


def begin():
    found, relay = server(), os.environ.get("AIDB_LLDB_RELAY")
    if found and relay:
        os.environ["AIDB_LLDB_SERVER"] = found
        os.environ["LLDB_DEBUGSERVER_PATH"] = relay
