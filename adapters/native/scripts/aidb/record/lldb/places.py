"""Where the source of what LLDB knows is."""

import os

from aidb.record.common import foreign


def place(entry):
    if not entry.IsValid() or not entry.GetFileSpec().IsValid():
        return ("", 0)
    spec = entry.GetFileSpec()
    return os.path.normpath(os.path.join(spec.GetDirectory() or "", spec.GetFilename() or "")), entry.GetLine()


def call_site(block):
    spec = block.GetInlinedCallSiteFile()
    return os.path.normpath(os.path.join(spec.GetDirectory() or "", spec.GetFilename() or "")), block.GetInlinedCallSiteLine()


def began(start):
    """Where a function begins. Where its code begins with what was put into it from another, that is called there."""
    block = start.GetBlock().GetContainingInlinedBlock()
    if not block.IsValid():
        return place(start.GetLineEntry())
    while block.GetParent().GetContainingInlinedBlock().IsValid():
        block = block.GetParent().GetContainingInlinedBlock()
    return call_site(block)


def called_at(address):
    """Where the user's code calls what was put into it at a place from a library; None where it does not."""
    block = address.GetBlock().GetContainingInlinedBlock()
    while block.IsValid():
        at = call_site(block)
        if not foreign(*at):
            return at
        block = block.GetParent().GetContainingInlinedBlock()
    return None
