module watch

go 1.26
