package detach

// trapMoves is how far a thread that has executed a trap stands behind its beginning.
const trapMoves = 1

// trap is the instruction of a breakpoint.
var trap = []byte{0xcc}
