module tags

go 1.26
