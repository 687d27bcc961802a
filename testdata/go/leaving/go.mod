module leaving

go 1.24
