"""Values and expressions of C and C++ as their library lays them out. Knows no debugger."""
