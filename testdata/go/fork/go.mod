module fork

go 1.26
