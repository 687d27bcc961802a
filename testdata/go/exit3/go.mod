module exit3

go 1.26
