module forms

go 1.23
