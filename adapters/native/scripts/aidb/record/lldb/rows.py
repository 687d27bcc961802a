"""The rows of the line table, for the recorder in LLDB."""


def rows(target, start, end):
    """Those between two addresses in memory. Each is asked for by its address: a unit of Rust's library has
    a hundred thousand, and to look at all of them for each function takes longer than the program."""
    while start < end:
        row = target.ResolveLoadAddress(start).GetLineEntry()
        if not row.IsValid():
            return
        yield row
        start = max(start + 1, row.GetEndAddress().GetLoadAddress(target))
