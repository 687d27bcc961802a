module rate

go 1.23
