module numbers

go 1.26
