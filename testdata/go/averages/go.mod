module averages

go 1.26
