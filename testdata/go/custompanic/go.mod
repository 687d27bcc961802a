module custompanic

go 1.26
