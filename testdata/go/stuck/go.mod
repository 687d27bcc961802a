module stuck

go 1.26
