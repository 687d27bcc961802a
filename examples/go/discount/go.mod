module discount

go 1.26
