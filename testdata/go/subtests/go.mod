module subtests

go 1.26
