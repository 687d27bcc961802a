"""Why a variable of Rust has no value where a frame stands, though the debug information names a place for it. How
that is seen is each debugger's own: see rust_living of its package."""

RED = 128  # bytes below the stack pointer that a function which calls none may use
NOT_STORED = "the function has not stored it yet"
NOWHERE = "at this instruction the debug information does not say where it is"
NOT_KEPT = "its function may have waited since it got its value, and not have kept it"
IN_PART = "the debug information has the first element only of a text or slice that a closure refers to: the frame of the function around it has all"
FAR = 16  # frames above a closure's in which the function around it is looked for
