package detach

// trapMoves is how far a thread that has executed a trap stands behind its beginning.
const trapMoves = 1
