module tour

go 1.26
