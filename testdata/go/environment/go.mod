module environment

go 1.26
