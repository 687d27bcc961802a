module exit0

go 1.26
