package observe

// Bias is where the executable of a process lies in its memory, of one that the system moves.
func Bias(pid int) (uint64, error) { return loadBias(pid) }
