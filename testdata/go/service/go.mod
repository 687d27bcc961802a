module service

go 1.26
