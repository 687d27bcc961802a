module example.org/unicode

go 1.26
