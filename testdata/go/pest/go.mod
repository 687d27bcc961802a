module pest

go 1.24
