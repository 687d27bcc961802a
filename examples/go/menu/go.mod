module menu

go 1.26
