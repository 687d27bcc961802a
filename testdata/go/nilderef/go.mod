module nilderef

go 1.26
