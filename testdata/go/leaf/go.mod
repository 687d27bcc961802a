module leaf

go 1.26
