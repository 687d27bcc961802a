package detach

const trapMoves = 0
